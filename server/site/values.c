/* Published and proposed values side by side, in words of the form's definition. */
#include "server/site/values.h"

#include "server/site/flow.h"
#include "server/site/site.h"
#include "server/text/word_diff.h"
#include "server/view/view.h"

#include <string.h>

static const char *word(const struct request *request, const struct words *words)
{
    const char *text = words->text[request->language];
    return text ? text : "";
}

static void put_choice(struct buf *out, const struct request *request,
                       const struct field *field, const char *value)
{
    for (size_t i = 0; i < field->choice_count; i++)
        if (strcmp(field->choices[i].value, value) == 0) {
            buf_string(out, word(request, &field->choices[i].label));
            return;
        }
    buf_string(out, value);
}

static void put_value(struct buf *out, const struct request *request,
                      const struct field *field, const json_t *value);

/* "PhD student; From: 2024-09-01": what comes first needs no label. */
static void put_record(struct buf *out, const struct request *request,
                       const struct field *field, const json_t *record)
{
    size_t start = out->length;
    for (size_t i = 0; i < field->field_count; i++) {
        const struct field *inner = &field->fields[i];
        const json_t *value = json_object_get(record, inner->name);
        const char *text = value_text(request, inner, value);
        if (!*text || inner->hidden)
            continue;
        if (out->length > start || field->type == FIELD_RECORD) {
            const char *between =
                view_message(site.view, request->language, "value.between");
            buf_print(out, "%s%s%s", out->length > start ? between : "",
                      word(request, &inner->label),
                      view_message(site.view, request->language, "value.colon"));
        }
        buf_string(out, text);
    }
}

static void put_list(struct buf *out, const struct request *request,
                     const struct field *field, const json_t *list)
{
    size_t index;
    json_t *value;
    json_array_foreach(list, index, value)
    {
        if (index > 0)
            buf_char(out, '\n');
        if (field->type == FIELD_GROUP)
            put_record(out, request, field, value);
        else
            put_value(out, request, field, value);
    }
}

static void put_value(struct buf *out, const struct request *request,
                      const struct field *field, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_NULL:
        return;
    case JSON_STRING:
        put_choice(out, request, field, json_string_value(value));
        return;
    case JSON_INTEGER:
        buf_print(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return;
    case JSON_REAL:
        buf_print(out, "%g", json_real_value(value));
        return;
    case JSON_TRUE:
        buf_string(out, view_message(site.view, request->language, "value.yes"));
        return;
    case JSON_FALSE: /* says the same as nothing: db/store/change.h */
        return;
    case JSON_ARRAY:
        put_list(out, request, field, value);
        return;
    case JSON_OBJECT:
        put_record(out, request, field, value);
        return;
    }
}

const char *value_text(const struct request *request, const struct field *field,
                       const json_t *value)
{
    struct buf out = buf_on(request->arena);
    if (value)
        put_value(&out, request, field, value);
    return out.data;
}

const char *field_label(const struct request *request, const struct form *form,
                        const char *name)
{
    const struct field *field = field_named(form->fields, form->field_count, name);
    if (!field)
        return name;
    const char *label = word(request, &field->label);
    /* The record of who sees what has none. */
    return *label ? label : view_message(site.view, request->language, "form.visibility");
}

/* The record of who sees what: a line for each field that says. Its choices have no
 * labels of their own; their words are the form's. */
static const char *visibility_text(const struct request *request, const struct form *form,
                                   const json_t *record)
{
    struct buf out = buf_on(request->arena);
    for (size_t i = 0; i < form->field_count; i++) {
        const struct field *field = &form->fields[i];
        const char *level =
            field->visibility ? text_at(record, field->visibility, NULL) : NULL;
        if (!level)
            continue;
        const char *key = arena_print(request->arena, "form.visibility.%s", level);
        buf_print(&out, "%s%s%s%s", out.length ? "\n" : "", word(request, &field->label),
                  view_message(site.view, request->language, "value.colon"),
                  view_has_message(site.view, key)
                      ? view_message(site.view, request->language, key)
                      : level);
    }
    return out.data;
}

static const char *side_text(const struct request *request, const struct form *form,
                             const struct field *field, const json_t *value)
{
    return field->type == FIELD_RECORD ? visibility_text(request, form, value)
                                       : value_text(request, field, value);
}

json_t *difference_rows(const struct request *request, const struct form *form,
                        const json_t *differences)
{
    json_t *rows = json_array(), *difference;
    size_t index;
    json_array_foreach(differences, index, difference)
    {
        const char *name = text_at(difference, "field", "");
        const struct field *field = field_named(form->fields, form->field_count, name);
        if (!field)
            continue;
        const char *label = field_label(request, form, name);
        json_t *before = json_array(), *after = json_array();
        json_t *old = json_object_get(difference, "before");
        json_t *new = json_object_get(difference, "after");
        bool photo = field->type == FIELD_PHOTO;
        if (!photo)
            word_diff(before, after, request->arena, side_text(request, form, field, old),
                      side_text(request, form, field, new));
        json_array_append_new(rows, json_pack("{s:s,s:s,s:o,s:o,s:b,s:O?,s:O?}", "field",
                                              name, "label", label, "before", before,
                                              "after", after, "photo", photo,
                                              "photo_before", photo ? old : NULL,
                                              "photo_after", photo ? new : NULL));
    }
    return rows;
}
