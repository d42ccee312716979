/* The clock that reminds; see schedule.h. */
#include "server/site/schedule.h"

#include "db/connection.h"
#include "server/base/arena.h"
#include "server/site/asking.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { TICK_SECONDS = 60 };

struct schedule {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stopping; /* under the lock */
    struct db *db;
};

/* False when the time has come to end. */
static bool wait(struct schedule *schedule, int seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += seconds;
    pthread_mutex_lock(&schedule->lock);
    while (!schedule->stopping && seconds > 0)
        if (pthread_cond_timedwait(&schedule->changed, &schedule->lock, &until) != 0)
            break;
    bool going_on = !schedule->stopping;
    pthread_mutex_unlock(&schedule->lock);
    return going_on;
}

/* What fails is tried again a minute later. */
static void *run(void *data)
{
    struct schedule *schedule = data;
    struct arena *arena = arena_new();
    bool more = true;
    arena_enter(arena);
    while (wait(schedule, more ? 0 : TICK_SECONDS)) {
        int64_t sent;
        more = reminders_due(&sent, schedule->db) == OK && sent > 0;
        arena_reset(arena);
    }
    arena_enter(NULL);
    arena_free(arena);
    return NULL;
}

struct schedule *schedule_start(const char *conninfo)
{
    struct schedule *schedule = calloc(1, sizeof *schedule);
    pthread_condattr_t attributes;
    if (schedule == NULL)
        abort();
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&schedule->lock, NULL);
    pthread_cond_init(&schedule->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    schedule->db = db_new(conninfo);
    if (pthread_create(&schedule->thread, NULL, run, schedule) != 0)
        abort();
    return schedule;
}

void schedule_stop(struct schedule *schedule)
{
    if (schedule == NULL)
        return;
    pthread_mutex_lock(&schedule->lock);
    schedule->stopping = true;
    pthread_cond_signal(&schedule->changed);
    pthread_mutex_unlock(&schedule->lock);
    pthread_join(schedule->thread, NULL);
    db_free(schedule->db);
    pthread_mutex_destroy(&schedule->lock);
    pthread_cond_destroy(&schedule->changed);
    free(schedule);
}
