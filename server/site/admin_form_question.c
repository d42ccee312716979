/* One question's page of the builder: a form (templates/forms/question.json) of which the
 * type of the question decides what is asked. The pure part is server/form/question.h. */
#include "server/base/document.h"
#include "server/form/edit.h"
#include "server/form/forms.h"
#include "server/form/question.h"
#include "server/site/admin_form.h"
#include "server/site/builder.h"
#include "server/site/flow.h"
#include "server/site/preview.h"
#include "server/site/question_page.h"
#include "server/site/site.h"

#include <string.h>

static void take_show_if(struct panel *panel)
{
    json_t *rule = json_object_get(panel->field, "show_if");
    json_t *equals = json_object_get(rule, "equals"), *in = json_object_get(rule, "in");
    panel->ruler = text_of(rule, "field");
    panel->ruled = json_is_array(in) ? in : json_array();
    if (json_is_boolean(equals))
        json_array_append_new(panel->ruled,
                              json_string(json_is_true(equals) ? "true" : "false"));
    else if (equals != NULL)
        json_array_append(panel->ruled, equals);
}

static enum result open_known(struct panel *panel, struct request *request,
                              struct response *response)
{
    struct edit_place place;
    *panel = (struct panel){.form = form_named(site.forms, "question")};
    if (panel->form == NULL)
        return FAILED;
    TRY(builder_open(&panel->builder, request, response));
    panel->path = param(request, "path");
    if (!edit_find(&place, panel->builder.definition, panel->path))
        return NOT_FOUND;
    panel->field = place.field;
    panel->group = place.group;
    panel->section = (int64_t)place.section;
    panel->type = text_at(place.field, "type", "");
    panel->profile = builder_of_profile(&panel->builder, panel->path);
    panel->fixed =
        panel->profile || json_object_get(panel->builder.published, panel->path) != NULL;
    take_show_if(panel);
    return panel->profile && panel->group != NULL ? NOT_FOUND : OK;
}

static const char *argument(const struct request *request, const char *name)
{
    return request->method == GET ? query_argument(request, name) : field(request, name);
}

static int64_t section_argument(const struct request *request)
{
    const char *text = argument(request, "section");
    return text != NULL && *text >= '0' && *text <= '9' && strlen(text) < 6 ? atol(text)
                                                                            : -1;
}

static enum result open_new(struct panel *panel, struct request *request,
                            struct response *response)
{
    struct edit_place place;
    *panel =
        (struct panel){.form = form_named(site.forms, "question"), .ruled = json_array()};
    if (panel->form == NULL)
        return FAILED;
    TRY(builder_open(&panel->builder, request, response));
    const char *group = argument(request, "group");
    panel->section = section_argument(request);
    if (group != NULL && *group != '\0') {
        if (!edit_find(&place, panel->builder.definition, group) || place.group != NULL ||
            builder_of_profile(&panel->builder, group))
            return NOT_FOUND;
        panel->group = group;
        panel->section = (int64_t)place.section;
    }
    json_t *sections = json_object_get(panel->builder.definition, "sections");
    panel->type = argument(request, "type");
    if (panel->section < 0 || panel->section >= (int64_t)json_array_size(sections))
        return NOT_FOUND;
    return panel->type == NULL || question_type_fits(panel, panel->type) ? OK : NOT_FOUND;
}

/* The rule is no part of question.json: its choices are those of other questions. */
static void take_rule(struct panel *panel, json_t *fields)
{
    json_t *values = json_object_get(fields, "show_values"), *value;
    const char *ruler =
        json_string_value(json_array_get(json_object_get(fields, "show_field"), 0));
    size_t i;
    panel->ruler = ruler != NULL && *ruler != '\0' ? ruler : NULL;
    panel->ruled = json_array();
    json_array_foreach(values, i, value)
    {
        const char *text = json_string_value(value);
        size_t length = panel->ruler != NULL ? strlen(panel->ruler) : 0;
        if (length > 0 && text != NULL && strncmp(text, panel->ruler, length) == 0 &&
            text[length] == '=')
            json_array_append_new(panel->ruled, json_string(text + length + 1));
    }
}

