/* The walk over a definition, and its three inputs. HTML fields and CSV rows are first
 * given the shape of a document (strings at its leaves); after that all inputs go one
 * way. */
#include "server/form/submission.h"

#include "server/form/reader.h"
#include "server/form/value.h"

#include <string.h>

enum { ERRORS_MAX = 100, LABEL_MAX = 60 };

bool reader_accepts(const struct reader *reader, const struct field *field)
{
    return (!field->admin || reader->audience == FOR_ADMIN) &&
           (!field->hidden || reader->source == FROM_DOCUMENT);
}

json_t *reader_error(struct reader *reader, const char *prefix, const char *name,
                     const char *code)
{
    const char *path = arena_print(reader->arena, "%s%s", prefix, name);
    path = value_printable(reader->arena, path, strlen(path), LABEL_MAX, false);
    json_t *error = json_pack("{s:s, s:s}", "field", path, "code", code);
    if (json_array_size(reader->errors) < ERRORS_MAX)
        json_array_append_new(reader->errors, error);
    return error;
}

static json_t *read_scope(struct reader *reader, const struct field *fields, size_t count,
                          json_t *input, const char *prefix);

bool form_shows(const struct field *field, json_t *scope)
{
    if (field->show_field == NULL)
        return true;
    json_t *other = json_object_get(scope, field->show_field);
    if (other == NULL)
        return true;
    const char *value = json_string_value(other);
    if (json_is_boolean(other))
        value = json_is_true(other) ? "true" : "false";
    for (size_t i = 0; value != NULL && i < field->show_values.count; i++)
        if (strcmp(field->show_values.items[i], value) == 0)
            return true;
    return false;
}

json_t *reader_empty(const struct field *field)
{
    if (field->type == FIELD_GROUP || field->type == FIELD_MULTICHOICE)
        return json_array();
    if (field->type == FIELD_BOOLEAN)
        return json_false();
    if (field->type != FIELD_RECORD)
        return field->fallback != NULL ? json_string(field->fallback) : json_null();
    json_t *record = json_object();
    for (size_t i = 0; i < field->field_count; i++)
        json_object_set_new(record, field->fields[i].name,
                            reader_empty(&field->fields[i]));
    return record;
}

static json_t *wrong_type(struct reader *reader, const char *prefix, const char *name,
                          const char *expected)
{
    json_t *error = reader_error(reader, prefix, name, "type");
    json_object_set_new(error, "expected", json_string(expected));
    return NULL;
}

static json_t *read_group(struct reader *reader, const struct field *field,
                          const char *prefix, json_t *input)
{
    if (input == NULL || json_is_null(input))
        input = json_array();
    if (!json_is_array(input))
        return wrong_type(reader, prefix, field->name, "group");
    json_int_t count = (json_int_t)json_array_size(input);
    if (count > field->most || (count < field->least && count > 0)) {
        json_t *error = reader_error(reader, prefix, field->name,
                                     count > field->most ? "too_many" : "too_few");
        json_object_set_new(error, "min", json_integer(field->least));
        json_object_set_new(error, "max", json_integer(field->most));
        return NULL;
    }
    bool partial = reader->partial;
    reader->partial = false; /* a row is always whole */
    json_t *rows = json_array();
    size_t index;
    json_t *row;
    json_array_foreach(input, index, row)
    {
        const char *own =
            arena_print(reader->arena, "%s%s.%zu", prefix, field->name, index);
        if (!json_is_object(row))
            wrong_type(reader, own, "", "object");
        else
            json_array_append_new(
                rows, read_scope(reader, field->fields, field->field_count, row,
                                 arena_print(reader->arena, "%s.", own)));
    }
    reader->partial = partial;
    return rows;
}

static json_t *read_record(struct reader *reader, const struct field *field,
                           const char *prefix, json_t *input)
{
    if (input == NULL || json_is_null(input))
        input = json_object();
    if (!json_is_object(input))
        return wrong_type(reader, prefix, field->name, "object");
    return read_scope(reader, field->fields, field->field_count, input,
                      arena_print(reader->arena, "%s%s.", prefix, field->name));
}

