/* Connections that mend themselves, queries prepared at first use, and what became of
 * each; see connection.h. */
#include "db/connection.h"

#include "db/kept.h"
#include "db/wire.h"
#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/config.h"
#include "server/base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAUSE_LEAST = 50, PAUSE_MOST = 1000 }; /* ms between tries to connect */

/* Known to the whole process, so that not every worker waits for a dead host in turn. */
static struct {
    pthread_mutex_t lock;
    int64_t pause, retry_at; /* pause 0: the database is there */
    bool trying;
} outage = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void (*on_write)(uint64_t tables);

void db_on_write(void (*callback)(uint64_t tables))
{
    on_write = callback;
}

void db_wrote(uint64_t tables)
{
    if (tables == 0)
        return;
    kept_changed(tables);
    if (on_write != NULL)
        on_write(tables);
}

struct db *db_new(const char *conninfo)
{
    struct db *db = calloc(1, sizeof *db);
    if (db == NULL || (db->conninfo = strdup(conninfo)) == NULL)
        abort();
    return db;
}

void db_free(struct db *db)
{
    if (db == NULL)
        return;
    db_drop(db);
    kept_free(db);
    free(db->prepared);
    free(db->conninfo);
    free(db);
}

void db_drop(struct db *db)
{
    if (db->link != NULL)
        PQfinish(db->link);
    db->link = NULL;
    db->prepared_count = 0;
    if (db->prepared != NULL)
        memset(db->prepared, 0, db->prepared_slots * sizeof(struct query *));
}

void db_reads_reset(struct db *db)
{
    db->reads = 0;
}

void db_public_only(struct db *db, bool on)
{
    db->public_only = on;
}

enum result db_find(const char **conninfo)
{
    static _Thread_local char text[1024];
    char path[4096];
    *conninfo = config.database;
    if (config.database != NULL && config.database[0] != '\0')
        return OK;
    snprintf(path, sizeof path, "%s/database", config.var);
    FILE *file = fopen(path, "re");
    if (file == NULL && errno == ENOENT)
        return NOT_FOUND;
    bool read = file != NULL && fgets(text, sizeof text, file) != NULL;
    if (file != NULL)
        (void)fclose(file);
    if (!read) {
        log_error("db.find", "file", path, "reason", "can't be read");
        return FAILED;
    }
    text[strcspn(text, "\n")] = '\0';
    *conninfo = text;
    return OK;
}

/* A replica that did not confirm a commit is told as a warning, not as an error. */
static void notice(void *data, const PGresult *notice)
{
    struct db *db = data;
    const char *state = PQresultErrorField(notice, PG_DIAG_SQLSTATE);
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity == NULL || strcmp(severity, "NOTICE") == 0)
        return;
    if (state != NULL && strcmp(state, "01000") == 0)
        db->unconfirmed = true;
    log_warning("db.notice", "sqlstate", state, "message",
                PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY));
}

static bool may_try(void)
{
    pthread_mutex_lock(&outage.lock);
    bool may = outage.pause == 0 || (!outage.trying && clock_ms() >= outage.retry_at);
    if (may)
        outage.trying = true;
    pthread_mutex_unlock(&outage.lock);
    return may;
}

static void tried(bool connected)
{
    pthread_mutex_lock(&outage.lock);
    outage.trying = false;
    if (connected)
        outage.pause = 0;
    else if (outage.pause == 0)
        outage.pause = PAUSE_LEAST;
    else
        outage.pause = outage.pause * 2 < PAUSE_MOST ? outage.pause * 2 : PAUSE_MOST;
    outage.retry_at = clock_ms() + outage.pause;
    pthread_mutex_unlock(&outage.lock);
}

enum result db_connect(struct db *db)
{
    if (db->link != NULL && !db->in_transaction && wire_broken(db->link))
        db_drop(db);
    if (db->link != NULL)
        return OK;
    if (!may_try())
        return BUSY;
    db->link = wire_open(db->conninfo, db->problem, sizeof db->problem);
    tried(db->link != NULL);
    if (db->link == NULL) {
        log_error("db.connect", "reason", db->problem);
        return BUSY;
    }
    PQsetNoticeReceiver(db->link, notice, db);
    return OK;
}

static void log_fault(enum result outcome, const char *name, const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *constraint = PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
    const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    /* "invalid input syntax for type date: ..." goes on with the value. */
    if (state != NULL && strncmp(state, "22", 2) == 0)
        message = "(data exception)";
    log_write(outcome == FAILED || outcome == INVALID ? LOG_ERROR : LOG_WARNING,
              "db.refused", "query", name, "result", result_name(outcome), "sqlstate",
              state, "constraint", constraint, "message", message, NULL);
}

