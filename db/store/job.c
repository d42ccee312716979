/* Jobs; see job.h. */
#include "db/store/job.h"

#include "db/connection.h"
#include "db/store/job.sql.h"
#include "db/store/join.h"

enum result job_add(int64_t *id, struct db *db, const char *kind, json_t *subject,
                    int64_t account)
{
    json_t *row;
    TRY(db_row(&row, db, &job_insert, kind, json_dumps(subject, JSON_COMPACT),
               ID(account)));
    *id = integer_at(row, "id");
    return OK;
}

enum result job_add_links(struct db *db)
{
    return db_run(NULL, db, &job_insert_links);
}

enum result job_take(json_t **job, struct db *db, int seconds)
{
    return db_row(job, db, &job_take_row, NUM(seconds));
}

enum result job_next(int64_t *ms, struct db *db)
{
    json_t *row;
    TRY(db_row(&row, db, &job_next_due));
    json_t *value = json_object_get(row, "ms");
    *ms = json_is_integer(value) ? json_integer_value(value) : -1;
    return OK;
}

enum result job_settle(struct db *db, int64_t id, enum job_outcome outcome,
                       const char *error, int seconds)
{
    static const char *const states[] = {"done", "failed", "waiting", "waiting"};
    return db_run(NULL, db, &job_settle_row, NUM(id), states[outcome], error,
                  NUM(seconds), outcome == JOB_BUSY ? "true" : "false");
}

enum result job_sweep(struct db *db)
{
    return db_run(NULL, db, &job_sweep_ended);
}

enum result job_rows(json_t **jobs, struct db *db)
{
    return db_rows(jobs, db, &job_list);
}

enum result job_retry(struct db *db, int64_t id, int64_t account)
{
    int64_t count;
    TRY(db_run(&count, db, &job_again, NUM(id), ID(account)));
    return count == 0 ? NOT_FOUND : OK;
}
