/* What exports read, piece by piece within one transaction. */
#ifndef LABD_DB_STORE_EXPORT_H
#define LABD_DB_STORE_EXPORT_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* Runs work(db, data) in a transaction that sees one moment and writes nothing. */
MUST_USE enum result
export_run(struct db *db, enum result (*work)(struct db *db, void *data), void *data);

/* [{id, document, source: "submitted" | "returned" | "approved"}] of invitations, in the
 * order of `ids`: what was sent in last, drafts left out; with `approved` what was
 * approved last. Both null when there is none. */
MUST_USE enum result export_answers(json_t **answers, struct db *db, json_t *ids,
                                    bool approved);

/* [{id, slug, account_email, account_language, document (person.h)}]: those behind the
 * person `after`, by id. */
MUST_USE enum result export_people(json_t **people, struct db *db, int64_t after,
                                   int limit);

#endif
