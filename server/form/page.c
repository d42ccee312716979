/* Forms as documents for their templates; see page.h for the shape. Nothing here knows
 * HTML but the types of inputs and how ids are made. */
#include "server/form/page.h"

#include "server/base/buf.h"
#include "server/form/value.h"

#include <string.h>

struct drawing {
    struct arena *arena;
    const struct form *form;
    enum form_audience audience;
    enum language language;
    json_t *errors; /* ERRORs by field */
};

static json_t *text_or_null(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

static json_t *words_in(const struct words *words, enum language language)
{
    return text_or_null(words->text[language]);
}

/* "links.0.url" → "f-links-0-url" */
static const char *id_of(struct arena *arena, const char *name)
{
    char *id = arena_print(arena, "f-%s", name);
    for (char *at = id; *at != '\0'; at++)
        if (*at == '.')
            *at = '-';
    return id;
}

/* The field that an error's path names; with the group and row it stands in. */
struct place {
    const struct field *field, *group;
    long row; /* from 1; 0: none */
};

static struct place find_place(struct arena *arena, const struct form *form,
                               const char *path)
{
    struct place place = {NULL, NULL, 0};
    size_t length = strcspn(path, ".");
    const char *name = arena_copy(arena, path, length);
    const struct field *field = field_named(form->fields, form->field_count, name);
    if (field == NULL || path[length] == '\0') {
        place.field = field;
        return place;
    }
    const char *rest = path + length + 1;
    if (field->type == FIELD_RECORD) {
        place.field = field_named(field->fields, field->field_count, rest);
        return place;
    }
    size_t digits = strspn(rest, "0123456789");
    json_int_t row = 0;
    if (field->type != FIELD_GROUP ||
        !value_integer(&row, arena_copy(arena, rest, digits)))
        return place;
    place.group = field;
    place.row = (long)row + 1;
    place.field = rest[digits] == '.'
                      ? field_named(field->fields, field->field_count, rest + digits + 1)
                      : field;
    return place;
}

static json_t *others_of(const struct form *form, const struct place *place,
                         json_t *names, enum language language)
{
    if (names == NULL)
        return json_null();
    const struct field *fields =
        place->group != NULL ? place->group->fields : form->fields;
    size_t count = place->group != NULL ? place->group->field_count : form->field_count;
    json_t *others = json_array();
    size_t index;
    json_t *name;
    json_array_foreach(names, index, name)
    {
        const struct field *other = field_named(fields, count, json_string_value(name));
        json_array_append_new(
            others,
            json_pack("{s:o, s:b}", "label",
                      other != NULL ? words_in(&other->label, language) : json_null(),
                      "last", index + 1 == json_array_size(names)));
    }
    return others;
}

static json_t *or_null(json_t *value)
{
    return value != NULL ? value : json_null();
}

static json_t *whole_error(const struct form *form, json_t *error, enum language language)
{
    const char *path = json_string_value(json_object_get(error, "field"));
    struct place place = {NULL, NULL, 0};
    if (path != NULL)
        place = find_place(arena_current(), form, path);
    json_t *label = text_or_null(path);
    if (place.field != NULL && place.field->label.text[language] != NULL)
        label = words_in(&place.field->label, language);
    bool in_row = place.group != NULL;
    return json_pack(
        "{s:O, s:o, s:o, s:o, s:o, s:o, s:O, s:O, s:O, s:O, s:o}", "code",
        json_object_get(error, "code"), "field", text_or_null(path), "label", label,
        "href",
        place.field != NULL ? json_string(arena_print(arena_current(), "#%s",
                                                      id_of(arena_current(), path)))
                            : json_null(),
        "group", in_row ? words_in(&place.group->label, language) : json_null(), "row",
        in_row ? json_integer(place.row) : json_null(), "min",
        or_null(json_object_get(error, "min")), "max",
        or_null(json_object_get(error, "max")), "near",
        or_null(json_object_get(error, "near")), "expected",
        or_null(json_object_get(error, "expected")), "others",
        others_of(form, &place, json_object_get(error, "other"), language));
}

json_t *form_error_list(const struct form *form, json_t *errors, enum language language)
{
    json_t *list = json_array();
    size_t index;
    json_t *error;
    json_array_foreach(errors, index, error)
    {
        json_array_append_new(list, whole_error(form, error, language));
    }
    return list;
}

/* How each type is drawn. */
struct look {
    const char *widget, *type, *input_mode;
};

static const struct look looks[] = {
    [FIELD_TEXT] = {"text",     "text",     NULL     },
    [FIELD_TEXTAREA] = {"textarea", NULL,       NULL     },
    [FIELD_MARKDOWN] = {"textarea", NULL,       NULL     },
    [FIELD_PASSWORD] = {"text",     "password", NULL     },
    [FIELD_INTEGER] = {"text",     "text",     "numeric"},
    [FIELD_DECIMAL] = {"text",     "text",     "decimal"},
    [FIELD_DATE] = {"text",     "date",     NULL     },
    [FIELD_MONTH] = {"text",     "text",     NULL     },
    [FIELD_BOOLEAN] = {"checkbox", NULL,       NULL     },
    [FIELD_CHOICE] = {"choice",   NULL,       NULL     },
    [FIELD_MULTICHOICE] = {"choices",  NULL,       NULL     },
    [FIELD_EMAIL] = {"text",     "email",    NULL     },
    [FIELD_URL] = {"text",     "url",      NULL     },
    [FIELD_PHONE] = {"text",     "tel",      NULL     },
    [FIELD_ORCID] = {"text",     "text",     NULL     },
    [FIELD_PERSON] = {"person",   "text",     NULL     },
    [FIELD_FILE] = {"file",     NULL,       NULL     },
    [FIELD_PHOTO] = {"photo",    NULL,       NULL     },
    [FIELD_DOCUMENT] = {"document", NULL,       NULL     },
    [FIELD_GROUP] = {"group",    NULL,       NULL     },
    [FIELD_RECORD] = {"group",    NULL,       NULL     },
};

/* A value as the text of an input; NULL for none. */
static const char *text_of(struct arena *arena, const struct field *field, json_t *value)
{
    if (field->type == FIELD_PASSWORD)
        return NULL;
    if (json_is_integer(value))
        return arena_string(arena, NUM(json_integer_value(value)));
    if (json_is_real(value))
        return arena_print(arena, "%.15g", json_real_value(value));
    if (!json_is_string(value))
        return NULL;
    bool several = field->type == FIELD_TEXTAREA || field->type == FIELD_MARKDOWN;
    size_t length = json_string_length(value);
    return value_printable(arena, json_string_value(value), length, length, several);
}

/* An input of type date shows nothing when its value is not a whole date, so what was
 * typed would be lost; nor does it take a month alone. */
static const char *type_of(const struct field *field, const char *value)
{
    if (field->type != FIELD_DATE)
        return looks[field->type].type;
    const char *date = NULL;
    bool whole = value == NULL || value[0] == '\0' ||
                 (value_date(&date, arena_current(), value, ROUND_NOT) == NULL &&
                  strcmp(date, value) == 0);
    return field->round == ROUND_NOT && whole ? "date" : "text";
}

static bool has_word(json_t *value, const char *word)
{
    if (json_is_string(value))
        return strcmp(json_string_value(value), word) == 0;
    size_t index;
    json_t *one;
    json_array_foreach(value, index,
                       one) if (json_is_string(one) &&
                                strcmp(json_string_value(one), word) == 0) return true;
    return false;
}

static json_t *draw_options(const struct drawing *drawing, const struct field *field,
                            const char *id, json_t *value)
{
    json_t *options = json_array();
    for (size_t i = 0; i < field->choice_count; i++) {
        const struct choice *choice = &field->choices[i];
        /* Nothing said means the default: a browser would take the first. */
        bool said = value != NULL && !json_is_null(value);
        bool selected =
            said ? has_word(value, choice->value)
                 : field->fallback != NULL && strcmp(field->fallback, choice->value) == 0;
        const char *own = i == 0 ? id : arena_print(drawing->arena, "%s-%zu", id, i);
        json_array_append_new(
            options, json_pack("{s:s, s:o, s:b, s:s}", "value", choice->value, "label",
                               words_in(&choice->label, drawing->language), "selected",
                               selected, "id", own));
    }
    return options;
}

static json_t *described_by(const struct drawing *drawing, const struct field *field,
                            const char *id, json_t *error)
{
    bool hint = field->hint.text[drawing->language] != NULL;
    if (!hint && error == NULL)
        return json_null();
    return json_string(arena_print(drawing->arena, "%s%s%s%s%s", hint ? id : "",
                                   hint ? "-hint" : "", hint && error != NULL ? " " : "",
                                   error != NULL ? id : "",
                                   error != NULL ? "-error" : ""));
}

static bool is_checked(json_t *value)
{
    const char *text = json_string_value(value);
    return json_is_true(value) ||
           (text != NULL && strcmp(text, "false") != 0 && strcmp(text, "") != 0);
}

/* What shows the field, in words and for scripts; null: it is always there. `fields` are
 * those that it stands among, `scope` their values. */
static json_t *draw_show(const struct drawing *drawing, const struct field *field,
                         const char *prefix, const struct field *fields, size_t count,
                         json_t *scope)
{
    const struct field *ruler =
        field->show_field != NULL ? field_named(fields, count, field->show_field) : NULL;
    if (ruler == NULL)
        return json_null();
    json_t *values = json_array(), *words = json_array();
    for (size_t i = 0; i < field->show_values.count; i++) {
        const char *value = field->show_values.items[i];
        json_array_append_new(values, json_string(value));
        for (size_t j = 0; j < ruler->choice_count; j++)
            if (strcmp(ruler->choices[j].value, value) == 0)
                json_array_append_new(
                    words,
                    json_pack("{s:o, s:b}", "text",
                              words_in(&ruler->choices[j].label, drawing->language),
                              "last", i + 1 == field->show_values.count));
    }
    const char *kind = ruler->type == FIELD_BOOLEAN ? field->show_values.items[0] : "in";
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:b}", "kind", kind, "field",
                     arena_print(drawing->arena, "%s%s", prefix, ruler->name), "values",
                     json_string(json_dumps(values, JSON_COMPACT)), "label",
                     words_in(&ruler->label, drawing->language), "words", words, "now",
                     form_shows(field, scope));
}

