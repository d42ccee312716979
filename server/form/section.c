/* Sections as forms of their own, and documents that hold what is not right yet. */
#include "server/form/section.h"

#include "server/base/utf8.h"
#include "server/form/reader.h"

#include <string.h>

enum { TYPED_BYTES_MAX = 64 * 1024 };

static bool in_section(const struct form *form, const struct section *section,
                       const char *name)
{
    const struct field *field =
        field_named(form->fields + section->first, section->count, name);
    return field != NULL && !field->admin;
}

/* Of the record of who sees what, the choices of these fields. */
static bool visibility_of(struct field *record, const struct form *form,
                          const struct field *fields, size_t count)
{
    const struct field *whole =
        field_named(form->fields, form->field_count, "visibility");
    if (whole == NULL || whole->type != FIELD_RECORD)
        return false;
    *record = *whole;
    record->fields = ARENA_ARRAY(arena_current(), struct field, whole->field_count + 1);
    record->field_count = 0;
    for (size_t i = 0; i < whole->field_count; i++)
        for (size_t j = 0; j < count; j++)
            if (fields[j].visibility != NULL &&
                strcmp(fields[j].visibility, whole->fields[i].name) == 0) {
                record->fields[record->field_count++] = whole->fields[i];
                break;
            }
    return record->field_count > 0;
}

const struct form *form_section(const struct form *form, size_t number, json_t *document)
{
    struct arena *arena = arena_current();
    const struct section *section = &form->sections[number];
    struct form *part = ARENA_ARRAY(arena, struct form, 1);
    *part = *form;
    part->sections = ARENA_ARRAY(arena, struct section, 1);
    part->sections[0] = *section;
    part->section_count = 1;
    part->fields = ARENA_ARRAY(arena, struct field, section->count + 1);
    part->field_count = 0;
    part->require_one_of_count = 0;
    for (size_t i = section->first; i < section->first + section->count; i++) {
        if (form->fields[i].admin)
            continue;
        struct field *field = &part->fields[part->field_count];
        *field = form->fields[i];
        bool elsewhere =
            field->show_field != NULL && !in_section(form, section, field->show_field);
        if (elsewhere && !form_shows(field, document))
            continue;
        if (elsewhere)
            field->show_field = NULL;
        if (field->not_before != NULL && !in_section(form, section, field->not_before))
            field->not_before = NULL;
        part->field_count++;
    }
    part->sections[0].first = 0;
    part->sections[0].count = part->field_count;
    struct field record;
    if (visibility_of(&record, form, part->fields, part->field_count))
        part->fields[part->field_count++] = record;
    return part;
}

int form_section_of(const struct form *form, const char *path)
{
    size_t length = strcspn(path, ".");
    bool record = length == strlen("visibility") && strncmp(path, "visibility.", 11) == 0;
    const char *name = arena_copy(arena_current(), path, length);
    for (size_t i = 0; i < form->section_count; i++) {
        const struct section *section = &form->sections[i];
        for (size_t j = section->first; j < section->first + section->count; j++) {
            const struct field *field = &form->fields[j];
            bool sees = record && field->visibility != NULL &&
                        strcmp(field->visibility, path + 11) == 0;
            if (sees || strcmp(field->name, name) == 0)
                return (int)i;
        }
    }
    return -1;
}

bool form_asks(const struct field *field, json_t *document, enum form_audience audience)
{
    return !field->hidden && (!field->admin || audience == FOR_ADMIN) &&
           field->type != FIELD_RECORD && form_shows(field, document);
}

/* May it be stored as it was typed? */
static bool storable(json_t *value, size_t *bytes)
{
    const char *key;
    size_t index;
    json_t *child;
    if (json_is_string(value)) {
        const char *text = json_string_value(value);
        size_t length = json_string_length(value);
        *bytes += length;
        if (*bytes > TYPED_BYTES_MAX || strlen(text) != length ||
            !utf8_valid(text, length))
            return false;
        for (size_t i = 0; i < length; i++)
            if ((unsigned char)text[i] < ' ' && strchr("\t\n\r", text[i]) == NULL)
                return false;
        return true;
    }
    json_array_foreach(value, index, child) if (!storable(child, bytes)) return false;
    json_object_foreach(value, key, child) if (!storable(child, bytes)) return false;
    return true;
}

static bool faulty(const struct field *field, json_t *errors)
{
    size_t index, length = strlen(field->name);
    json_t *error;
    json_array_foreach(errors, index, error)
    {
        const char *path = json_string_value(json_object_get(error, "field"));
        if (path != NULL && strncmp(path, field->name, length) == 0 &&
            (path[length] == '.' || path[length] == '\0'))
            return true;
    }
    return false;
}

json_t *form_draft(const struct form *section, const struct submission *submission,
                   json_t *before)
{
    json_t *draft = json_object();
    for (size_t i = 0; i < section->field_count; i++) {
        const struct field *field = &section->fields[i];
        json_t *value = json_object_get(submission->document, field->name);
        json_t *typed = json_object_get(submission->typed, field->name);
        size_t bytes = 0;
        if (faulty(field, submission->errors) && typed != NULL)
            value = field->type != FIELD_RECORD && storable(typed, &bytes)
                        ? typed
                        : json_object_get(before, field->name);
        if (value != NULL)
            json_object_set(draft, field->name, value);
    }
    return draft;
}

enum result form_read_draft(struct submission *out, const struct form *form,
                            json_t *document, enum form_audience audience)
{
    struct reader reader = reader_for(form, FROM_DOCUMENT, audience);
    reader.typed = true;
    json_t *known = json_object();
    for (size_t i = 0; i < form->field_count; i++) {
        const struct field *field = &form->fields[i];
        json_t *value = json_object_get(document, field->name), *choice;
        const char *key;
        if (value == NULL || !reader_accepts(&reader, field))
            continue;
        if (field->type == FIELD_RECORD && json_is_object(value)) {
            json_t *choices = json_object();
            json_object_foreach(value, key, choice)
            {
                if (field_named(field->fields, field->field_count, key) != NULL)
                    json_object_set(choices, key, choice);
            }
            value = choices;
        }
        json_object_set(known, field->name, value);
    }
    return reader_run(out, &reader, known);
}
