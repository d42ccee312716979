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
            const char *label = word(request, &field->choices[i].label);
            const char *level = arena_print(request->arena, "form.visibility.%s", value);
            if (!*label) /* who sees it: the words are the catalogs' */
                label = view_message(site.view, request->language, level);
            buf_string(out, label);
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
        if (field->type == FIELD_PHOTO)
            buf_string(out, view_message(site.view, request->language, "photo.given"));
        else if (field->type == FIELD_DOCUMENT)
            buf_string(out, view_message(site.view, request->language, "document.given"));
        else
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

/* Who sees what: of the levels only those that differ, one that was not chosen being the
 * field's own. */
static void put_levels(struct buf *out, const struct request *request,
                       const struct field *record, const json_t *one, const json_t *other)
{
    for (size_t i = 0; i < record->field_count; i++) {
        const struct field *field = &record->fields[i];
        const char *level = text_at(one, field->name, field->fallback);
        if (strcmp(level, text_at(other, field->name, field->fallback)) == 0)
            continue;
        buf_print(out, "%s%s%s", out->length > 0 ? "\n" : "",
                  word(request, &field->label),
                  view_message(site.view, request->language, "value.colon"));
        put_choice(out, request, field, level);
    }
}

/* Fills `before` and `after` of a row. False: for a reader nothing differs. */
static bool compare(json_t *before, json_t *after, const struct request *request,
                    const struct field *field, const json_t *old, const json_t *new)
{
    struct buf was = buf_on(request->arena), is = buf_on(request->arena);
    if (field->type == FIELD_PHOTO)
        return true;
    if (field->type != FIELD_RECORD) {
        buf_string(&was, value_text(request, field, old));
        buf_string(&is, value_text(request, field, new));
    } else {
        put_levels(&was, request, field, old, new);
        put_levels(&is, request, field, new, old);
        if (is.length == 0)
            return false;
    }
    word_diff(before, after, request->arena, was.data, is.data);
    return true;
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
        if (!field || (field->admin && !truth_at(request->account, "admin")))
            continue;
        const char *label = field_label(request, form, name);
        json_t *before = json_array(), *after = json_array();
        json_t *old = json_object_get(difference, "before");
        json_t *new = json_object_get(difference, "after");
        bool photo = field->type == FIELD_PHOTO;
        if (!compare(before, after, request, field, old, new))
            continue;
        json_array_append_new(rows, json_pack("{s:s,s:s,s:o,s:o,s:b,s:O?,s:O?}", "field",
                                              name, "label", label, "before", before,
                                              "after", after, "photo", photo,
                                              "photo_before", photo ? old : NULL,
                                              "photo_after", photo ? new : NULL));
    }
    return rows;
}
