/* Small things that the stores share, and what writes with them in one transaction. */
#ifndef LABD_DB_STORE_JOIN_H
#define LABD_DB_STORE_JOIN_H

#include "db/transaction.h"
#include "server/base/buf.h"
#include "server/base/document.h"

/* A number as a parameter; 0 is SQL's null. */
#define ID(number) ((number) == 0 ? NULL : NUM(number))

/* Does the work in the transaction that is open, else in one of its own. */
MUST_USE static inline enum result
db_join(struct db *db, enum result (*work)(struct db *db, void *data), void *data)
{
    return db->in_transaction ? work(db, data) : db_transaction(db, work, data);
}

#endif
