/* A change made whole again with what its writer could not see; see submission.h. */
#include "server/form/reader.h"

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
