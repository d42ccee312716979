/* A thread of steps; see ticker.h. */
#include "server/base/ticker.h"

#include "server/base/arena.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct ticker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool woken; /* under the lock */
    atomic_bool stopping;
    int64_t (*step)(void *data);
    void *data;
};

static void doze(struct ticker *ticker, int64_t ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&ticker->lock);
    while (!ticker->woken && !ticker_stopping(ticker))
        if (pthread_cond_timedwait(&ticker->changed, &ticker->lock, &until) != 0)
            break;
    ticker->woken = false;
    pthread_mutex_unlock(&ticker->lock);
}

static void *run(void *data)
{
    struct ticker *ticker = data;
    struct arena *arena = arena_new();
    arena_enter(arena);
    while (!ticker_stopping(ticker)) {
        int64_t ms = ticker->step(ticker->data);
        arena_reset(arena);
        if (ms > 0)
            doze(ticker, ms);
    }
    arena_enter(NULL);
    arena_free(arena);
    return NULL;
}

struct ticker *ticker_new(int64_t (*step)(void *data), void *data)
{
    struct ticker *ticker = calloc(1, sizeof *ticker);
    pthread_condattr_t attributes;
    if (ticker == NULL)
        abort();
    ticker->step = step;
    ticker->data = data;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&ticker->lock, NULL);
    pthread_cond_init(&ticker->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return ticker;
}

void ticker_begin(struct ticker *ticker)
{
    if (pthread_create(&ticker->thread, NULL, run, ticker) != 0)
        abort();
}

void ticker_wake(struct ticker *ticker)
{
    if (ticker == NULL || pthread_equal(pthread_self(), ticker->thread))
        return;
    pthread_mutex_lock(&ticker->lock);
    ticker->woken = true;
    pthread_cond_signal(&ticker->changed);
    pthread_mutex_unlock(&ticker->lock);
}

bool ticker_stopping(struct ticker *ticker)
{
    return atomic_load(&ticker->stopping);
}

void ticker_halt(struct ticker *ticker)
{
    if (ticker == NULL)
        return;
    pthread_mutex_lock(&ticker->lock);
    atomic_store(&ticker->stopping, true);
    pthread_cond_signal(&ticker->changed);
    pthread_mutex_unlock(&ticker->lock);
}

void ticker_stop(struct ticker *ticker)
{
    if (ticker == NULL)
        return;
    ticker_halt(ticker);
    pthread_join(ticker->thread, NULL);
    pthread_mutex_destroy(&ticker->lock);
    pthread_cond_destroy(&ticker->changed);
    free(ticker);
}
