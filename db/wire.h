/* What connection.c, transaction.c and listener.c share of libpq; for db/ alone. */
#ifndef LABD_DB_WIRE_H
#define LABD_DB_WIRE_H

#include "db/connection.h"

#include <libpq-fe.h>

enum {
    WIRE_CONNECT_SECONDS = 2,
    WIRE_STATEMENT_SECONDS = 10,
    WIRE_LOCK_SECONDS = 3,
    WIRE_IDLE_SECONDS = 30, /* a transaction that waits for us */
    /* Then the server itself is taken to be stuck. */
    WIRE_ANSWER_SECONDS = WIRE_STATEMENT_SECONDS + 5
};

/* A connection with the session settings of labd, in non-blocking mode. NULL: it failed;
 * `problem` says why. */
PGconn *wire_open(const char *conninfo, char *problem, size_t problem_size);

/* Sends what is unsent and waits for the last result of what was sent (the first error,
 * where there was one). NULL: no answer in `seconds` (0: no limit) or none at all; the
 * connection is good for nothing then. */
PGresult *wire_await(PGconn *link, int seconds);

/* Waits until `link` has something to read or `extra` (a descriptor or -1) is readable.
 * False at the deadline, a clock_ms() time; 0 for none. */
bool wire_wait(PGconn *link, short events, int extra, int64_t deadline);

/* Has the idle connection broken meanwhile? */
bool wire_broken(PGconn *link);

/* The meaning of an SQLSTATE, five characters or NULL. */
enum result wire_meaning(const char *sqlstate);

/* Runs a query; *result is the caller's to PQclear(). */
MUST_USE enum result db_execute(PGresult **result, struct db *db,
                                const struct query *query, struct db_params params);

/* Runs statements by the simple protocol; `result` as above. Never run again by itself.
 */
MUST_USE enum result db_command(PGresult **result, struct db *db, const char *name,
                                const char *sql, int seconds);

/* Tells the callback of db_on_write(). */
void db_wrote(uint64_t tables);

/* Closes the connection; the next use opens another. */
void db_drop(struct db *db);

#endif
