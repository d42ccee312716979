/* Imports of works that wait for somebody's choice; site/importing.h says what an entry
 * is. They are no content: applying one goes through change.h. */
#ifndef LABD_DB_STORE_IMPORT_H
#define LABD_DB_STORE_IMPORT_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdint.h>

struct db;

/* entries: rows of import_entry (migrations/0011_imports.sql). Joins the open
 * transaction. */
MUST_USE enum result import_add(int64_t *id, struct db *db, int64_t account,
                                json_t *files, json_t *entries);
MUST_USE enum result import_add_entries(struct db *db, int64_t id, json_t *entries);

/* [{id, state, created_at, applied_at, files, count}], the latest first. */
MUST_USE enum result import_list(json_t **imports, struct db *db, int64_t account);

/* {id, state, created_at, applied_at, files, fates: {new: 3, ...}, outcomes: {created: 2,
 * ...}, count, chosen: entries that are to be applied}. NOT_FOUND: none of `account`'s.
 */
MUST_USE enum result import_read(json_t **import, struct db *db, int64_t id,
                                 int64_t account);

/* The rows with `target_slug`, `target_title`, `target_year`, in order, behind number
 * `after`; fate NULL: all. */
MUST_USE enum result import_entries(json_t **entries, struct db *db, int64_t id,
                                    const char *fate, int64_t after, int most);

/* [{number, choice}] */
MUST_USE enum result import_choose(struct db *db, int64_t id, json_t *choices);

/* *state of the import, which is locked until the open transaction ends. */
MUST_USE enum result import_hold(const char **state, struct db *db, int64_t id);
/* [{number, outcome, slug, problem}] */
MUST_USE enum result import_settle(struct db *db, int64_t id, json_t *outcomes);
MUST_USE enum result import_close(struct db *db, int64_t id, const char *state);

/* What was looked up for an entry that waits; `entry` as in import_add(). */
MUST_USE enum result import_fill(struct db *db, int64_t id, int64_t number,
                                 json_t *entry);
MUST_USE enum result import_drop_entry(struct db *db, int64_t id, int64_t number);
/* Those that could not be looked up wait again: [{number}]. */
MUST_USE enum result import_wait_again(json_t **entries, struct db *db, int64_t id);
MUST_USE enum result import_next(int64_t *number, struct db *db, int64_t id);

/* Titles of the account's new works that are not decided yet: [{title}]. */
MUST_USE enum result import_proposed(json_t **works, struct db *db, int64_t account);
/* Folded names under which the account's person is printed, {"xiao lin": true}; empty for
 * an admin, who brings in everybody's works, and for an account without a person. */
MUST_USE enum result import_own_names(json_t **names, struct db *db, int64_t account);

MUST_USE enum result import_sweep(struct db *db);

#endif
