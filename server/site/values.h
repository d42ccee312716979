/* Values of a form's document as a person reads them. */
#ifndef LABD_SITE_VALUES_H
#define LABD_SITE_VALUES_H

#include "server/form/definition.h"
#include "server/http/request.h"

/* A field's value as text; "" when it is empty. Rows of a group stand one a line. */
const char *value_text(const struct request *request, const struct field *field,
                       const json_t *value);

/* The label of a top-level field; its name where the form does not have it. */
const char *field_label(const struct request *request, const struct form *form,
                        const char *name);

/* From change_differences(): [{field, label, before: [{text, changed}], after: [...],
 * photo: is it one? photo_before, photo_after: tokens or null}].
 * Fields that the form does not have are left out, and admins' own to everybody else;
 * of who sees what, only what differs is told. */
json_t *difference_rows(const struct request *request, const struct form *form,
                        const json_t *differences);

#endif
