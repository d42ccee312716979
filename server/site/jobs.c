/* Jobs are taken, done and settled here; what each kind does is in its own file.
 * Reminders are looked after beside them, once a minute. */
#include "server/site/jobs.h"

#include "db/connection.h"
#include "db/store/job.h"
#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/config.h"
#include "server/base/document.h"
#include "server/base/log.h"
#include "server/base/ticker.h"
#include "server/site/asking.h"
#include "server/site/job.h"

#include <stdlib.h>

enum {
    LEASE_SECONDS = 300, /* longer than any job takes */
    REMIND_MS = 60 * 1000,
    TICK_MS = 30 * 1000,  /* what other instances wrote is found by then */
    PAUSE_MS = 60 * 1000, /* when there is no database */
    TRIES = 5,
    RETRY_SECONDS = 30
};

struct jobs {
    struct ticker *ticker;
    struct db *db;
    bool begun;
    int64_t remind_at; /* clock_ms() */
};

static const struct {
    const char *name;
    job_runner *run;
} kinds[] = {
    {"links",  links_job },
    {"lookup", lookup_job},
};

static bool stopping(void *data)
{
    return ticker_stopping(((struct jobs *)data)->ticker);
}

static enum result settle(struct jobs *jobs, const json_t *row, const struct job *job,
                          enum result result)
{
    int64_t id = integer_at(row, "id"), attempts = integer_at(row, "attempts");
    enum job_outcome outcome = JOB_FAILED;
    int seconds = job->seconds;
    if (result == OK)
        outcome = seconds > 0 ? JOB_BUSY : JOB_DONE;
    else if (result == BUSY || stopping(jobs))
        outcome = JOB_BUSY;
    else if (result == FAILED && attempts < TRIES)
        outcome = JOB_AGAIN;
    if (outcome == JOB_AGAIN && seconds == 0)
        for (seconds = RETRY_SECONDS; attempts > 1; attempts--)
            seconds *= 4;
    log_info("job.settled", "id", NUM(id), "kind", text_at(row, "kind", ""), "error",
             job->error);
    return job_settle(jobs->db, id, outcome, job->error, seconds);
}

static enum result run(struct jobs *jobs, const json_t *row)
{
    struct job job = {.db = jobs->db,
                      .subject = json_object_get(row, "subject"),
                      .account = integer_at(row, "account_id"),
                      .last = integer_at(row, "attempts") >= TRIES,
                      .stopping = stopping,
                      .data = jobs};
    enum result result = NOT_FOUND;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, text_at(row, "kind", "")) == 0)
            result = kinds[i].run(&job);
    return settle(jobs, row, &job, result);
}

static int64_t step(void *data)
{
    struct jobs *jobs = data;
    json_t *row;
    int64_t ms;
    if (clock_ms() >= jobs->remind_at) {
        int64_t sent;
        bool more = reminders_due(&sent, jobs->db) == OK && sent > 0;
        jobs->remind_at = more ? 0 : clock_ms() + REMIND_MS;
        if (more)
            return 0;
    }
    if (!jobs->begun) {
        if ((config.check_links && job_add_links(jobs->db) != OK) ||
            job_sweep(jobs->db) != OK)
            return PAUSE_MS;
        jobs->begun = true;
    }
    enum result result = job_take(&row, jobs->db, LEASE_SECONDS);
    if (result == OK)
        return run(jobs, row) == OK ? 0 : PAUSE_MS;
    if (result != NOT_FOUND || job_next(&ms, jobs->db) != OK)
        return PAUSE_MS;
    return ms < 0 || ms > TICK_MS ? TICK_MS : ms < 1 ? 1 : ms;
}

struct jobs *jobs_start(const char *conninfo)
{
    struct jobs *jobs = calloc(1, sizeof *jobs);
    if (jobs == NULL)
        abort();
    jobs->db = db_new(conninfo);
    jobs->ticker = ticker_new(step, jobs);
    ticker_begin(jobs->ticker);
    return jobs;
}

void jobs_wake(struct jobs *jobs)
{
    if (jobs != NULL)
        ticker_wake(jobs->ticker);
}

void jobs_stop(struct jobs *jobs)
{
    if (jobs == NULL)
        return;
    ticker_stop(jobs->ticker);
    db_free(jobs->db);
    free(jobs);
}
