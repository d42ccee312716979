/* What kinds of jobs there are; for jobs.c. */
#ifndef LABD_SITE_JOB_H
#define LABD_SITE_JOB_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

struct job {
    struct db *db;
    json_t *subject;
    int64_t account; /* whose it is; 0: the lab's */
    bool last;       /* a failure is the end of it */
    bool (*stopping)(void *data);
    void *data;
    /* What the runner says: */
    const char *error; /* a code, or NULL */
    int seconds;       /* until it is tried again; with OK: until it is done once more */
};

/* OK: done, or done for now when `seconds` are given. BUSY: later, not counted. FAILED:
 * it is tried again a few times. Anything else: it has failed. */
typedef enum result job_runner(struct job *job);

/* lookup_job.c: subject {import, entry}. */
job_runner lookup_job;

/* links.c: asks for some addresses that visitors' pages lead to. */
job_runner links_job;

#endif
