/* Collecting the fields of a form; see form_fields.h. */
#include "server/http/form_fields.h"

#include "server/base/utf8.h"
#include "server/http/body.h"

#include <string.h>

int form_fields_add(struct form_fields *fields, const char *name, size_t name_length,
                    json_t *value)
{
    if (++fields->count > BODY_FIELDS_MAX || name_length > BODY_NAME_MAX)
        return 413;
    if (name_length == 0 || memchr(name, '\0', name_length) != NULL ||
        !utf8_valid(name, name_length))
        return 400;
    json_t *values = json_object_getn(fields->fields, name, name_length);
    if (values == NULL) {
        values = json_array();
        json_object_setn_new(fields->fields, name, name_length, values);
    }
    json_array_append_new(values, value);
    return 0;
}

int form_fields_text(struct form_fields *fields, const char *name, size_t name_length,
                     const char *text, size_t length)
{
    fields->value_bytes += length;
    if (fields->value_bytes > BODY_VALUES_MAX)
        return 413;
    if (!utf8_valid(text, length))
        return 400;
    return form_fields_add(fields, name, name_length, json_stringn(text, length));
}
