/* BEGIN, the work, and COMMIT or ROLLBACK; what the server says of the COMMIT is checked,
 * for it answers even a failed one without an error. */
#include "db/transaction.h"

#include "db/wire.h"
#include "server/base/log.h"

#include <string.h>

static enum result begin(struct db *db)
{
    PGresult *result;
    enum result outcome = db_command(&result, db, "begin", "begin", WIRE_ANSWER_SECONDS);
    if (outcome != OK && db->link == NULL)
        outcome = db_command(&result, db, "begin", "begin", WIRE_ANSWER_SECONDS);
    TRY(outcome);
    PQclear(result);
    db->in_transaction = true;
    db->broken = OK;
    db->written = 0;
    return OK;
}

/* What broke stays told: a rollback that works has nothing to say. */
static void roll_back(struct db *db)
{
    PGresult *result;
    char constraint[sizeof db->constraint];
    if (db->link == NULL)
        return;
    memcpy(constraint, db->constraint, sizeof constraint);
    if (db_command(&result, db, "rollback", "rollback", WIRE_ANSWER_SECONDS) == OK)
        PQclear(result);
    else
        db_drop(db);
    memcpy(db->constraint, constraint, sizeof constraint);
}

static enum result commit(struct db *db)
{
    PGresult *result;
    enum result outcome =
        db_command(&result, db, "commit", "commit", WIRE_ANSWER_SECONDS);
    if (outcome == OK) {
        if (strcmp(PQcmdStatus(result), "COMMIT") != 0) {
            log_error("db.rolled_back", "reason", "commit of a failed transaction");
            outcome = FAILED;
        } else if (db->unconfirmed) {
            log_error("db.unconfirmed", "reason", "no replica confirmed the commit");
            outcome = BUSY;
        }
        PQclear(result);
    } else if (db->link == NULL) {
        log_error("db.unconfirmed", "reason", "the answer to the commit got lost");
    }
    if (outcome == OK || outcome == BUSY)
        db_wrote(db->written);
    return outcome;
}

enum result db_transaction(struct db *db, enum result (*work)(struct db *db, void *data),
                           void *data)
{
    if (db->in_transaction) {
        log_error("db.misuse", "reason", "a transaction within a transaction");
        db->broken = FAILED;
        return FAILED;
    }
    TRY(begin(db));
    enum result outcome = work(db, data);
    if (outcome == OK)
        outcome = db->broken;
    if (outcome == OK)
        outcome = commit(db);
    else
        roll_back(db);
    db->in_transaction = false;
    return outcome;
}
