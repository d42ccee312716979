/* The workers and their queue; see pool.h. */
#include "server/http/pool.h"

#include "server/base/log.h"

#include <pthread.h>
#include <stdlib.h>

struct pool {
    struct pool_options options;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct job *first, **last;
    int places; /* taken: by jobs and by reservations */
    bool stop;
    int count;
    pthread_t threads[];
};

/* With the lock held. */
static struct job *take(struct pool *pool)
{
    struct job *job = pool->first;
    if (job == NULL)
        return NULL;
    pool->first = job->next;
    if (pool->first == NULL)
        pool->last = &pool->first;
    pool->places--;
    return job;
}

/* Waits for a job; NULL: the pool ends. */
static struct job *next_job(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->first == NULL && !pool->stop)
        pthread_cond_wait(&pool->wake, &pool->lock);
    struct job *job = take(pool);
    pthread_mutex_unlock(&pool->lock);
    return job;
}

static void *work(void *context)
{
    struct pool *pool = context;
    const struct pool_options *options = &pool->options;
    void *worker = options->start != NULL ? options->start(options->context) : NULL;
    struct job *job;
    while ((job = next_job(pool)) != NULL)
        options->run(worker, job);
    if (options->stop != NULL)
        options->stop(worker);
    return NULL;
}

enum result pool_new(struct pool **made, const struct pool_options *options)
{
    struct pool *pool =
        calloc(1, sizeof *pool + (size_t)options->workers * sizeof(pthread_t));
    if (pool == NULL)
        return FAILED;
    pool->options = *options;
    pool->last = &pool->first;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    for (; pool->count < options->workers; pool->count++)
        if (pthread_create(&pool->threads[pool->count], NULL, work, pool) != 0) {
            log_error("http.worker_failed");
            pool_free(pool);
            return FAILED;
        }
    *made = pool;
    return OK;
}

void pool_free(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->wake);
    free(pool);
}

bool pool_reserve(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    bool there = pool->places < pool->options.queue;
    pool->places += there;
    pthread_mutex_unlock(&pool->lock);
    return there;
}

void pool_unreserve(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->places--;
    pthread_mutex_unlock(&pool->lock);
}

void pool_push(struct pool *pool, struct job *job, bool beyond)
{
    job->next = NULL;
    pthread_mutex_lock(&pool->lock);
    pool->places += beyond;
    *pool->last = job;
    pool->last = &job->next;
    pthread_cond_signal(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
}

struct job *pool_take(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct job *job = take(pool);
    pthread_mutex_unlock(&pool->lock);
    return job;
}
