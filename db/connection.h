/* One connection to PostgreSQL and the queries run over it.
 *
 * A struct db belongs to one thread at a time; each worker owns one. It connects at first
 * use, and again after the database was away. While it is away every call returns BUSY at
 * once but one, now and then, that tries to connect.
 *
 * What happens when a connection breaks under a query: a query that writes nothing,
 * outside a transaction, is run once more on a fresh connection; any other returns BUSY,
 * because it may have been carried out.
 *
 * Results by SQLSTATE: unique and exclusion violations are CONFLICT; other broken
 * constraints and unfit data INVALID; deadlocks, time limits and exhausted resources
 * BUSY; anything else FAILED. Each is logged once, with the query's name, never with
 * values. */
#ifndef LABD_DB_CONNECTION_H
#define LABD_DB_CONNECTION_H

#include "db/query.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct db {
    uint64_t reads;      /* bits of the tables read since db_reads_reset() */
    char constraint[64]; /* the one that the last CONFLICT or INVALID broke, or "" */
    char problem[512];   /* the last failure in the database's words: for the command line
                            alone, it may quote values */

    const char *peer; /* the client that is being served, for the events; or NULL */

    /* The rest is for db/ alone. */
    char *conninfo;
    struct pg_conn *link; /* NULL: not connected */
    struct kept *kept;
    const struct query **prepared;
    size_t prepared_count, prepared_slots;
    uint64_t written;   /* by the running transaction */
    enum result broken; /* why the running transaction can't be committed */
    bool in_transaction, public_only, unconfirmed;
};

/* `conninfo` is what libpq takes: "host=/run/... dbname=labd" or a postgresql:// URI. */
struct db *db_new(const char *conninfo);
void db_free(struct db *db); /* NULL is allowed */

/* Connects now, unless connected. BUSY: no connection; `problem` says why. */
MUST_USE enum result db_connect(struct db *db);

/* The connection string: the option `database` or else the file "database" that
 * deploy/local-database left in the folder `var`. It stays valid until the next call.
 * NOT_FOUND: neither is there. */
MUST_USE enum result db_find(const char **conninfo);

void db_reads_reset(struct db *db);

/* While on, a query whose name does not begin with "public_" is refused (FAILED), so that
 * a visitor's page can't read beyond the public views. */
void db_public_only(struct db *db, bool on);

/* The callback that hears which tables a committed change wrote, before db_run() or
 * db_transaction() returns. One for the program; set before threads start. */
void db_on_write(void (*callback)(uint64_t tables));

/* The text of each parameter, NULL for SQL's null. */
struct db_params {
    int count;
    const char *const *texts;
};

/* db_rows(json_t **rows, struct db *, const struct query *, const char *parameter...)
 * gives an array of documents, db_row() one document: NOT_FOUND when there is no row,
 * FAILED when there are several. db_run() gives the number of rows changed or returned;
 * `affected` may be NULL. The documents live in the thread's current arena.
 *
 * Columns become keys. By the column's type: boolean; integers as integer; float as real;
 * numeric as integer where it is one that fits, else as real; json and jsonb nested;
 * timestamps as ISO 8601 text, with T and, where they have a zone, in UTC with Z; NULL as
 * null; all else, and NaN and infinities, as PostgreSQL's text. */
#define db_rows(rows, db, ...)                                                           \
    db_rows_of((rows), (db), DB_QUERY(__VA_ARGS__, NULL), DB_PARAMS(__VA_ARGS__, NULL))
#define db_row(row, db, ...)                                                             \
    db_row_of((row), (db), DB_QUERY(__VA_ARGS__, NULL), DB_PARAMS(__VA_ARGS__, NULL))
#define db_run(affected, db, ...)                                                        \
    db_run_of((affected), (db), DB_QUERY(__VA_ARGS__, NULL), DB_PARAMS(__VA_ARGS__, NULL))

/* The NULL that the macros above append makes the list non-empty; it is not counted. */
#define DB_QUERY(query, ...) (query)
#define DB_PARAMS(query, ...)                                                            \
    ((struct db_params){                                                                 \
        (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)) - 1,    \
        (const char *const[]){__VA_ARGS__}})

MUST_USE enum result db_rows_of(json_t **rows, struct db *db, const struct query *query,
                                struct db_params params);
MUST_USE enum result db_row_of(json_t **row, struct db *db, const struct query *query,
                               struct db_params params);
MUST_USE enum result db_run_of(int64_t *affected, struct db *db,
                               const struct query *query, struct db_params params);

/* Runs statements of our own without parameters and without a time limit; outside a
 * transaction all of them are one. `name` is for the log. */
MUST_USE enum result db_script(struct db *db, const char *name, const char *sql);

#endif
