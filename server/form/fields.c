/* HTML fields: flat names ("authors.0.name") are given the shape of a document; and the
 * buttons that add and remove rows. */
#include "server/form/reader.h"

#include <stdlib.h>
#include <string.h>

enum { INDEX_MAX = 1000 };

/* Flat names to the shape of a document. */
struct shaping {
    struct reader *reader;
    json_t *fields; /* as they came */
    json_t *used;   /* the names that meant something */
};

static json_t *shape_scope(struct shaping *shaping, const struct field *fields,
                           size_t count, const char *prefix, bool *any);

static json_t *take_field(struct shaping *shaping, const struct field *field,
                          const char *prefix, bool *any)
{
    const char *name = arena_print(shaping->reader->arena, "%s%s", prefix, field->name);
    json_t *values = json_object_get(shaping->fields, name);
    if (values == NULL)
        return NULL;
    json_object_set_new(shaping->used, name, json_true());
    json_t *first = json_is_array(values) ? json_array_get(values, 0) : values;
    *any |= json_is_object(first) ? json_integer_value(json_object_get(first, "size")) > 0
                                  : json_string_length(first) > 0;
    if (field->type == FIELD_MULTICHOICE)
        return values;
    if (json_is_array(values) && json_array_size(values) > 1 && !field->multiple)
        reader_error(shaping->reader, prefix, field->name, "repeated");
    return first;
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The row numbers that occur in names starting with `prefix`, sorted, each once. */
static size_t row_numbers(json_t *fields, const char *prefix, int numbers[INDEX_MAX])
{
    size_t count = 0;
    size_t length = strlen(prefix);
    const char *key;
    json_t *value;
    json_object_foreach(fields, key, value)
    {
        if (count == INDEX_MAX || strncmp(key, prefix, length) != 0)
            continue;
        size_t digits = strspn(key + length, "0123456789");
        if (digits == 0 || digits > 4 || key[length + digits] != '.' ||
            (digits > 1 && key[length] == '0'))
            continue;
        int number = atoi(key + length);
        if (count == 0 || numbers[count - 1] != number)
            numbers[count++] = number;
    }
    qsort(numbers, count, sizeof numbers[0], by_number);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || numbers[kept - 1] != numbers[i])
            numbers[kept++] = numbers[i];
    return kept;
}

