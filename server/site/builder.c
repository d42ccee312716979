/* The frame of the builder's pages: whose form it is, saving it against the version that
 * was seen, and what to show when somebody else was faster. */
#include "server/site/builder.h"

#include "db/store/change.h"
#include "db/store/collection.h"
#include "db/store/form_version.h"
#include "server/base/document.h"
#include "server/form/difference.h"
#include "server/form/forms.h"
#include "server/site/collections.h"
#include "server/site/flow.h"
#include "server/site/site.h"
#include "server/site/values.h"
#include "server/view/view.h"

#include <string.h>

static void note_fields(json_t *published, json_t *fields, const char *group)
{
    json_t *field, *choice;
    size_t i, j;
    json_array_foreach(fields, i, field)
    {
        const char *path = text_at(field, "name", "");
        if (group != NULL)
            path = arena_print(arena_current(), "%s.%s", group, path);
        json_t *known = json_object_get(published, path);
        if (known == NULL) {
            known = json_pack("{s:{}}", "values");
            json_object_set_new(published, path, known);
        }
        json_array_foreach(json_object_get(field, "choices"), j, choice)
            json_object_set_new(json_object_get(known, "values"),
                                text_at(choice, "value", ""), json_true());
        if (group == NULL)
            note_fields(published, json_object_get(field, "fields"), path);
    }
}

static enum result find_published(struct builder *builder)
{
    json_t *versions, *version, *section;
    size_t i, j;
    builder->published = json_object();
    TRY(form_version_list(&versions, builder->request->db, builder->id));
    json_array_foreach(versions, i, version)
    {
        json_t *definition = json_object_get(version, "definition");
        json_array_foreach(json_object_get(definition, "sections"), j, section)
            note_fields(builder->published, json_object_get(section, "fields"), NULL);
    }
    return OK;
}

enum result builder_open(struct builder *builder, struct request *request,
                         struct response *response)
{
    *builder = (struct builder){.request = request, .response = response};
    TRY(collection_of(&builder->collection, request));
    builder->definition = json_object_get(builder->collection, "definition");
    builder->id = integer_at(builder->collection, "id");
    builder->version = integer_at(builder->collection, "definition_version");
    builder->profile = strcmp(text_at(builder->collection, "kind", ""), "profile") == 0;
    builder->base = collection_path(request, builder->collection, "/form");
    return find_published(builder);
}

static int64_t seen_version(const struct builder *builder)
{
    int64_t version;
    return number_of(&version, field(builder->request, "version")) == OK ? version : 0;
}

enum result builder_page(struct builder *builder, const char *template, json_t *document)
{
    /* A page that is drawn again keeps the version that was seen, unless it shows what
     * has changed since. */
    bool again = builder->request->method == POST && builder->response->status != 409;
    json_object_set_new(document, "base", json_string(builder->base));
    json_object_set_new(document, "version",
                        json_integer(again ? seen_version(builder) : builder->version));
    return collection_page(builder->request, builder->response, template, document,
                           builder->collection);
}

bool builder_is_current(const struct builder *builder)
{
    return seen_version(builder) == builder->version;
}

enum result builder_save(struct builder *builder, const char *below, const char *notice,
                         const char *anchor)
{
    int64_t now;
    struct actor actor = actor_of(builder->request);
    TRY(collection_set_definition(&now, builder->request->db, &actor, builder->id,
                                  builder->version, builder->definition));
    response_redirect(builder->response,
                      arena_print(builder->request->arena, "%s%s%snotice=%s%s%s",
                                  builder->base, below, strchr(below, '?') ? "&" : "?",
                                  notice, *anchor ? "#" : "", anchor));
    response_header(builder->response, "Cache-Control", "private, no-store");
    return OK;
}

static enum result changes_since(json_t **changes, struct builder *builder,
                                 int64_t version)
{
    json_t *draft;
    *changes = json_null();
    enum result found =
        version > 0 && version < builder->version
            ? form_draft_read(&draft, builder->request->db, builder->id, version)
            : NOT_FOUND;
    if (found == NOT_FOUND)
        return OK;
    TRY(found);
    *changes = form_changes(json_object_get(draft, "definition"), builder->definition);
    builder_dress_changes(*changes);
    return OK;
}