/* A rule that no question before this one can give is dropped. */
static void keep_rule_if_possible(struct panel *panel)
{
    json_t *ruler, *option, *kept = json_array();
    size_t i, j;
    json_t *rulers = question_rulers(panel);
    json_array_foreach(rulers, i, ruler)
    {
        if (!truth_at(ruler, "selected"))
            continue;
        json_array_foreach(json_object_get(ruler, "options"), j, option)
        {
            if (truth_at(option, "checked"))
                json_array_append_new(kept, json_string(text_at(option, "value", "") +
                                                        strlen(panel->ruler) + 1));
        }
    }
    panel->ruled = kept;
}

static json_t *published_values(const struct panel *panel)
{
    return panel->path != NULL
               ? json_object_get(json_object_get(panel->builder.published, panel->path),
                                 "values")
               : NULL;
}

/* The name it has or gets; NULL: the one that was typed is another's. */
static const char *name_for(struct panel *panel, json_t *values, const char *type)
{
    struct builder *builder = &panel->builder;
    struct edit_place place;
    const char *own = panel->field != NULL ? text_of(panel->field, "name") : NULL;
    const char *typed = filled_of(values, "name");
    if (own == NULL)
        return edit_name(builder->definition, builder->published, panel->group,
                         builder->profile && panel->group == NULL ? "own_" : "",
                         text_of(values, "label_en"), type);
    if (panel->fixed || typed == NULL || strcmp(typed, own) == 0)
        return own;
    /* A later profile may have any name but those. */
    if (builder->profile && panel->group == NULL && strncmp(typed, "own_", 4) != 0)
        typed = arena_print(builder->request->arena, "own_%s", typed);
    const char *path = panel->group != NULL ? arena_print(builder->request->arena,
                                                          "%s.%s", panel->group, typed)
                                            : typed;
    bool free = !edit_find(&place, builder->definition, path) &&
                json_object_get(builder->published, path) == NULL &&
                !builder_of_profile(builder, path);
    if (panel->group == NULL)
        free = free && !form_reserved(typed) && strcmp(typed, "visibility") != 0;
    return free ? typed : NULL;
}

static json_t *field_from(struct panel *panel, json_t *values, const char *type)
{
    json_t *made = question_field(panel->field, type, values, published_values(panel),
                                  panel->profile);
    if (!panel->profile) {
        keep_rule_if_possible(panel);
        question_show_if(made, panel->ruler, panel->ruled);
    }
    return made;
}

static enum result store(struct panel *panel, json_t *made, bool retyped)
{
    struct builder *builder = &panel->builder;
    struct arena *arena = builder->request->arena;
    const char *name = text_at(made, "name", "");
    const char *path =
        panel->group != NULL ? arena_print(arena, "%s.%s", panel->group, name) : name;
    bool done =
        panel->path != NULL
            ? edit_set(builder->definition, panel->path, made)
            : edit_add(builder->definition, (size_t)panel->section, panel->group, made);
    if (!done)
        return NOT_FOUND;
    const char *below = retyped ? arena_print(arena, "/questions/%s", path) : "";
    return builder_save(builder, below, "question_saved",
                        retyped ? "" : builder_anchor(arena, path));
}

/* Reads what was typed into panel->values; INVALID: with errors. */
static enum result read(struct panel *panel, struct submission *submission)
{
    static const char *const own[] = {"type", "section", "group", "show_field",
                                      "show_values"};
    struct request *request = panel->builder.request;
    json_t *fields = request->fields != NULL ? request->fields : json_object();
    take_rule(panel, fields);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        json_object_del(fields, own[i]);
    enum result result = form_read_fields(submission, panel->form, fields, FOR_ADMIN);
    panel->values = submission->typed;
    return result;
}

/* The question is not there any more: what was typed can become a new one. */
static enum result draw_gone(struct panel *panel)
{
    struct builder *builder = &panel->builder;
    struct arena *arena = builder->request->arena;
    struct edit_place place;
    const char *dot = strchr(panel->path, '.');
    const char *group =
        dot != NULL ? arena_copy(arena, panel->path, (size_t)(dot - panel->path)) : "";
    if (*group != '\0' && !edit_find(&place, builder->definition, group))
        group = "";
    json_t *more = json_pack("[{s:s, s:s}, {s:s, s:s}]", "name", "section", "value", "0",
                             "name", "group", "value", group);
    return builder_conflict(builder, arena_print(arena, "%s/new-question", builder->base),
                            more);
}

