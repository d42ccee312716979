/* The JSON Schema (2020-12) of the documents that form_read_document() accepts: a
 * document that passes it may still break a rule that a schema can't say (check digits,
 * dates in order, show_if). The reader forgives a little more than the schema, such as
 * spaces at the ends or "" for null. */
#ifndef LABD_FORM_SCHEMA_H
#define LABD_FORM_SCHEMA_H

#include "server/form/definition.h"

json_t *form_schema(const struct form *form, enum form_audience audience,
                    enum language language);

#endif
