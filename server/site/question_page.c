/* Drawing the page of a question; see question_page.h. */
#include "server/site/question_page.h"

#include "server/base/document.h"
#include "server/form/edit.h"
#include "server/form/page.h"
#include "server/form/question.h"

#include <string.h>

bool question_type_fits(const struct panel *panel, const char *name)
{
    enum field_type type;
    return name != NULL && field_type_named(&type, name) && type != FIELD_PASSWORD &&
           type != FIELD_DOCUMENT &&
           (panel->group == NULL ||
            (type != FIELD_GROUP && type != FIELD_FILE && type != FIELD_PHOTO));
}

/* Whether question.json's field is asked for this question. */
static bool is_asked(const struct panel *panel, const char *name)
{
    enum field_type type = FIELD_TEXT;
    bool words = strncmp(name, "label_", 6) == 0 || strncmp(name, "hint_", 5) == 0 ||
                 strcmp(name, "required") == 0;
    (void)field_type_named(&type, panel->type);
    if (words)
        return true;
    if (panel->profile)
        return false;
    if (strcmp(name, "name") == 0)
        return panel->path != NULL && !panel->fixed;
    if (strcmp(name, "seen_by") == 0 && panel->group != NULL)
        return false;
    return question_has(type, name);
}

/* A draft may lack its words, a form that people answer may not. */
static void expect_words(json_t *drawn, const char *name)
{
    if (strncmp(name, "label_", 6) == 0 || strstr(name, ".label_") != NULL)
        json_object_set_new(drawn, "optional", json_false());
}

/* Rows of choices: their value goes along unseen, and they have an order. */
static void order_rows(const struct panel *panel, json_t *group)
{
    json_t *entries = json_object_get(group, "entries"), *entry, *inner;
    size_t i, j, count = json_array_size(entries);
    json_array_foreach(entries, i, entry)
    {
        struct arena *arena = panel->builder.request->arena;
        if (i > 0)
            json_object_set_new(entry, "up",
                                json_string(arena_print(arena, "up:choices.%zu", i)));
        if (i + 1 < count)
            json_object_set_new(entry, "down",
                                json_string(arena_print(arena, "down:choices.%zu", i)));
        json_array_foreach(json_object_get(entry, "fields"), j, inner)
        {
            const char *name = text_at(inner, "name", "");
            size_t length = strlen(name);
            expect_words(inner, name);
            if (length > 6 && strcmp(name + length - 6, ".value") == 0)
                json_object_set_new(inner, "widget", json_string("partials/form/hidden"));
        }
    }
}

/* form_page() with what is asked. */
static json_t *drawn_form(const struct panel *panel)
{
    json_t *page = form_page(panel->form, panel->values, panel->errors, FOR_ADMIN,
                             panel->builder.request->language);
    json_t *sections = json_array(), *section, *one;
    size_t i, j;
    json_array_foreach(json_object_get(page, "sections"), i, section)
    {
        json_t *fields = json_array();
        json_array_foreach(json_object_get(section, "fields"), j, one)
        {
            const char *name = text_at(one, "name", "");
            if (!is_asked(panel, name))
                continue;
            if (strcmp(name, "choices") == 0)
                order_rows(panel, one);
            expect_words(one, name);
            json_array_append(fields, one);
        }
        json_object_set(section, "fields", fields);
        if (json_array_size(fields) > 0)
            json_array_append(sections, section);
    }
    json_object_set(page, "sections", sections);
    return page;
}

static const char *label_of(const struct panel *panel, json_t *item, const char *key)
{
    json_t *words = json_object_get(item, "label");
    enum language language = panel->builder.request->language;
    const char *own = filled_of(words, language_codes[language]);
    if (own == NULL)
        own = filled_of(words, language_codes[1 - language]);
    return own != NULL ? own : text_at(item, key, "");
}

static bool is_ruled_by(const struct panel *panel, const char *ruler, const char *value)
{
    json_t *one;
    size_t i;
    if (panel->ruler == NULL || strcmp(panel->ruler, ruler) != 0)
        return false;
    json_array_foreach(panel->ruled, i, one)
    {
        if (json_is_string(one) && strcmp(json_string_value(one), value) == 0)
            return true;
    }
    return false;
}

static void add_option(const struct panel *panel, json_t *options, const char *ruler,
                       const char *value, json_t *label)
{
    struct arena *arena = panel->builder.request->arena;
    json_array_append_new(
        options,
        json_pack("{s:s, s:s?, s:s?, s:b, s:s}", "value",
                  arena_print(arena, "%s=%s", ruler, value), "label",
                  json_string_value(label), "word", label == NULL ? value : NULL,
                  "checked", (int)is_ruled_by(panel, ruler, value), "id",
                  arena_print(arena, "f-show-%s-%zu", ruler, json_array_size(options))));
}