static bool is_empty(json_t *value)
{
    return json_is_null(value) || json_is_false(value) ||
           (json_is_array(value) && json_array_size(value) == 0);
}

static json_t *read_field(struct reader *reader, const struct field *field,
                          const char *prefix, json_t *input, json_t *scope)
{
    if (!form_shows(field, scope))
        return reader_empty(field);
    json_t *value = NULL;
    if (field->type == FIELD_GROUP)
        value = read_group(reader, field, prefix, input);
    else if (field->type == FIELD_RECORD)
        value = read_record(reader, field, prefix, input);
    else
        value = reader_leaf(reader, field, prefix, input, scope);
    if (value == NULL)
        return json_null();
    if (is_empty(value) && field_needed(field))
        reader_error(reader, prefix, field->name, "required");
    const char *earlier =
        field->not_before != NULL
            ? json_string_value(json_object_get(scope, field->not_before))
            : NULL;
    if (earlier != NULL && json_is_string(value) &&
        strcmp(json_string_value(value), earlier) < 0) {
        json_t *error = reader_error(reader, prefix, field->name, "not_before");
        json_object_set_new(error, "other", json_pack("[s]", field->not_before));
    }
    return value;
}

static json_t *read_scope(struct reader *reader, const struct field *fields, size_t count,
                          json_t *input, const char *prefix)
{
    json_t *scope = json_object();
    for (size_t i = 0; i < count; i++) {
        const struct field *field = &fields[i];
        if (!reader_accepts(reader, field))
            continue;
        json_t *value = json_object_get(input, field->name);
        if (value == NULL && (reader->partial || field->hidden))
            continue;
        json_object_set(scope, field->name,
                        read_field(reader, field, prefix, value, scope));
    }
    const char *key;
    json_t *value;
    json_object_foreach(input, key, value)
    {
        const struct field *field = field_named(fields, count, key);
        if (field == NULL || !reader_accepts(reader, field))
            reader_error(reader, prefix, key, "unknown");
    }
    return scope;
}

static void check_one_of(struct reader *reader, json_t *document)
{
    for (size_t i = 0; i < reader->form->require_one_of_count; i++) {
        const struct strings *names = &reader->form->require_one_of[i];
        json_t *all = json_array();
        bool found = false;
        for (size_t j = 0; j < names->count; j++) {
            json_t *value = json_object_get(document, names->items[j]);
            /* Absent from a partial document: the merged whole is judged later. */
            found |= value == NULL ? reader->partial : !is_empty(value);
            json_array_append_new(all, json_string(names->items[j]));
        }
        if (!found)
            json_object_set_new(reader_error(reader, "", names->items[0], "one_of"),
                                "other", all);
    }
}

enum result reader_run(struct submission *out, struct reader *reader, json_t *typed)
{
    out->typed = typed;
    out->errors = reader->errors;
    out->document =
        read_scope(reader, reader->form->fields, reader->form->field_count, typed, "");
    if (json_array_size(reader->errors) == 0)
        check_one_of(reader, out->document);
    return json_array_size(reader->errors) == 0 ? OK : INVALID;
}

struct reader reader_for(const struct form *form, enum source source,
                         enum form_audience audience)
{
    return (struct reader){.form = form,
                           .source = source,
                           .audience = audience,
                           .arena = arena_current(),
                           .errors = json_array()};
}

enum result form_read_document(struct submission *out, const struct form *form,
                               json_t *document, enum form_audience audience,
                               bool partial)
{
    struct reader reader = reader_for(form, FROM_DOCUMENT, audience);
    reader.partial = partial;
    if (json_is_object(document))
        return reader_run(out, &reader, document);
    wrong_type(&reader, "", "", "object");
    *out = (struct submission){json_object(), reader.errors, json_object()};
    return INVALID;
}

void form_error(struct submission *submission, const char *field, const char *code)
{
    json_t *error = json_pack("{s:s?, s:s}", "field", field, "code", code);
    json_array_append_new(submission->errors, error);
}
