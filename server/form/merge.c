/* Documents made whole again with what their writer could not see, or sound again without
 * what is wrong in them; see submission.h. */
#include "server/form/reader.h"
#include "server/form/value.h"

#include <string.h>

/* The row of `base` whose first field is as in `row`; each is given once. */
static json_t *base_row(const struct field *group, json_t *base, json_t *row, bool *used)
{
    const char *name = group->fields[0].name;
    size_t index;
    json_t *candidate;
    json_array_foreach(base, index, candidate)
    {
        if (used[index] ||
            !json_equal(json_object_get(candidate, name), json_object_get(row, name)))
            continue;
        used[index] = true;
        return candidate;
    }
    return NULL;
}

static json_t *merge_scope(const struct field *fields, size_t count, json_t *base,
                           json_t *document);

static json_t *merge_group(const struct field *field, json_t *base, json_t *rows)
{
    bool *used = ARENA_ARRAY(arena_current(), bool, json_array_size(base) + 1);
    json_t *merged = json_array();
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        json_t *earlier = base_row(field, base, row, used);
        json_array_append_new(
            merged, merge_scope(field->fields, field->field_count, earlier, row));
    }
    return merged;
}

static json_t *merge_scope(const struct field *fields, size_t count, json_t *base,
                           json_t *document)
{
    json_t *merged = json_object();
    for (size_t i = 0; i < count; i++) {
        const struct field *field = &fields[i];
        json_t *earlier = json_object_get(base, field->name);
        json_t *value = json_object_get(document, field->name);
        if (value == NULL)
            value = earlier != NULL ? earlier : reader_empty(field);
        else if (field->type == FIELD_GROUP)
            value = merge_group(field, earlier, value);
        else if (field->type == FIELD_RECORD)
            value = merge_scope(field->fields, field->field_count, earlier, value);
        json_object_set(merged, field->name, value);
    }
    return merged;
}

json_t *form_merge(const struct form *form, json_t *base, json_t *document)
{
    return merge_scope(form->fields, form->field_count, base, document);
}

/* Marks in `faulty` (a copy of the document) what the error at `path` names: the value of
 * a field becomes null, a row false. */
static bool mark_fault(const struct form *form, json_t *faulty, const char *path)
{
    struct arena *arena = arena_current();
    size_t length = strcspn(path, ".");
    const char *name = arena_copy(arena, path, length);
    const struct field *field = field_named(form->fields, form->field_count, name);
    if (field == NULL)
        return json_object_del(faulty, name) == 0;
    if (field->type == FIELD_GROUP && path[length] == '.') {
        const char *row = path + length + 1;
        json_int_t index = -1;
        return value_integer(&index, arena_copy(arena, row, strcspn(row, "."))) &&
               index >= 0 &&
               json_array_set_new(json_object_get(faulty, name), (size_t)index,
                                  json_false()) == 0;
    }
    return !field_needed(field) && json_object_set_new(faulty, name, json_null()) == 0;
}

/* Takes away the marked rows; are there enough left? */
static bool drop_rows(const struct field *field, json_t *rows)
{
    size_t index = json_array_size(rows);
    while (index-- > 0)
        if (json_is_false(json_array_get(rows, index)))
            json_array_remove(rows, index);
    return (json_int_t)json_array_size(rows) >= field->least;
}

json_t *form_without_faults(const struct form *form, json_t *document, json_t *errors)
{
    json_t *rest = json_deep_copy(document);
    size_t index;
    json_t *error;
    json_array_foreach(errors, index, error)
    {
        const char *path = json_string_value(json_object_get(error, "field"));
        if (path == NULL || !mark_fault(form, rest, path))
            return NULL;
    }
    for (size_t i = 0; i < form->field_count; i++) {
        json_t *rows = json_object_get(rest, form->fields[i].name);
        if (form->fields[i].type == FIELD_GROUP && json_is_array(rows) &&
            !drop_rows(&form->fields[i], rows))
            return NULL;
    }
    return rest;
}