/* A question that may rule others: a choice or a yes-or-no. */
static void add_ruler(const struct panel *panel, json_t *rulers, json_t *item)
{
    const char *name = text_at(item, "name", ""), *type = text_at(item, "type", "");
    json_t *options = json_array(), *choice;
    size_t i;
    if (strcmp(type, "boolean") == 0) {
        add_option(panel, options, name, "true", NULL);
        add_option(panel, options, name, "false", NULL);
    } else if (strcmp(type, "choice") == 0) {
        json_array_foreach(json_object_get(item, "choices"), i, choice)
            add_option(panel, options, name, text_at(choice, "value", ""),
                       json_string(label_of(panel, choice, "value")));
    } else {
        return;
    }
    bool selected = panel->ruler != NULL && strcmp(panel->ruler, name) == 0;
    json_array_append_new(rulers,
                          json_pack("{s:s, s:s, s:b, s:o}", "name", name, "ruler_label",
                                    label_of(panel, item, "name"), "selected",
                                    (int)selected, "options", options));
}

/* Those before it: what is shown depends on what was answered. */
json_t *question_rulers(const struct panel *panel)
{
    json_t *rulers = json_array(), *section, *item;
    struct edit_place place;
    size_t i, j;
    json_t *definition = panel->builder.definition;
    if (panel->profile)
        return rulers;
    if (panel->group != NULL && edit_find(&place, definition, panel->group)) {
        json_array_foreach(json_object_get(place.field, "fields"), j, item)
        {
            if (item == panel->field)
                return rulers;
            add_ruler(panel, rulers, item);
        }
        return rulers;
    }
    json_array_foreach(json_object_get(definition, "sections"), i, section)
    {
        if ((int64_t)i > panel->section)
            break;
        json_array_foreach(json_object_get(section, "fields"), j, item)
        {
            if (item == panel->field)
                return rulers;
            add_ruler(panel, rulers, item);
        }
    }
    return rulers;
}

static json_t *type_choices(const struct panel *panel)
{
    json_t *list = json_array();
    for (int i = 0; i < FIELD_RECORD; i++) {
        const char *name = field_type_name((enum field_type)i);
        if (question_type_fits(panel, name))
            json_array_append_new(list, json_pack("{s:s, s:b}", "type", name, "selected",
                                                  (int)(panel->type != NULL &&
                                                        strcmp(name, panel->type) == 0)));
    }
    return list;
}

/* The first step of a new question. */
enum result question_draw_types(struct panel *panel)
{
    json_t *document =
        json_pack("{s:o, s:I, s:s?}", "types", type_choices(panel), "section_number",
                  (json_int_t)panel->section, "group", panel->group);
    return builder_page(&panel->builder, "builder/types.html", document);
}

enum result question_draw(struct panel *panel)
{
    struct builder *builder = &panel->builder;
    json_t *document = json_object(), *rulers = question_rulers(panel);
    json_object_set_new(document, "form", drawn_form(panel));
    json_object_set_new(document, "type", json_string(panel->type));
    json_object_set_new(document, "action", json_string(builder->request->path));
    json_object_set_new(document, "is_new", json_boolean(panel->path == NULL));
    json_object_set_new(document, "fixed", json_boolean(panel->fixed));
    json_object_set_new(document, "of_profile", json_boolean(panel->profile));
    json_object_set_new(document, "name",
                        panel->path != NULL ? json_string(panel->path) : json_null());
    json_object_set_new(document, "section_number", json_integer(panel->section));
    json_object_set_new(document, "group",
                        panel->group != NULL ? json_string(panel->group) : json_null());
    json_object_set_new(document, "types",
                        panel->path != NULL && !panel->fixed ? type_choices(panel)
                                                             : json_array());
    json_object_set_new(document, "may_retype",
                        json_boolean(panel->path != NULL && !panel->fixed));
    json_object_set_new(document, "rulers", rulers);
    json_object_set_new(document, "any_ruler", json_boolean(json_array_size(rulers) > 0));
    const char *anchor =
        panel->path != NULL ? builder_anchor(builder->request->arena, panel->path) : "";
    json_object_set_new(document, "anchor", json_string(anchor));
    json_t *theirs = panel->field != NULL ? question_values(panel->field) : json_object();
    TRY(builder_add_conflict(document, builder, panel->mine != NULL ? panel->form : NULL,
                             theirs, panel->mine));
    return builder_page(builder, "builder/question.html", document);
}
