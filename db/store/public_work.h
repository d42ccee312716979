/* Where a work is that is no longer where it was. */
#ifndef LABD_DB_STORE_PUBLIC_WORK_H
#define LABD_DB_STORE_PUBLIC_WORK_H

#include "server/base/result.h"

#include <jansson.h>

struct db;

/* The slug of the work that had this one before, or that this one was merged into;
 * NOT_FOUND: nothing ever stood there. */
MUST_USE enum result public_work_leads_to(const char **slug, struct db *db,
                                          const char *former);

#endif
