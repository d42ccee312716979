/* The builder's list: the form in its order, with a button for everything that can be
 * done to a section or question; and doing it. One <form> holds all buttons; each says in
 * its value what it does: "up:phone", "to:phone", "put_back:12:phone". */
#include "server/site/admin_form.h"

#include "db/store/collection.h"
#include "db/store/form_version.h"
#include "server/base/document.h"
#include "server/form/edit.h"
#include "server/form/forms.h"
#include "server/site/builder.h"
#include "server/site/collections.h"
#include "server/site/flow.h"
#include "server/site/form_problems.h"
#include "server/site/site.h"

#include <stdlib.h>
#include <string.h>

/* The problems that are about the field, or (NULL) about the section itself. */
static json_t *problems_of(json_t *problems, const char *path, size_t section)
{
    json_t *own = json_array(), *problem;
    size_t i;
    json_array_foreach(json_object_get(problems, "list"), i, problem)
    {
        const char *name = text_of(problem, "name");
        json_t *number = json_object_get(problem, "section");
        bool here = path != NULL ? name != NULL && strcmp(name, path) == 0
                                 : name == NULL && json_is_integer(number) &&
                                       (size_t)json_integer_value(number) == section;
        if (here)
            json_array_append(own, problem);
    }
    return own;
}

static json_t *show_fields(const struct builder *builder, json_t *problems,
                           json_t *fields, const char *group);

static json_t *show_field(const struct builder *builder, json_t *problems, json_t *item,
                          const char *group)
{
    struct arena *arena = builder->request->arena;
    const char *name = text_at(item, "name", ""), *type = text_at(item, "type", "");
    const char *path = group != NULL ? arena_print(arena, "%s.%s", group, name) : name;
    bool is_group = strcmp(type, "group") == 0;
    bool profile = builder_of_profile(builder, path);
    json_t *shown =
        json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:b, s:b}", "path", path, "name",
                  name, "type", type, "anchor", builder_anchor(arena, path), "required",
                  (int)truth_at(item, "required"), "conditional",
                  json_object_get(item, "show_if") != NULL, "chosen",
                  json_object_get(item, "visibility") != NULL, "of_profile", profile,
                  "is_group", is_group && !profile);
    builder_put_words(shown, "label", json_object_get(item, "label"));
    json_object_set_new(shown, "problems", problems_of(problems, path, 0));
    json_object_set_new(shown, "in_group", json_boolean(group != NULL));
    json_object_set_new(shown, "may_change", json_boolean(group == NULL || !profile));
    json_object_set_new(
        shown, "fields",
        is_group && group == NULL
            ? show_fields(builder, problems, json_object_get(item, "fields"), path)
            : json_array());
    return shown;
}

static json_t *show_fields(const struct builder *builder, json_t *problems,
                           json_t *fields, const char *group)
{
    json_t *list = json_array(), *item;
    size_t index, count = json_array_size(fields);
    json_array_foreach(fields, index, item)
    {
        json_t *shown = show_field(builder, problems, item, group);
        json_object_set_new(shown, "first", json_boolean(index == 0));
        json_object_set_new(shown, "last", json_boolean(index + 1 == count));
        json_array_append_new(list, shown);
    }
    return list;
}

/* The sections that a question of section `here` may go to. */
static json_t *places(json_t *sections, size_t here)
{
    json_t *list = json_array(), *section;
    size_t index;
    json_array_foreach(sections, index, section)
    {
        json_t *place =
            json_pack("{s:I, s:I, s:b}", "number", (json_int_t)index, "ordinal",
                      (json_int_t)index + 1, "here", (int)(index == here));
        builder_put_words(place, "title", json_object_get(section, "title"));
        json_array_append_new(list, place);
    }
    return list;
}

static json_t *show_sections(const struct builder *builder, json_t *problems)
{
    json_t *list = json_array(), *section;
    json_t *sections = json_object_get(builder->definition, "sections");
    size_t index, count = json_array_size(sections);
    json_array_foreach(sections, index, section)
    {
        json_t *shown = json_pack(
            "{s:I, s:I, s:b, s:b, s:b, s:o, s:o}", "number", (json_int_t)index, "ordinal",
            (json_int_t)index + 1, "first", index == 0, "last", index + 1 == count,
            "only", count == 1, "fields",
            show_fields(builder, problems, json_object_get(section, "fields"), NULL),
            "problems", problems_of(problems, NULL, index));
        builder_put_words(shown, "title", json_object_get(section, "title"));
        json_object_set_new(shown, "several", json_boolean(count > 1));
        json_object_set_new(shown, "places", places(sections, index));
        json_array_append_new(list, shown);
    }
    return list;
}