/* A stored file that is to be shown again: not one that is none, or not this person's. */
static const char *stored(const struct field *field, const char *text,
                          const json_t *error)
{
    const char *code = json_string_value(json_object_get(error, "code"));
    bool refused = code != NULL && strcmp(code, "photo_unknown") == 0;
    bool is = field->type == FIELD_PHOTO ? text != NULL && value_photo(text)
                                         : text != NULL && value_document(text);
    return is && !refused ? text : NULL;
}

static json_t *draw_field(const struct drawing *drawing, const struct field *field,
                          const char *prefix, json_t *value)
{
    const struct look *look = &looks[field->type];
    const char *name = arena_print(drawing->arena, "%s%s", prefix, field->name);
    const char *id = id_of(drawing->arena, name);
    const char *text = text_of(drawing->arena, field, value);
    json_t *error = json_object_get(drawing->errors, name);
    if (field->type == FIELD_PHOTO || field->type == FIELD_DOCUMENT)
        text = stored(field, text, error);
    const char *mode = field->input_mode != NULL ? field->input_mode : look->input_mode;
    json_t *drawn = json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "name", name, "id", id, "label",
        words_in(&field->label, drawing->language), "hint",
        words_in(&field->hint, drawing->language), "lang", text_or_null(field->language),
        "optional", !field_needed(field) && field->type != FIELD_BOOLEAN, "widget",
        json_string(arena_print(drawing->arena, "partials/form/%s", look->widget)),
        "value", text_or_null(text), "type", text_or_null(type_of(field, text)));
    json_t *more = json_pack(
        "{s:o, s:o, s:I, s:o, s:o, s:O, s:o, s:b, s:b, s:n, s:n, s:n, s:n}", "inputmode",
        text_or_null(mode), "autocomplete", text_or_null(field->autocomplete), "rows",
        field->rows > 0 ? field->rows : 5, "max",
        field->max_length > 0 ? json_integer((json_int_t)field->max_length) : json_null(),
        "described_by", described_by(drawing, field, id, error), "error", or_null(error),
        "options", draw_options(drawing, field, id, value), "empty_option",
        field->fallback == NULL, "checked", is_checked(value), "visibility", "entries",
        "add", "show");
    json_object_update(drawn, more);
    json_object_set_new(drawn, "multiple", json_boolean(field->multiple));
    json_object_set_new(drawn, "remark", json_null());
    return drawn;
}