/* As it stands now, beside what was typed. */
static enum result draw_conflict(struct panel *panel, json_t *mine)
{
    struct edit_place place;
    struct builder *builder = &panel->builder;
    TRY(builder_open(builder, builder->request, builder->response));
    if (panel->path != NULL && !edit_find(&place, builder->definition, panel->path))
        return draw_gone(panel);
    if (panel->path != NULL) {
        panel->field = place.field;
        panel->section = (int64_t)place.section;
    } else if (panel->group == NULL) {
        int64_t now = builder_section_now(builder, (size_t)panel->section);
        panel->section = now >= 0 ? now : 0;
    }
    panel->mine = mine;
    return question_draw(panel);
}

static enum result save(struct panel *panel)
{
    struct builder *builder = &panel->builder;
    struct request *request = builder->request;
    struct submission submission;
    const char *action = field(request, "action"), *type = field(request, "type");
    bool retyped = !panel->fixed && panel->path != NULL && type != NULL &&
                   strcmp(type, panel->type) != 0;
    if (retyped && !question_type_fits(panel, type))
        return INVALID;
    if (!retyped)
        type = panel->type;
    json_t *fields = request->fields != NULL ? request->fields : json_object();
    bool redrawn = form_apply_action(panel->form, fields, action, FOR_ADMIN);
    enum result result = read(panel, &submission);
    if (redrawn)
        return question_draw(panel);
    const char *name = result == OK ? name_for(panel, submission.document, type) : NULL;
    if (result == OK && name == NULL) {
        form_error(&submission, "name", "name_taken");
        result = INVALID;
    }
    if (result != OK) {
        panel->errors = submission.errors;
        builder->response->status = 422;
        return question_draw(panel);
    }
    if (!builder_is_current(builder))
        return draw_conflict(panel, submission.document);
    json_t *made = field_from(panel, submission.document, type);
    json_object_set_new(made, "name", json_string(name));
    result = store(panel, made, retyped);
    return result == CONFLICT ? draw_conflict(panel, submission.document) : result;
}

enum result admin_form_question(struct request *request, struct response *response)
{
    struct panel panel;
    enum result found = open_known(&panel, request, response);
    if (found == NOT_FOUND && request->method == POST && request->fields != NULL &&
        panel.builder.definition != NULL && !builder_is_current(&panel.builder))
        return draw_gone(&panel);
    TRY(found);
    if (request->method == POST)
        return save(&panel);
    panel.values = question_values(panel.field);
    return question_draw(&panel);
}

enum result admin_form_question_new(struct request *request, struct response *response)
{
    struct panel panel;
    enum result found = open_new(&panel, request, response);
    if (found == NOT_FOUND && request->method == POST &&
        panel.builder.definition != NULL && !builder_is_current(&panel.builder))
        return builder_conflict(&panel.builder, NULL, NULL);
    TRY(found);
    if (panel.type == NULL)
        return request->method == POST ? NOT_FOUND : question_draw_types(&panel);
    return request->method == POST ? save(&panel) : question_draw(&panel);
}

/* What is being typed, as a member would see it; nothing is kept. */
enum result admin_form_question_preview(struct request *request,
                                        struct response *response)
{
    struct panel panel = {.form = form_named(site.forms, "question")};
    struct submission submission;
    const char *type = field(request, "type");
    if (panel.form == NULL)
        return FAILED;
    TRY(builder_open(&panel.builder, request, response));
    if (!question_type_fits(&panel, type))
        return INVALID;
    if (read(&panel, &submission) != OK) {
        response->status =
            204; /* nothing to show yet; the form says why when it is sent */
        return OK;
    }
    json_t *made = question_field(NULL, type, submission.document, NULL, false);
    json_object_set_new(made, "name", json_string("question"));
    if (strcmp(type, "group") == 0)
        json_object_set_new(made, "fields",
                            json_pack("[{s:s, s:s}]", "name", "x", "type", "text"));
    json_t *definition = json_pack("{s:[{s:[o]}]}", "sections", "fields", made);
    return preview_fragment(request, response, definition, request->language);
}
