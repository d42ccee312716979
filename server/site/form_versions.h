/* Published forms, compiled: what people answer. */
#ifndef LABD_SITE_FORM_VERSIONS_H
#define LABD_SITE_FORM_VERSIONS_H

#include "server/form/definition.h"
#include "server/http/request.h"

struct db;

/* The form of form_version.id, which stays valid until the program ends: a version never
 * changes. Safe from any thread. FAILED: its definition is not one that this program
 * reads; logged. */
MUST_USE enum result form_version_get(const struct form **form, struct db *db,
                                      int64_t id);

/* The form that a change's document follows: of an "answer" the version of its
 * invitation, of any other entity the installation's form of that name. `change` has
 * entity and target_id. */
MUST_USE enum result change_form(const struct form **form, struct request *request,
                                 const json_t *change);

#endif