static bool may_draw(const struct drawing *drawing, const struct field *field)
{
    return !field->hidden && (!field->admin || drawing->audience == FOR_ADMIN) &&
           field->type != FIELD_RECORD;
}

static bool row_is_empty(json_t *row)
{
    const char *key;
    json_t *value;
    json_object_foreach(row, key, value)
    {
        if (!json_is_null(value) && !json_is_false(value) &&
            !(json_is_string(value) && json_string_length(value) == 0))
            return false;
    }
    return true;
}

static json_t *draw_row(const struct drawing *drawing, const struct field *group,
                        size_t number, json_t *row, bool removable)
{
    const char *name = arena_print(drawing->arena, "%s.%zu", group->name, number);
    const char *prefix = arena_print(drawing->arena, "%s.", name);
    json_t *fields = json_array();
    for (size_t i = 0; i < group->field_count; i++) {
        const struct field *field = &group->fields[i];
        if (!may_draw(drawing, field))
            continue;
        json_t *drawn =
            draw_field(drawing, field, prefix, json_object_get(row, field->name));
        json_object_set_new(
            drawn, "show",
            draw_show(drawing, field, prefix, group->fields, group->field_count, row));
        json_array_append_new(fields, drawn);
    }
    const char *remove =
        removable ? arena_print(drawing->arena, "remove:%s", name) : NULL;
    return json_pack("{s:n, s:n, s:o, s:I, s:s, s:o, s:o}", "up", "down", "label",
                     words_in(&group->label, drawing->language), "number",
                     (json_int_t)number + 1, "id", id_of(drawing->arena, name), "fields",
                     fields, "remove", text_or_null(remove));
}

