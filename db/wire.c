/* libpq with deadlines: its blocking calls wait for ever for a server that is frozen or
 * cut off, so queries are sent in non-blocking mode and waited for here. */
#include "db/wire.h"

#include "server/base/clock.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

static void ignore_notice(void *unused, const PGresult *notice)
{
    (void)unused;
    (void)notice;
}

bool wire_wait(PGconn *link, short events, int extra, int64_t deadline)
{
    struct pollfd watched[] = {
        {.fd = PQsocket(link), .events = events},
        {.fd = extra,          .events = POLLIN}
    };
    for (;;) {
        int64_t left = deadline == 0 ? 1000 : deadline - clock_ms();
        if (left <= 0)
            return false;
        if (poll(watched, 2, (int)left) > 0)
            return true;
    }
}

/* Writes all of what libpq holds; a server may want to be read from meanwhile. */
static bool flush(PGconn *link, int64_t deadline)
{
    for (;;) {
        int unsent = PQflush(link);
        if (unsent <= 0)
            return unsent == 0;
        if (!wire_wait(link, POLLIN | POLLOUT, -1, deadline) || !PQconsumeInput(link))
            return false;
    }
}

static bool in_copy(const PGresult *result)
{
    switch (PQresultStatus(result)) {
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
    case PGRES_COPY_BOTH:
        return true;
    default: /* libpq's enum, not ours */
        return false;
    }
}

PGresult *wire_await(PGconn *link, int seconds)
{
    int64_t deadline = seconds == 0 ? 0 : clock_ms() + (int64_t)seconds * 1000;
    PGresult *last = NULL;
    /* Where flushing fails the server may still have said why. */
    bool open = flush(link, deadline);
    for (;;) {
        while (open && PQisBusy(link)) {
            if (!wire_wait(link, POLLIN, -1, deadline)) {
                PQclear(last);
                return NULL;
            }
            open = PQconsumeInput(link) == 1;
        }
        if (!open && PQstatus(link) != CONNECTION_BAD) {
            PQclear(last);
            return NULL;
        }
        PGresult *next = PQgetResult(link);
        if (next == NULL)
            return last;
        PQclear(last);
        last = next;
        if (in_copy(last)) {
            PQclear(last);
            return NULL;
        }
    }
}

bool wire_broken(PGconn *link)
{
    struct pollfd watched = {.fd = PQsocket(link), .events = POLLIN};
    /* First comes the server's reason, then the end of the stream. */
    for (int reads = 0; reads < 8 && poll(&watched, 1, 0) > 0; reads++)
        if (PQconsumeInput(link) == 0)
            return true;
    return PQstatus(link) == CONNECTION_BAD;
}

static bool settle_session(PGconn *link)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "set statement_timeout = '%ds'; set lock_timeout = '%ds';"
             "set idle_in_transaction_session_timeout = '%ds';"
             "set timezone = 'UTC'; set datestyle = 'ISO, YMD';"
             "set intervalstyle = 'iso_8601'; set client_min_messages = warning;"
             "set jit = off",
             WIRE_STATEMENT_SECONDS, WIRE_LOCK_SECONDS, WIRE_IDLE_SECONDS);
    if (PQsetnonblocking(link, 1) != 0 || PQsendQuery(link, sql) == 0)
        return false;
    PGresult *result = wire_await(link, WIRE_CONNECT_SECONDS);
    bool done = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    return done;
}

PGconn *wire_open(const char *conninfo, char *problem, size_t problem_size)
{
    char seconds[16];
    snprintf(seconds, sizeof seconds, "%d", WIRE_CONNECT_SECONDS);
    /* What stands before dbname can be overruled by the connection string. */
    const char *const names[] = {"connect_timeout",
                                 "application_name",
                                 "keepalives_idle",
                                 "tcp_user_timeout",
                                 "dbname",
                                 "client_encoding",
                                 NULL};
    const char *const values[] = {seconds, "labd", "10", "15000", conninfo, "UTF8", NULL};
    PGconn *link = PQconnectdbParams(names, values, 1);
    if (PQstatus(link) == CONNECTION_OK) {
        PQsetNoticeReceiver(link, ignore_notice, NULL);
        if (settle_session(link))
            return link;
    }
    snprintf(problem, problem_size, "%s", PQerrorMessage(link));
    problem[strcspn(problem, "\n")] = '\0';
    PQfinish(link);
    return NULL;
}

enum result wire_meaning(const char *sqlstate)
{
    static const struct {
        const char *prefix;
        enum result meaning;
    } table[] = {
        {"23505", CONFLICT}, /* unique */
        {"23P01", CONFLICT}, /* exclusion */
        {"23",    INVALID }, /* other constraints */
        {"22",    INVALID }, /* data that fits no type or is out of range */
        {"40",    BUSY    }, /* serialization, deadlock */
        {"55P03", BUSY    }, /* lock_timeout */
        {"57",    BUSY    }, /* cancelled, shutting down, starting up */
        {"53",    BUSY    }, /* disk, memory, connections */
        {"08",    BUSY    }, /* connection */
        {"25006", BUSY    }, /* a standby, before or after a failover */
        {"25P03", BUSY    }, /* idle_in_transaction_session_timeout */
        {"0A000", BUSY    }, /* a migration changed the result of a prepared query */
        {"26000", BUSY    }, /* a prepared query is gone: somebody reset the session */
    };
    for (size_t i = 0; sqlstate != NULL && i < sizeof table / sizeof table[0]; i++)
        if (strncmp(sqlstate, table[i].prefix, strlen(table[i].prefix)) == 0)
            return table[i].meaning;
    return FAILED;
}
