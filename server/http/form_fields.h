/* Where the two form parsers put fields: request->fields, within the limits of body.h. */
#ifndef LABD_HTTP_FORM_FIELDS_H
#define LABD_HTTP_FORM_FIELDS_H

#include "server/http/request.h"

struct form_fields {
    json_t *fields; /* {"name": [value, ...]} */
    int count;
    size_t value_bytes;
};

/* Adds a value, which json_t it takes, to those of `name`. 0, or 400, 413. */
int form_fields_add(struct form_fields *fields, const char *name, size_t name_length,
                    json_t *value);
/* A text, which must be UTF-8. */
int form_fields_text(struct form_fields *fields, const char *name, size_t name_length,
                     const char *text, size_t length);

#endif
