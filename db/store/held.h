/* Forms that came after their session had ended: kept for a day, for their writer alone,
 * at most five an account and one a path. The sign-in that follows leads to them. */
#ifndef LABD_DB_STORE_HELD_H
#define LABD_DB_STORE_HELD_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdint.h>

struct db;

/* {id, admin} of the enabled account to whose session, live or past (up to 30 days), the
 * forms with this token belong; NOT_FOUND: of nobody. */
MUST_USE enum result held_whose(json_t **owner, struct db *db, const char *csrf_hash);
/* Keeps `fields` ({"name": ["value", ...]}), in place of what was kept for that path. */
MUST_USE enum result held_keep(int64_t *id, struct db *db, int64_t account,
                               const char *path, json_t *fields);
/* {id, path, fields, created_at}; NOT_FOUND for anybody else's. */
MUST_USE enum result held_show(json_t **held, struct db *db, int64_t account, int64_t id);
/* Newest first: [{id, path, created_at}]. */
MUST_USE enum result held_list(json_t **list, struct db *db, int64_t account);
/* The newest that the account has not been led to yet, which it now is. NOT_FOUND: none.
 */
MUST_USE enum result held_next(int64_t *id, struct db *db, int64_t account);
MUST_USE enum result held_drop(struct db *db, int64_t account, int64_t id);
/* What was kept for a path has been sent now. */
MUST_USE enum result held_sent(struct db *db, int64_t account, const char *path);

#endif