/* What `result` means; logs and remembers a fault. Drops a connection of no more use. */
static enum result judge(struct db *db, const char *name, const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    db->constraint[0] = '\0';
    if (result != NULL && (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK))
        return OK;
    if (result == NULL || PQstatus(db->link) == CONNECTION_BAD) {
        snprintf(db->problem, sizeof db->problem, "the connection to the database broke");
        log_warning("db.lost", "query", name);
        db_drop(db);
        return BUSY;
    }
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *constraint = PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
    enum result outcome = wire_meaning(state);
    snprintf(db->problem, sizeof db->problem, "%s", PQresultErrorMessage(result));
    snprintf(db->constraint, sizeof db->constraint, "%s", constraint ? constraint : "");
    log_fault(outcome, name, result);
    if (state != NULL && (strcmp(state, "0A000") == 0 || strcmp(state, "26000") == 0))
        db_drop(db);
    return outcome;
}

/* Waits for what was sent and judges it; *result is set when OK. */
static enum result answer(PGresult **result, struct db *db, const char *name, int sent,
                          int seconds)
{
    PGresult *got = sent == 1 ? wire_await(db->link, seconds) : NULL;
    enum result outcome = judge(db, name, got);
    if (outcome == OK)
        *result = got;
    else
        PQclear(got);
    return outcome;
}

/* The slot that holds `query`, or the empty one where it belongs. */
static const struct query **slot(const struct query **slots, size_t count,
                                 const struct query *query)
{
    size_t i = ((uintptr_t)query >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
    for (;; i++)
        if (slots[i % count] == NULL || slots[i % count] == query)
            return &slots[i % count];
}

static void remember(struct db *db, const struct query *query)
{
    if (db->prepared_count * 2 >= db->prepared_slots) {
        size_t count = db->prepared_slots == 0 ? 256 : db->prepared_slots * 2;
        const struct query **larger = calloc(count, sizeof(struct query *));
        if (larger == NULL)
            abort();
        for (size_t i = 0; i < db->prepared_slots; i++)
            if (db->prepared[i] != NULL)
                *slot(larger, count, db->prepared[i]) = db->prepared[i];
        free(db->prepared);
        db->prepared = larger;
        db->prepared_slots = count;
    }
    *slot(db->prepared, db->prepared_slots, query) = query;
    db->prepared_count++;
}

static enum result prepare(struct db *db, const struct query *query)
{
    PGresult *result;
    if (db->prepared_slots > 0 && *slot(db->prepared, db->prepared_slots, query) == query)
        return OK;
    int sent = PQsendPrepare(db->link, query->name, query->sql, 0, NULL);
    TRY(answer(&result, db, query->name, sent, WIRE_ANSWER_SECONDS));
    PQclear(result);
    remember(db, query);
    return OK;
}

static enum result attempt(PGresult **result, struct db *db, const struct query *query,
                           struct db_params params)
{
    TRY(db_connect(db));
    TRY(prepare(db, query));
    int sent = PQsendQueryPrepared(db->link, query->name, params.count, params.texts,
                                   NULL, NULL, 0);
    return answer(result, db, query->name, sent, WIRE_ANSWER_SECONDS);
}

static enum result permitted(const struct db *db, const struct query *query, int count)
{
    const char *reason = NULL;
    if (count != query->params)
        reason = "wrong number of parameters";
    else if (db->public_only && strncmp(query->name, "public_", 7) != 0)
        reason = "not a public query";
    if (reason == NULL)
        return OK;
    log_error("db.misuse", "query", query->name, "reason", reason, "parameters",
              NUM(count));
    return FAILED;
}

enum result db_execute(PGresult **result, struct db *db, const struct query *query,
                       struct db_params params)
{
    if (db->in_transaction && db->broken != OK)
        return db->broken;
    enum result outcome = permitted(db, query, params.count);
    PGresult *kept = outcome == OK ? kept_take(db, query) : NULL;
    if (kept != NULL) {
        *result = kept;
    } else if (outcome == OK) {
        uint64_t moment = kept_moment();
        outcome = attempt(result, db, query, params);
        if (outcome != OK && db->link == NULL && !db->in_transaction &&
            query->writes == 0)
            outcome = attempt(result, db, query, params);
        if (outcome == OK)
            kept_put(db, query, *result, moment);
    }
    if (outcome == OK)
        db->reads |= query->reads;
    if (db->in_transaction) {
        db->broken = outcome;
        db->written |= query->writes;
    } else if (outcome == OK || db->link == NULL) {
        db_wrote(query->writes); /* an answer that got lost counts as written */
    }
    return outcome;
}

enum result db_command(PGresult **result, struct db *db, const char *name,
                       const char *sql, int seconds)
{
    if (db->in_transaction && db->link == NULL)
        return BUSY;
    TRY(db_connect(db));
    db->unconfirmed = false;
    return answer(result, db, name, PQsendQuery(db->link, sql), seconds);
}

enum result db_script(struct db *db, const char *name, const char *sql)
{
    PGresult *result;
    if (db->in_transaction && db->broken != OK)
        return db->broken;
    enum result outcome = db_command(&result, db, name, sql, 0);
    if (db->in_transaction)
        db->broken = outcome;
    if (outcome == OK)
        PQclear(result);
    return outcome;
}
