/* Work for later: a row, written in the transaction that causes it, taken by any instance
 * and tried again until it is done. */
#ifndef LABD_DB_STORE_JOB_H
#define LABD_DB_STORE_JOB_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* kind "lookup": subject {import, entry}; a row of import_entry waits for it. Joins the
 * open transaction. */
MUST_USE enum result job_add(int64_t *id, struct db *db, const char *kind,
                             json_t *subject, int64_t account);
/* The lab's standing job "links"; once is enough. */
MUST_USE enum result job_add_links(struct db *db);

/* One that is due, for this worker alone for `seconds`: {id, kind, subject, account_id,
 * attempts}. NOT_FOUND: none is. */
MUST_USE enum result job_take(json_t **job, struct db *db, int seconds);
/* *ms until the next is due; -1: none waits. */
MUST_USE enum result job_next(int64_t *ms, struct db *db);

enum job_outcome { JOB_DONE, JOB_FAILED, JOB_AGAIN, JOB_BUSY /* again, uncounted */ };
/* error: a code, or NULL. seconds: until it is tried again. */
MUST_USE enum result job_settle(struct db *db, int64_t id, enum job_outcome outcome,
                                const char *error, int seconds);

MUST_USE enum result job_sweep(struct db *db);

/* The last 200, those to come first: [{id, kind, subject, state, attempts, error, due_at,
 * created_at, ended_at, email}]. */
MUST_USE enum result job_rows(json_t **jobs, struct db *db);
/* A failed one is tried again. NOT_FOUND: it is none, or not `account`'s (0: anybody's).
 */
MUST_USE enum result job_retry(struct db *db, int64_t id, int64_t account);

#endif
