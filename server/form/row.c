/* CSV: headings to fields, and a row to a submission. */
#include "server/base/buf.h"
#include "server/base/utf8.h"
#include "server/form/reader.h"
#include "server/form/value.h"

#include <string.h>

/* Letters and digits alone, folded: "E-mail （必填）" → "email必填". `whole`: also what
 * stands in brackets. */
static const char *heading_key(struct arena *arena, const char *text, bool whole)
{
    const char *folded = utf8_fold(arena, text, strlen(text));
    struct buf key = buf_on(arena);
    size_t length = strlen(folded);
    size_t size;
    for (size_t at = 0; at < length && (whole || folded[at] != '('); at += size) {
        int32_t code = utf8_next(folded + at, length - at, &size);
        bool letter =
            code < 0x80
                ? (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z')
                : (code < 0x2000 || code > 0x206F) && (code < 0x3000 || code > 0x3004);
        if (letter)
            buf_append(&key, folded + at, size);
    }
    return key.data;
}

static bool heading_means(struct arena *arena, const struct field *field, const char *key)
{
    if (key[0] == '\0')
        return false;
    if (strcmp(heading_key(arena, field->name, true), key) == 0)
        return true;
    for (size_t i = 0; i < LANGUAGE_COUNT; i++)
        if (field->label.text[i] != NULL &&
            strcmp(heading_key(arena, field->label.text[i], true), key) == 0)
            return true;
    for (size_t i = 0; i < field->columns.count; i++)
        if (strcmp(heading_key(arena, field->columns.items[i], true), key) == 0)
            return true;
    return false;
}

static bool fits_cell(const struct reader *reader, const struct field *field)
{
    return field->type != FIELD_GROUP && field->type != FIELD_RECORD &&
           field->type != FIELD_FILE && reader_accepts(reader, field);
}

static const struct field *heading_field(const struct reader *reader, const char *heading)
{
    for (int whole = 1; whole >= 0; whole--) {
        const char *key = heading_key(reader->arena, heading, whole);
        for (size_t i = 0; i < reader->form->field_count; i++) {
            const struct field *field = &reader->form->fields[i];
            if (fits_cell(reader, field) && heading_means(reader->arena, field, key))
                return field;
        }
    }
    return NULL;
}

struct columns form_columns(const struct form *form, json_t *headings,
                            enum form_audience audience)
{
    struct reader reader = reader_for(form, FROM_ROW, audience);
    struct columns columns = {.form = form,
                              .count = json_array_size(headings),
                              .unknown = json_array(),
                              .repeated = json_array()};
    columns.fields = ARENA_ARRAY(reader.arena, const struct field *, columns.count + 1);
    for (size_t i = 0; i < columns.count; i++) {
        json_t *heading = json_array_get(headings, i);
        const char *text = json_string_value(heading);
        if (text == NULL || !utf8_valid(text, strlen(text)))
            continue;
        const struct field *field = heading_field(&reader, text);
        bool taken = false;
        for (size_t j = 0; j < i && field != NULL; j++)
            taken |= columns.fields[j] == field;
        if (field == NULL && value_trim(reader.arena, text, strlen(text))[0] != '\0')
            json_array_append(columns.unknown, heading);
        else if (taken)
            json_array_append(columns.repeated, heading);
        else
            columns.fields[i] = field;
        columns.known += columns.fields[i] != NULL;
    }
    return columns;
}

struct columns form_columns_named(const struct form *form, json_t *names,
                                  enum form_audience audience)
{
    struct reader reader = reader_for(form, FROM_ROW, audience);
    struct columns columns = {.form = form,
                              .count = json_array_size(names),
                              .unknown = json_array(),
                              .repeated = json_array()};
    columns.fields = ARENA_ARRAY(reader.arena, const struct field *, columns.count + 1);
    for (size_t i = 0; i < columns.count; i++) {
        json_t *name = json_array_get(names, i);
        const struct field *field =
            field_named(form->fields, form->field_count, json_string_value(name));
        bool taken = field == NULL || !fits_cell(&reader, field);
        for (size_t j = 0; j < i && !taken; j++)
            taken = columns.fields[j] == field;
        columns.fields[i] = taken ? NULL : field;
        columns.known += !taken;
    }
    return columns;
}

enum result form_read_row(struct submission *out, const struct columns *columns,
                          json_t *cells, enum form_audience audience)
{
    struct reader reader = reader_for(columns->form, FROM_ROW, audience);
    json_t *typed = json_object();
    size_t index;
    json_t *cell;
    json_array_foreach(cells, index, cell)
    {
        if (index < columns->count && columns->fields[index] != NULL)
            json_object_set(typed, columns->fields[index]->name, cell);
        else if (index >= columns->count && json_string_length(cell) > 0)
            reader_error(&reader, "", NUM((long long)index + 1), "extra_cell");
    }
    return reader_run(out, &reader, typed);
}
