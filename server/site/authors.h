/* What only the store can find wrong in a work's authors. */
#ifndef LABD_SITE_AUTHORS_H
#define LABD_SITE_AUTHORS_H

#include "server/base/result.h"
#include "server/form/submission.h"

struct db;

/* INVALID, with an error at each author whose `person` is nobody here. For documents of
 * entities without authors: OK. */
MUST_USE enum result authors_check(struct submission *submission, struct db *db);

#endif