static json_t *draw_group(const struct drawing *drawing, const struct field *group,
                          json_t *rows)
{
    json_t *drawn = draw_field(drawing, group, "", NULL);
    json_t *entries = json_array();
    size_t count = json_array_size(rows);
    bool blank = count == 0;
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        json_array_append_new(entries, draw_row(drawing, group, index, row, true));
        blank = index + 1 == count && !row_is_empty(row);
    }
    bool full = (json_int_t)count >= group->most;
    if (blank && !full)
        json_array_append_new(entries, draw_row(drawing, group, count, NULL, false));
    json_object_set_new(drawn, "entries", entries);
    if (!full)
        json_object_set_new(
            drawn, "add",
            json_string(arena_print(drawing->arena, "add:%s", group->name)));
    return drawn;
}

static json_t *draw_visibility(const struct drawing *drawing, const char *name,
                               json_t *values)
{
    const struct form *form = drawing->form;
    const struct field *record =
        field_named(form->fields, form->field_count, "visibility");
    const struct field *field = field_named(record->fields, record->field_count, name);
    return draw_field(drawing, field, "visibility.",
                      json_object_get(json_object_get(values, "visibility"), name));
}

static json_t *draw_section(const struct drawing *drawing, const struct section *section,
                            json_t *values)
{
    json_t *fields = json_array();
    for (size_t i = section->first; i < section->first + section->count; i++) {
        const struct field *field = &drawing->form->fields[i];
        if (!may_draw(drawing, field))
            continue;
        json_t *value = json_object_get(values, field->name);
        json_t *drawn = field->type == FIELD_GROUP
                            ? draw_group(drawing, field, value)
                            : draw_field(drawing, field, "", value);
        json_object_set_new(drawn, "show",
                            draw_show(drawing, field, "", drawing->form->fields,
                                      drawing->form->field_count, values));
        if (field->visibility != NULL) {
            json_t *who = draw_visibility(drawing, field->visibility, values);
            json_object_set(who, "label", json_object_get(drawn, "label"));
            json_object_set_new(drawn, "visibility", who);
        }
        json_array_append_new(fields, drawn);
    }
    return json_pack("{s:o, s:o, s:o}", "title",
                     words_in(&section->title, drawing->language), "hint",
                     words_in(&section->hint, drawing->language), "fields", fields);
}

