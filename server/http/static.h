/* The files of <home>/static, held ready to send in three codings under names that carry
 * the hash of their bytes: static/site.css is /static/site.3f2a9c01b7d4.css, immutable.
 * Without the hash there is nothing, but for /favicon.ico and /robots.txt. */
#ifndef LABD_HTTP_STATIC_H
#define LABD_HTTP_STATIC_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>

struct statics;

/* Reads every file of the folder (with subfolders). `development`: changed files are read
 * again when asked for. FAILED (logged): the folder can't be read. */
MUST_USE enum result statics_load(struct statics **statics, const char *folder,
                                  bool development);
void statics_free(struct statics *statics); /* after the daemon has stopped */

/* {"site_css": "/static/site.3f2a9c01b7d4.css", ...}: file names with every character but
 * letters and digits as "_". Made in the current arena. */
json_t *statics_assets(struct statics *statics);

#endif
