/* The workers: threads that take jobs from one bounded queue. */
#ifndef LABD_HTTP_POOL_H
#define LABD_HTTP_POOL_H

#include "server/base/result.h"

#include <stdbool.h>

struct job {
    struct job *next;
};

struct pool_options {
    int workers, queue; /* jobs that may wait at most */
    void *context;
    void *(*start)(void *context); /* on each worker's thread; may be NULL, as may stop */
    void (*stop)(void *worker);
    void (*run)(void *worker, struct job *job);
};

struct pool;

MUST_USE enum result pool_new(struct pool **pool, const struct pool_options *options);
/* Lets the workers finish their jobs and ends them; the queue must be empty. */
void pool_free(struct pool *pool);

/* Takes a place in the queue for a job to come; false: it is full. */
bool pool_reserve(struct pool *pool);
void pool_unreserve(struct pool *pool);
/* Puts a job on its reserved place, or, `beyond` the limit, on a further one. */
void pool_push(struct pool *pool, struct job *job, bool beyond);
/* Takes a waiting job out, or NULL. */
struct job *pool_take(struct pool *pool);

#endif
