/* LISTEN on a thread: waits for notifications, asks the server for a sign of life when
 * there are none, and comes back after a loss; see listener.h. */
#include "db/listener.h"

#include "db/wire.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "tables.h"

#include <poll.h>
#include <pthread.h>
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
    if (tables != 0)
        listener->events.changed(tables);
}

/* Returns when the connection is lost or the listener shall stop. */
static void listen_on(const struct listener *listener, PGconn *link)
{
    for (;;) {
        bool heard = wire_wait(link, POLLIN, listener->stop, clock_ms() + HEARTBEAT_MS);
        if (stopping(listener, 0))
            return;
        if (heard ? wire_broken(link) : !ask(link, "select 1", HEARTBEAT_SECONDS))
            return;
        deliver(listener, link);
    }
}

static void *run(void *data)
{
    const struct listener *listener = data;
    char problem[256];
    int pause = PAUSE_LEAST;
    while (!stopping(listener, 0)) {
        PGconn *link = wire_open(listener->conninfo, problem, sizeof problem);
        if (link != NULL && ask(link, "listen content", WIRE_ANSWER_SECONDS)) {
            pause = PAUSE_LEAST;
            listener->events.back();
            listen_on(listener, link);
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