static json_t *shape_group(struct shaping *shaping, const struct field *field,
                           const char *prefix)
{
    struct arena *arena = shaping->reader->arena;
    int *numbers = ARENA_ARRAY(arena, int, INDEX_MAX);
    const char *own = arena_print(arena, "%s%s.", prefix, field->name);
    size_t count = row_numbers(shaping->fields, own, numbers);
    json_t *rows = json_array();
    for (size_t i = 0; i < count; i++) {
        bool any = false;
        json_t *row = shape_scope(shaping, field->fields, field->field_count,
                                  arena_print(arena, "%s%d.", own, numbers[i]), &any);
        if (any)
            json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *shape_scope(struct shaping *shaping, const struct field *fields,
                           size_t count, const char *prefix, bool *any)
{
    json_t *scope = json_object();
    for (size_t i = 0; i < count; i++) {
        const struct field *field = &fields[i];
        if (!reader_accepts(shaping->reader, field))
            continue;
        json_t *value = NULL;
        if (field->type == FIELD_GROUP)
            value = shape_group(shaping, field, prefix);
        else if (field->type == FIELD_RECORD)
            value = shape_scope(
                shaping, field->fields, field->field_count,
                arena_print(shaping->reader->arena, "%s%s.", prefix, field->name), any);
        else
            value = take_field(shaping, field, prefix, any);
        if (value != NULL)
            json_object_set(scope, field->name, value);
    }
    return scope;
}

enum result form_read_fields(struct submission *out, const struct form *form,
                             json_t *fields, enum form_audience audience)
{
    struct reader reader = reader_for(form, FROM_FIELDS, audience);
    struct shaping shaping = {&reader, fields, json_object()};
    bool any = false;
    json_t *typed = shape_scope(&shaping, form->fields, form->field_count, "", &any);
    const char *key;
    json_t *value;
    json_object_foreach(fields, key, value)
    {
        if (json_object_get(shaping.used, key) == NULL && !form_reserved(key))
            reader_error(&reader, "", key, "unknown");
    }
    enum result result = reader_run(out, &reader, typed);
    if (!form_redraws(fields))
        return result;
    out->errors = json_array();
    return INVALID;
}

bool form_redraws(json_t *fields)
{
    json_t *actions = json_object_get(fields, "action");
    const char *action = json_string_value(json_array_get(actions, 0));
    return action != NULL && strcmp(action, "redraw") == 0;
}

static const struct field *action_group(const struct form *form, const char *name,
                                        size_t length, enum form_audience audience)
{
    for (size_t i = 0; i < form->field_count; i++) {
        const struct field *field = &form->fields[i];
        if (field->type == FIELD_GROUP && !field->hidden &&
            (!field->admin || audience == FOR_ADMIN) && strlen(field->name) == length &&
            strncmp(field->name, name, length) == 0)
            return field;
    }
    return NULL;
}

static void remove_row(json_t *fields, const char *prefix)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(fields, next, key, value)
    {
        if (strncmp(key, prefix, strlen(prefix)) == 0)
            json_object_del(fields, key);
    }
}

/* Rows that begin with `one` and `other` change their numbers. */
static void swap_rows(json_t *fields, const char *one, const char *other)
{
    struct arena *arena = arena_current();
    json_t *swapped = json_object(), *value;
    const char *key;
    json_object_foreach(fields, key, value)
    {
        const char *name = key;
        if (strncmp(key, one, strlen(one)) == 0)
            name = arena_print(arena, "%s%s", other, key + strlen(one));
        else if (strncmp(key, other, strlen(other)) == 0)
            name = arena_print(arena, "%s%s", one, key + strlen(other));
        json_object_set(swapped, name, value);
    }
    json_object_clear(fields);
    json_object_update(fields, swapped);
}

/* `name` is "links.2": changes places with the row before or after it, if there is one.
 */
static void move_row(json_t *fields, const char *name, size_t length, int by)
{
    struct arena *arena = arena_current();
    int *numbers = ARENA_ARRAY(arena, int, INDEX_MAX);
    const char *group = arena_copy(arena, name, length);
    size_t count = row_numbers(fields, arena_print(arena, "%s.", group), numbers);
    int number = atoi(name + length + 1);
    for (size_t i = 0; i < count; i++) {
        size_t other = by < 0 ? i - 1 : i + 1;
        if (numbers[i] == number && other < count)
            swap_rows(fields, arena_print(arena, "%s.%d.", group, number),
                      arena_print(arena, "%s.%d.", group, numbers[other]));
    }
}

bool form_apply_action(const struct form *form, json_t *fields, const char *action,
                       enum form_audience audience)
{
    if (action == NULL)
        return false;
    if (strcmp(action, "redraw") == 0)
        return true;
    if (strncmp(action, "add:", 4) == 0)
        return action_group(form, action + 4, strlen(action + 4), audience) != NULL;
    size_t verb = strcspn(action, ":");
    bool removes = strncmp(action, "remove:", 7) == 0,
         up = strncmp(action, "up:", 3) == 0;
    if (!removes && !up && strncmp(action, "down:", 5) != 0)
        return false;
    const char *name = action + verb + 1;
    size_t length = strcspn(name, ".");
    size_t digits = name[length] == '.' ? strspn(name + length + 1, "0123456789") : 0;
    if (digits == 0 || digits > 4 || name[length + 1 + digits] != '\0' ||
        action_group(form, name, length, audience) == NULL)
        return false;
    if (removes)
        remove_row(fields, arena_print(arena_current(), "%s.", name));
    else
        move_row(fields, name, length, up ? -1 : 1);
    return true;
}