void builder_dress_changes(json_t *changes)
{
    json_t *change, *attribute;
    size_t i, j;
    json_array_foreach(changes, i, change)
    {
        json_t *what = json_object_get(change, "what"), *dressed = json_array();
        json_array_foreach(what, j, attribute)
        {
            const char *word = json_string_value(attribute);
            const char *key = arena_print(arena_current(), "builder.attribute.%s", word);
            json_array_append_new(
                dressed, json_pack("{s:s, s:b}", "word",
                                   view_has_message(site.view, key) ? word : "other",
                                   "last", j + 1 == json_array_size(what)));
        }
        json_object_set_new(change, "what", dressed);
        json_object_set_new(change, "any_what",
                            json_boolean(json_array_size(dressed) > 0));
    }
}

/* The body's fields but those that are new on the page. */
static json_t *fields_again(const struct request *request)
{
    json_t *list = json_array(), *values, *value;
    const char *name;
    size_t i;
    json_object_foreach(request->fields, name, values)
    {
        if (strcmp(name, "csrf") == 0 || strcmp(name, "version") == 0)
            continue;
        json_array_foreach(values, i, value)
        {
            if (json_is_string(value))
                json_array_append_new(
                    list, json_pack("{s:s, s:O}", "name", name, "value", value));
        }
    }
    return list;
}

enum result builder_add_conflict(json_t *document, struct builder *builder,
                                 const struct form *form, json_t *theirs, json_t *mine)
{
    json_t *changes = json_null(), *rows = json_array();
    if (form != NULL) {
        builder->response->status = 409;
        TRY(changes_since(&changes, builder, seen_version(builder)));
        rows = difference_rows(builder->request, form, change_differences(theirs, mine));
    }
    json_object_set_new(document, "conflict", json_boolean(form != NULL));
    json_object_set_new(document, "known", json_boolean(json_array_size(changes) > 0));
    json_object_set(document, "changes", changes);
    json_object_set(document, "rows", rows);
    return OK;
}

static json_t *titles_of(json_t *definition)
{
    json_t *titles = json_array(), *section;
    size_t i;
    json_array_foreach(json_object_get(definition, "sections"), i, section)
    {
        json_t *title = json_object_get(section, "title");
        json_array_append(titles, title != NULL ? title : json_null());
    }
    return titles;
}

/* The titles as they were on the page; NULL: not known. */
static json_t *titles_seen(const struct builder *builder)
{
    json_t *draft;
    return form_draft_read(&draft, builder->request->db, builder->id,
                           seen_version(builder)) == OK
               ? titles_of(json_object_get(draft, "definition"))
               : NULL;
}

int64_t builder_section_now(const struct builder *builder, size_t number)
{
    json_t *seen = titles_seen(builder), *title;
    json_t *wanted = json_array_get(seen, number);
    size_t i;
    json_array_foreach(titles_of(builder->definition), i, title)
    {
        if (wanted != NULL && json_equal(title, wanted))
            return (int64_t)i;
    }
    return -1;
}

enum result builder_conflict(struct builder *builder, const char *action, json_t *more)
{
    struct builder now;
    json_t *changes, *field, *fields = fields_again(builder->request);
    size_t i;
    TRY(builder_open(&now, builder->request, builder->response));
    TRY(changes_since(&changes, &now, seen_version(&now)));
    json_t *seen = titles_seen(&now);
    bool safe =
        action != NULL || (seen != NULL && json_equal(seen, titles_of(now.definition)));
    json_array_foreach(more, i, field) json_array_append(fields, field);
    json_t *document = json_pack("{s:o, s:s, s:b, s:b}", "fields", fields, "action",
                                 action != NULL ? action : builder->request->path, "safe",
                                 (int)safe, "known", json_array_size(changes) > 0);
    json_object_set_new(document, "changes", changes);
    json_object_set_new(document, "rows", json_array());
    builder->response->status = 409;
    return builder_page(&now, "builder/conflict.html", document);
}

bool builder_of_profile(const struct builder *builder, const char *path)
{
    const struct form *person = form_named(site.forms, "person");
    const char *name = arena_copy(builder->request->arena, path, strcspn(path, "."));
    return builder->profile && person != NULL &&
           field_named(person->fields, person->field_count, name) != NULL;
}

const char *builder_anchor(struct arena *arena, const char *path)
{
    char *anchor = arena_print(arena, "q-%s", path);
    for (char *at = anchor; *at != '\0'; at++)
        if (*at == '.')
            *at = '-';
    return anchor;
}

void builder_put_words(json_t *shown, const char *key, json_t *words)
{
    for (int i = 0; i < LANGUAGE_COUNT; i++) {
        const char *text = filled_of(words, language_codes[i]);
        json_object_set_new(shown,
                            arena_print(arena_current(), "%s_%s", key, language_codes[i]),
                            text != NULL ? json_string(text) : json_null());
    }
}