static bool has_type(const struct drawing *drawing, const struct field *fields,
                     size_t count, enum field_type type)
{
    for (size_t i = 0; i < count; i++)
        if (may_draw(drawing, &fields[i]) &&
            (fields[i].type == type ||
             has_type(drawing, fields[i].fields, fields[i].field_count, type)))
            return true;
    return false;
}

static bool has_files(const struct drawing *drawing)
{
    static const enum field_type files[] = {FIELD_FILE, FIELD_PHOTO, FIELD_DOCUMENT};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (has_type(drawing, drawing->form->fields, drawing->form->field_count,
                     files[i]))
            return true;
    return false;
}

json_t *form_page(const struct form *form, json_t *values, json_t *errors,
                  enum form_audience audience, enum language language)
{
    struct drawing drawing = {arena_current(), form, audience, language, json_object()};
    json_t *list = form_error_list(form, errors, language);
    size_t index;
    json_t *error;
    json_array_foreach(list, index, error)
    {
        const char *name = json_string_value(json_object_get(error, "field"));
        if (name != NULL && json_object_get(drawing.errors, name) == NULL)
            json_object_set(drawing.errors, name, error);
    }
    json_t *sections = json_array();
    for (size_t i = 0; i < form->section_count; i++) {
        json_t *section = draw_section(&drawing, &form->sections[i], values);
        if (json_array_size(json_object_get(section, "fields")) > 0)
            json_array_append_new(sections, section);
    }
    return json_pack(
        "{s:o, s:o, s:o, s:n, s:b, s:b, s:o}", "title", words_in(&form->title, language),
        "hint", words_in(&form->hint, language), "summary",
        json_array_size(list) > 0 ? json_pack("{s:o}", "errors", list) : json_null(),
        "people", "multipart", has_files(&drawing), "groups",
        has_type(&drawing, form->fields, form->field_count, FIELD_GROUP), "sections",
        sections);
}

static void add_remark(json_t *field, json_t *remark)
{
    const char *id = json_string_value(json_object_get(field, "id"));
    const char *others = json_string_value(json_object_get(field, "described_by"));
    json_object_set(field, "remark", remark);
    json_object_set_new(
        field, "described_by",
        json_string(arena_print(arena_current(), "%s%s%s-remark", others ? others : "",
                                others ? " " : "", id ? id : "")));
}

void form_remarks(json_t *page, json_t *comments)
{
    size_t index, at;
    json_t *section, *field;
    json_array_foreach(json_object_get(page, "sections"), index, section)
    {
        json_array_foreach(json_object_get(section, "fields"), at, field)
        {
            const char *name = json_string_value(json_object_get(field, "name"));
            json_t *remark = json_object_get(comments, name ? name : "");
            if (json_string_length(remark) > 0)
                add_remark(field, remark);
        }
    }
}
