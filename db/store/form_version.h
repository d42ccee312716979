/* Published forms: the definition that people answer. A version never changes. */
#ifndef LABD_DB_STORE_FORM_VERSION_H
#define LABD_DB_STORE_FORM_VERSION_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdint.h>

struct db;

/* {id, collection_id, number, definition, published_at} */
MUST_USE enum result form_version_read(json_t **version, struct db *db, int64_t id);
/* The version that an invitation's answer follows now. */
MUST_USE enum result form_version_asked(int64_t *id, struct db *db, int64_t invitation);
/* All of a collection, newest first: [{id, number, definition, published_at,
 * published_by_email, waves, people}]; `people`: how many answer it now. */
MUST_USE enum result form_version_list(json_t **versions, struct db *db,
                                       int64_t collection);

/* The form that is being written, as it was: {version, definition, until}. The last
 * hundred are kept. */
MUST_USE enum result form_draft_read(json_t **draft, struct db *db, int64_t collection,
                                     int64_t version);
/* Fields that were taken out of it, outside of groups: [{name, version (of the newest
 * draft that has it), label_en, label_zh}]. */
MUST_USE enum result form_draft_list_removed(json_t **fields, struct db *db,
                                             int64_t collection);

#endif