/* Questions of the profile that members may answer and that the form has not. */
static json_t *profile_list(const struct builder *builder)
{
    json_t *list = json_array(), *section, *item;
    struct edit_place place;
    size_t i, j;
    json_t *person = builder->profile ? form_definition(site.forms, "person") : NULL;
    json_array_foreach(json_object_get(person, "sections"), i, section)
    {
        json_array_foreach(json_object_get(section, "fields"), j, item)
        {
            const char *name = text_at(item, "name", "");
            if (strcmp(text_at(item, "audience", ""), "admin") == 0 ||
                edit_find(&place, builder->definition, name))
                continue;
            json_t *shown = json_pack("{s:s}", "name", name);
            builder_put_words(shown, "label", json_object_get(item, "label"));
            json_array_append_new(list, shown);
        }
    }
    return list;
}

/* What a removal offers: {path, version, label}. */
static json_t *undo_offer(const struct builder *builder)
{
    struct edit_place place;
    json_t *draft;
    int64_t version;
    const char *path = query_argument(builder->request, "undo");
    if (path == NULL || edit_find(&place, builder->definition, path) ||
        number_of(&version, query_argument(builder->request, "from")) != OK ||
        form_draft_read(&draft, builder->request->db, builder->id, version) != OK ||
        !edit_find(&place, json_object_get(draft, "definition"), path))
        return json_null();
    json_t *offer = json_pack("{s:s, s:I}", "path", path, "from", (json_int_t)version);
    builder_put_words(offer, "label", json_object_get(place.field, "label"));
    return offer;
}

enum result admin_form_show(struct request *request, struct response *response)
{
    struct builder builder;
    json_t *removed;
    TRY(builder_open(&builder, request, response));
    TRY(form_draft_list_removed(&removed, request->db, builder.id));
    json_t *problems = form_problem_list(request, builder.base, builder.definition);
    json_t *sections = show_sections(&builder, problems);
    json_t *profile = profile_list(&builder);
    json_t *document =
        json_pack("{s:o, s:o, s:o, s:b, s:o, s:b, s:o}", "sections", sections, "undo",
                  undo_offer(&builder), "removed", removed, "any_removed",
                  json_array_size(removed) > 0, "profile_fields", profile, "any_profile",
                  json_array_size(profile) > 0, "problems", problems);
    builder_put_words(document, "form_title",
                      json_object_get(builder.definition, "title"));
    return builder_page(&builder, "builder/form.html", document);
}

/* What a button asks for. */
struct deed {
    struct builder *builder;
    const char *verb, *path; /* "up", "phone" or "links.url" */
    int64_t numbers[2];      /* of "place", "put_back", or the number in `path` */
    const char *notice, *anchor, *undo;
};

/* "place:phone:1:4", "put_back:12:phone", "section_up:0". */
static bool read_deed(struct deed *deed, const char *action)
{
    struct arena *arena = deed->builder->request->arena;
    const char *parts[4] = {"", "", "", ""};
    for (int i = 0; i < 4 && action != NULL; i++) {
        size_t length = strcspn(action, ":");
        parts[i] = arena_copy(arena, action, length);
        action = action[length] == ':' ? action + length + 1 : NULL;
    }
    bool back = strcmp(parts[0], "put_back") == 0;
    deed->verb = parts[0];
    deed->path = back ? parts[2] : parts[1];
    const char *digits[2] = {parts[1], parts[1]};
    if (strcmp(parts[0], "place") == 0) {
        digits[0] = parts[2];
        digits[1] = parts[3];
    }
    for (int i = 0; i < 2; i++)
        if (*digits[i] != '\0' && strspn(digits[i], "0123456789") == strlen(digits[i]) &&
            strlen(digits[i]) < 10)
            deed->numbers[i] = strtoll(digits[i], NULL, 10);
        else
            deed->numbers[i] = -1;
    return *deed->verb != '\0';
}

/* A section's number from the field `name`.`suffix`; -1 when there is none. */
static int64_t chosen_number(const struct request *request, const char *name,
                             const char *suffix)
{
    const char *text = field(request, arena_print(request->arena, "%s.%s", name, suffix));
    return text != NULL && *text != '\0' && strlen(text) < 6 &&
                   strspn(text, "0123456789") == strlen(text)
               ? strtoll(text, NULL, 10)
               : -1;
}

static bool do_copy(struct deed *deed)
{
    json_t *definition = deed->builder->definition;
    const char *made;
    if (!edit_copy(&made, definition, deed->path, deed->builder->published))
        return false;
    deed->anchor = builder_anchor(arena_current(), made);
    deed->notice = "question_copied";
    return true;
}

static bool do_remove(struct deed *deed)
{
    if (!edit_remove(deed->builder->definition, deed->path))
        return false;
    deed->notice = "question_removed";
    deed->undo = deed->path;
    deed->anchor = "";
    return true;
}

