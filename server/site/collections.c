/* A collection as its pages show it, and the forms that new ones begin with. */
#include "server/site/collections.h"

#include "db/store/collection.h"
#include "server/base/document.h"
#include "server/form/forms.h"
#include "server/site/flow.h"
#include "server/site/site.h"
#include "server/site/tags.h"
#include "server/view/view.h"

#include <string.h>

enum result collection_of(json_t **collection, struct request *request)
{
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    return collection_row(collection, request->db, id);
}

const char *collection_path(const struct request *request, const json_t *collection,
                            const char *below)
{
    return arena_print(request->arena, "/admin/collections/%lld%s",
                       (long long)integer_at(collection, "id"), below);
}

static void add_state(json_t *collection)
{
    static const char *const states[] = {"draft", "open", "closing", "closed"};
    const char *state = text_at(collection, "state", "");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        json_object_set_new(collection, arena_print(arena_current(), "is_%s", states[i]),
                            json_boolean(strcmp(states[i], state) == 0));
    tag_add(collection, "collection");
    json_t *left = json_object_get(collection, "days_left");
    json_object_set_new(collection, "is_over",
                        json_boolean(strcmp(state, "closed") != 0 &&
                                     json_is_integer(left) &&
                                     json_integer_value(left) < 0));
    json_object_set_new(collection, "answered",
                        json_integer(integer_at(collection, "submitted") +
                                     integer_at(collection, "approved")));
}

void collection_states(json_t *collections)
{
    size_t index;
    json_t *collection;
    json_array_foreach(collections, index, collection) add_state(collection);
}

/* "/admin/collections/7/people/random" is in "people". */
static json_t *tabs(const char *path)
{
    static const char *const names[] = {"board", "people", "waves",  "form",
                                        "pilot", "mails",  "export", "settings"};
    json_t *tabs = json_object();
    const char *at = path;
    for (int i = 0; i < 3 && at != NULL; i++)
        at = strchr(at + 1, '/');
    const char *segment = at == NULL ? "board" : at + 1;
    size_t length = strcspn(segment, "/");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_object_set_new(tabs, names[i],
                            json_boolean(strlen(names[i]) == length &&
                                         strncmp(names[i], segment, length) == 0));
    return tabs;
}

void collection_add(json_t *document, const struct request *request, json_t *collection)
{
    json_t *shown = json_copy(collection);
    json_object_del(shown, "definition");
    add_state(shown);
    json_object_set_new(document, "collection", shown);
    json_object_set_new(document, "tab", tabs(request->path));
}

enum result collection_page(struct request *request, struct response *response,
                            const char *template, json_t *document, json_t *collection)
{
    collection_add(document, request, collection);
    return flow_page(request, response, template, document);
}

static bool for_members(const json_t *field)
{
    return strcmp(text_at(field, "audience", "member"), "admin") != 0;
}

/* Sections that have no others go too. */
json_t *collection_members_part(json_t *definition)
{
    json_t *sections = json_array(), *section, *field;
    size_t at, index;
    json_array_foreach(json_object_get(definition, "sections"), at, section)
    {
        json_t *fields = json_array();
        json_array_foreach(json_object_get(section, "fields"), index, field)
        {
            if (for_members(field))
                json_array_append(fields, field);
        }
        json_object_set(section, "fields", fields);
        if (json_array_size(fields) > 0)
            json_array_append(sections, section);
    }
    json_object_set(definition, "sections", sections);
    return definition;
}

/* One section with nothing in it yet. */
static json_t *empty_form(void)
{
    const char *titles[LANGUAGE_COUNT];
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        titles[i] = view_message(site.view, (enum language)i, "collection.first_section");
    return json_pack(
        "{s:{s:s,s:s},s:[{s:{s:s,s:s},s:[]}]}", "title", "en",
        view_message(site.view, ENGLISH, "collection.default.custom.title"), "zh",
        view_message(site.view, CHINESE, "collection.default.custom.title"), "sections",
        "title", "en", titles[ENGLISH], "zh", titles[CHINESE], "fields");
}

enum result collection_definition(json_t **definition, const char *kind)
{
    bool profile = strcmp(kind, "profile") == 0;
    if (strcmp(kind, "custom") == 0) {
        *definition = empty_form();
        return OK;
    }
    if (!profile && strcmp(kind, "publications") != 0)
        return INVALID;
    *definition = form_definition(site.forms, profile ? "person" : "publication_check");
    if (*definition != NULL && profile)
        *definition = collection_members_part(*definition);
    return *definition != NULL ? OK : FAILED;
}
