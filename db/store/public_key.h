/* Keys by which works are cited from files. */
#ifndef LABD_DB_STORE_PUBLIC_KEY_H
#define LABD_DB_STORE_PUBLIC_KEY_H

#include "server/base/result.h"

#include <jansson.h>

struct db;

/* Sets key_shared in each of `works` (text/work_key.h): whether another work of the lab,
 * in the list or not, has the same bibtex_key. */
MUST_USE enum result public_keys(json_t *works, struct db *db);

#endif
