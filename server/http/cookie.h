/* The Cookie field (RFC 6265 section 4.2). */
#ifndef LABD_HTTP_COOKIE_H
#define LABD_HTTP_COOKIE_H

#include "server/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* Is the site served by https (config.base_url)? Cookies then carry the prefix. */
bool cookie_secure(void);
/* The name that cookie `name` has on the wire: with "__Host-" when secure. */
const char *cookie_name(struct arena *arena, const char *name);
/* The first value of the cookie called `name` on the wire; false: none. */
bool cookie_find(const char *field, const char *name, const char **value, size_t *length);

#endif
