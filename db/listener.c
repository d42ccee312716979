/* LISTEN on a thread: waits for notifications, asks the server for a sign of life when
 * there are none, and comes back after a loss; see listener.h. */
#include "db/listener.h"

#include "db/kept.h"
#include "db/wire.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "tables.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    HEARTBEAT_MS = 5000,
    HEARTBEAT_SECONDS = 3, /* to answer one */
    PAUSE_LEAST = 50,      /* ms between tries to connect */
    PAUSE_MOST = 1000
};

struct listener {
    pthread_t thread;
    int stop; /* an eventfd, readable when the thread shall end */
    char *conninfo;
    struct listener_events events;
    char today[16]; /* in the lab, by the last heartbeat; "" before the first */
};

static bool stopping(const struct listener *listener, int wait_ms)
{
    struct pollfd watched = {.fd = listener->stop, .events = POLLIN};
    return poll(&watched, 1, wait_ms) > 0;
}

static bool ask(PGconn *link, const char *sql, int seconds)
{
    PGresult *result = PQsendQuery(link, sql) == 1 ? wire_await(link, seconds) : NULL;
    ExecStatusType status = PQresultStatus(result);
    bool answered =
        result != NULL && (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK);
    PQclear(result);
    return answered;
}

static uint64_t table_bit(const char *name)
{
    for (int table = 0; table < TABLE_COUNT; table++)
        if (strcmp(table_names[table], name) == 0)
            return TABLE_BIT(table);
    return 0; /* no query reads it */
}

static void deliver(const struct listener *listener, PGconn *link)
{
    uint64_t tables = 0;
    for (PGnotify *told; (told = PQnotifies(link)) != NULL; PQfreemem(told))
        tables |= table_bit(told->extra);
    if (tables == 0)
        return;
    kept_changed(tables);
    listener->events.changed(tables);
}

/* The sign of life is the lab's date. Who is a member and who an alumnus changes with it,
 * without a write to any table: a new day counts as a change of `lab`, which everything
 * that depends on the date reads. */
static bool heartbeat(struct listener *listener, PGconn *link)
{
    PGresult *result = PQsendQuery(link, "select lab_today()") == 1
                           ? wire_await(link, HEARTBEAT_SECONDS)
                           : NULL;
    bool alive = PQresultStatus(result) == PGRES_TUPLES_OK;
    if (alive) {
        const char *today = PQgetvalue(result, 0, 0);
        if (*listener->today != '\0' && strcmp(listener->today, today) != 0)
            listener->events.changed(table_bit("lab"));
        snprintf(listener->today, sizeof listener->today, "%s", today);
    }
    PQclear(result);
    return alive;
}

/* Returns when the connection is lost or the listener shall stop. */
static void listen_on(struct listener *listener, PGconn *link)
{
    int64_t beat = clock_ms();
    for (;;) {
        if (clock_ms() >= beat) {
            if (!heartbeat(listener, link))
                return;
            beat = clock_ms() + HEARTBEAT_MS;
        }
        deliver(listener, link);
        bool heard = wire_wait(link, POLLIN, listener->stop, beat);
        if (stopping(listener, 0) || (heard && wire_broken(link)))
            return;
    }
}

static void *run(void *data)
{
    struct listener *listener = data;
    char problem[256];
    int pause = PAUSE_LEAST;
    while (!stopping(listener, 0)) {
        PGconn *link = wire_open(listener->conninfo, problem, sizeof problem);
        if (link != NULL && ask(link, "listen content", WIRE_ANSWER_SECONDS)) {
            pause = PAUSE_LEAST;
            kept_listening(true);
            listener->events.back();
            listen_on(listener, link);
            kept_listening(false);
            listener->events.lost();
            if (!stopping(listener, 0))
                log_warning("listener.lost", "reason", PQerrorMessage(link));
        } else if (link == NULL) {
            log_warning("listener.connect", "reason", problem);
        }
        PQfinish(link);
        if (stopping(listener, pause))
            break;
        pause = pause * 2 < PAUSE_MOST ? pause * 2 : PAUSE_MOST;
    }
    return NULL;
}

struct listener *listener_start(const char *conninfo, struct listener_events events)
{
    struct listener *listener = calloc(1, sizeof *listener);
    if (listener == NULL || (listener->conninfo = strdup(conninfo)) == NULL)
        abort();
    listener->events = events;
    listener->stop = eventfd(0, EFD_CLOEXEC);
    if (listener->stop < 0 || pthread_create(&listener->thread, NULL, run, listener) != 0)
        abort();
    return listener;
}

void listener_stop(struct listener *listener)
{
    if (listener == NULL)
        return;
    if (eventfd_write(listener->stop, 1) != 0)
        abort();
    pthread_join(listener->thread, NULL);
    (void)close(listener->stop);
    free(listener->conninfo);
    free(listener);
}
