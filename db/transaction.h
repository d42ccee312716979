/* Transactions that can't be forgotten open: the work is a function. */
#ifndef LABD_DB_TRANSACTION_H
#define LABD_DB_TRANSACTION_H

#include "db/connection.h"

/* Runs work(db, data) between BEGIN and COMMIT. Anything but OK from it, or from any
 * query in it (even one whose result it ignored), rolls everything back and is returned.
 * BUSY when the commit was not confirmed: it may have happened. FAILED when called within
 * a transaction. After a commit the db_on_write() callback has been told. */
MUST_USE enum result
db_transaction(struct db *db, enum result (*work)(struct db *db, void *data), void *data);

#endif