static bool do_move(struct deed *deed)
{
    struct builder *builder = deed->builder;
    bool place = strcmp(deed->verb, "place") == 0;
    int64_t section =
        place ? deed->numbers[0] : chosen_number(builder->request, "to", deed->path);
    int64_t position = place ? deed->numbers[1] : 100 * 1000;
    return section >= 0 && position >= 0 &&
           edit_place(builder->definition, deed->path, (size_t)section, (size_t)position);
}

static bool do_profile(struct deed *deed)
{
    struct builder *builder = deed->builder;
    struct edit_place place, there;
    const char *name = field(
        builder->request, arena_print(builder->request->arena, "profile.%s", deed->path));
    json_t *person = form_definition(site.forms, "person");
    if (!builder->profile || name == NULL || !edit_find(&place, person, name) ||
        place.group != NULL || edit_find(&there, builder->definition, name) ||
        strcmp(text_at(place.field, "audience", ""), "admin") == 0 ||
        deed->numbers[0] < 0)
        return false;
    deed->anchor = builder_anchor(arena_current(), name);
    deed->notice = "question_added";
    return edit_add(builder->definition, (size_t)deed->numbers[0], NULL, place.field);
}

static bool do_section(struct deed *deed)
{
    json_t *definition = deed->builder->definition;
    if (deed->numbers[0] < 0)
        return false;
    size_t number = (size_t)deed->numbers[0];
    if (strcmp(deed->verb, "section_remove") == 0) {
        deed->notice = "section_removed";
        deed->anchor = "";
        return edit_remove_section(definition, number);
    }
    int by = strcmp(deed->verb, "section_up") == 0 ? -1 : 1;
    deed->anchor = arena_print(arena_current(), "s-%zu",
                               by < 0 ? number - (number > 0) : number + 1);
    return edit_move_section(definition, number, by);
}

static bool do_put_back(struct deed *deed)
{
    struct builder *builder = deed->builder;
    json_t *draft;
    deed->notice = "question_put_back";
    return deed->numbers[0] > 0 &&
           form_draft_read(&draft, builder->request->db, builder->id, deed->numbers[0]) ==
               OK &&
           edit_restore(builder->definition, json_object_get(draft, "definition"),
                        deed->path);
}

/* Fields within a group of the profile are the profile's. */
static bool is_fixed(const struct deed *deed)
{
    return strchr(deed->path, '.') != NULL &&
           builder_of_profile(deed->builder, deed->path);
}

static bool do_deed(struct deed *deed)
{
    json_t *definition = deed->builder->definition;
    const char *verb = deed->verb;
    deed->anchor = builder_anchor(arena_current(), deed->path);
    deed->notice = "form_changed";
    if (strncmp(verb, "section_", 8) == 0)
        return do_section(deed);
    if (strcmp(verb, "profile") == 0)
        return do_profile(deed);
    if (strcmp(verb, "put_back") == 0)
        return do_put_back(deed);
    if (is_fixed(deed))
        return false;
    if (strcmp(verb, "up") == 0 || strcmp(verb, "down") == 0)
        return edit_move(definition, deed->path, *verb == 'u' ? -1 : 1);
    if (strcmp(verb, "to") == 0 || strcmp(verb, "place") == 0)
        return do_move(deed);
    if (strcmp(verb, "copy") == 0)
        return !builder_of_profile(deed->builder, deed->path) && do_copy(deed);
    return strcmp(verb, "remove") == 0 && do_remove(deed);
}

/* What can't be done any more (a button pressed twice) changes nothing and says so. */
enum result admin_form_change(struct request *request, struct response *response)
{
    struct builder builder;
    struct deed deed = {.builder = &builder};
    TRY(builder_open(&builder, request, response));
    if (!builder_is_current(&builder))
        return builder_conflict(&builder, NULL, NULL);
    if (!read_deed(&deed, field(request, "action")) || !do_deed(&deed)) {
        flow_done(response, builder.base, "unchanged_form");
        return OK;
    }
    const char *below = deed.undo != NULL
                            ? arena_print(request->arena, "?undo=%s&from=%lld", deed.undo,
                                          (long long)builder.version)
                            : "";
    enum result result = builder_save(&builder, below, deed.notice, deed.anchor);
    return result == CONFLICT ? builder_conflict(&builder, NULL, NULL) : result;
}

enum result admin_form_publish(struct request *request, struct response *response)
{
    struct builder builder;
    int64_t version;
    struct actor actor = actor_of(request);
    TRY(builder_open(&builder, request, response));
    if (!builder_is_current(&builder))
        return builder_conflict(&builder, NULL, NULL);
    if (json_array_size(form_problems(builder.definition)) > 0) {
        response->status = 422;
        return admin_form_show(request, response);
    }
    enum result result =
        collection_publish(&version, request->db, &actor, builder.id, builder.version);
    if (result == CONFLICT)
        return builder_conflict(&builder, NULL, NULL);
    TRY(result);
    flow_done(response, arena_print(request->arena, "%s/versions", builder.base),
              "form_published");
    return OK;
}
