/* Collections: the list, new ones, their words and settings, and what becomes of them. */
#include "server/site/admin_collections.h"

#include "db/store/change.h"
#include "db/store/collection.h"
#include "db/store/lab.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/site/collections.h"
#include "server/site/flow.h"
#include "server/site/site.h"
#include "server/site/values.h"
#include "server/view/view.h"

#include <string.h>

enum result collection_index(struct request *request, struct response *response)
{
    json_t *collections;
    TRY(collection_list(&collections, request->db));
    collection_states(collections);
    return flow_page(request, response, "collections/index.html",
                     json_pack("{s:O,s:b}", "collections", collections, "some",
                               json_array_size(collections) > 0));
}

/* One language left empty says what the other says. */
static void fill_titles(json_t *document)
{
    const char *en = filled_of(document, "title_en"),
               *zh = filled_of(document, "title_zh");
    json_object_set_new(document, "title_en", json_string(en ? en : zh));
    json_object_set_new(document, "title_zh", json_string(zh ? zh : en));
}

static bool over(const char *day, const char *today)
{
    return day != NULL && today != NULL && strcmp(day, today) < 0;
}

/* The last day that is set, unless it was so before, must not be over. */
static enum result read_settings(struct submission *form, struct request *request,
                                 struct response *response, const json_t *before)
{
    json_t *today;
    enum result read = flow_form(form, request, response, "collection", FOR_ADMIN);
    if (read != OK)
        return read;
    TRY(collection_today(&today, request->db));
    const char *day = text_of(form->document, "deadline"),
               *old = text_of(before, "deadline");
    if (over(day, text_of(today, "today")) && (old == NULL || strcmp(old, day) != 0)) {
        form_error(form, "deadline", "day_over");
        response->status = 422;
        return INVALID;
    }
    fill_titles(form->document);
    return OK;
}

/* New ones. */

static const char *kind_of(const struct request *request)
{
    static const char *const kinds[] = {"profile", "publications", "custom"};
    const char *kind = query_argument(request, "kind");
    for (size_t i = 0; kind != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return kind;
    return NULL;
}

static json_t *default_words(const struct request *request, const char *kind)
{
    static const char *const keys[] = {"title", "words", "thanks"};
    json_t *values = json_pack("{s:[s,s,s],s:i,s:i}", "remind_days", "7", "3", "1",
                               "remind_most", 3, "remind_gap", 2);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (int language = 0; language < LANGUAGE_COUNT; language++) {
            const char *text =
                view_message(site.view, (enum language)language,
                             arena_print(request->arena, "%s%s.%s", "collection.default.",
                                         kind, keys[i]));
            json_object_set_new(
                values,
                arena_print(request->arena, "%s_%s", keys[i], language_codes[language]),
                json_string(text));
        }
    return values;
}

static enum result draw_new(struct request *request, struct response *response,
                            const char *kind, const struct submission *form)
{
    json_t *document = json_pack("{s:s?}", "kind", kind);
    flow_add_form(document, request, "collection",
                  kind ? default_words(request, kind) : NULL, form);
    return flow_page(request, response, "collections/new.html", document);
}

enum result collection_new(struct request *request, struct response *response)
{
    return draw_new(request, response, kind_of(request), NULL);
}

enum result collection_new_submit(struct request *request, struct response *response)
{
    struct submission form;
    struct actor actor = actor_of(request);
    const char *kind = kind_of(request);
    json_t *definition;
    int64_t id;
    if (kind == NULL)
        return INVALID;
    enum result read = read_settings(&form, request, response, NULL);
    if (read == INVALID)
        return draw_new(request, response, kind, &form);
    TRY(read);
    TRY(lab_ensure(request->db)); /* its time zone is the deadline's */
    TRY(collection_definition(&definition, kind));
    if (strcmp(kind, "custom") == 0) {
        json_object_set_new(definition, "title",
                            json_pack("{s:O,s:O}", "en",
                                      json_object_get(form.document, "title_en"), "zh",
                                      json_object_get(form.document, "title_zh")));
    }
    TRY(collection_create(&id, request->db, &actor, kind, form.document, definition));
    flow_done(response,
              arena_print(request->arena, "/admin/collections/%lld/%s", (long long)id,
                          strcmp(kind, "custom") == 0 ? "form" : "people"),
              "collection_created");
    return OK;
}

/* Words and settings. */

struct settings {
    const struct submission *form; /* what was sent and not taken; or NULL */
    json_t
        *conflict; /* what another made of it meanwhile: rows of differences, or NULL */
    bool stale_state;
};

/* The numbers of days as the form's choices. */
static json_t *values_of(const json_t *collection)
{
    json_t *values = json_deep_copy(collection), *days = json_array(), *day;
    size_t index;
    json_array_foreach(json_object_get(collection, "remind_days"), index, day)
        json_array_append_new(
            days, json_string(arena_print(arena_current(), "%lld",
                                          (long long)json_integer_value(day))));
    json_object_set(values, "remind_days", days);
    return values;
}

static enum result draw_settings(struct request *request, struct response *response,
                                 json_t *collection, const struct settings *settings)
{
    json_t *document = json_object();
    flow_add_form(document, request, "collection", values_of(collection), settings->form);
    json_object_set_new(document, "conflict",
                        settings->conflict
                            ? json_pack("{s:O}", "rows", settings->conflict)
                            : json_null());
    json_object_set_new(document, "stale_state", json_boolean(settings->stale_state));
    json_object_set_new(document, "moves",
                        collection_moves(text_at(collection, "state", "")));
    return collection_page(request, response, "collections/settings.html", document,
                           collection);
}

enum result collection_settings(struct request *request, struct response *response)
{
    json_t *collection;
    TRY(collection_of(&collection, request));
    return draw_settings(request, response, collection, &(struct settings){0});
}

/* Only what the form has. */
static json_t *settings_part(const struct form *form, const json_t *values)
{
    json_t *part = json_object();
    for (size_t i = 0; i < form->field_count; i++) {
        json_t *value = json_object_get(values, form->fields[i].name);
        json_object_set(part, form->fields[i].name, value ? value : json_null());
    }
    return part;
}

enum result collection_settings_save(struct request *request, struct response *response)
{
    struct submission form;
    struct actor actor = actor_of(request);
    json_t *collection;
    int64_t version;
    TRY(collection_of(&collection, request));
    struct settings settings = {.form = &form};
    if (number_of(&version, field(request, "version")) != OK)
        version = 0;
    enum result done = read_settings(&form, request, response, collection);
    if (done == INVALID)
        return draw_settings(request, response, collection, &settings);
    TRY(done);
    done = collection_update(request->db, &actor, integer_at(collection, "id"), version,
                             form.document);
    if (done == CONFLICT) {
        const struct form *fields = form_named(site.forms, "collection");
        TRY(collection_of(&collection, request));
        settings.conflict = difference_rows(
            request, fields,
            change_differences(settings_part(fields, values_of(collection)),
                               settings_part(fields, form.document)));
        response->status = 409;
        return draw_settings(request, response, collection, &settings);
    }
    TRY(done);
    flow_done(response, collection_path(request, collection, "/settings"), "saved");
    return OK;
}

/* What becomes of it. */

enum result collection_state_set(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    const char *from = field(request, "from"), *to = field(request, "to");
    json_t *collection;
    TRY(collection_of(&collection, request));
    if (from == NULL || to == NULL)
        return INVALID;
    enum result done =
        collection_set_state(request->db, &actor, integer_at(collection, "id"), from, to);
    if (done == CONFLICT) {
        TRY(collection_of(&collection, request));
        response->status = 409;
        return draw_settings(request, response, collection,
                             &(struct settings){.stale_state = true});
    }
    TRY(done);
    flow_done(response, collection_path(request, collection, "/settings"),
              arena_print(request->arena, "%s%s", "collection_", to));
    return OK;
}

/* "Profiles 2026" → "Profiles 2027"; what has no year is called a copy. */
static const char *next_title(const struct request *request, const char *title,
                              enum language language)
{
    for (const char *at = title; *at != '\0'; at++) {
        if (strncmp(at, "20", 2) != 0 || strspn(at, "0123456789") != 4 ||
            (at > title && at[-1] >= '0' && at[-1] <= '9'))
            continue;
        int year = (at[2] - '0') * 10 + at[3] - '0' + 2001;
        return arena_print(request->arena, "%.*s%d%s", (int)(at - title), title, year,
                           at + 4);
    }
    return arena_print(request->arena, "%s%s", title,
                       view_message(site.view, language, "collection.copy_suffix"));
}

enum result collection_duplicate_submit(struct request *request,
                                        struct response *response)
{
    struct actor actor = actor_of(request);
    json_t *collection;
    int64_t copy;
    TRY(collection_of(&collection, request));
    TRY(collection_duplicate(
        &copy, request->db, &actor, integer_at(collection, "id"),
        next_title(request, text_at(collection, "title_en", ""), ENGLISH),
        next_title(request, text_at(collection, "title_zh", ""), CHINESE)));
    flow_done(
        response,
        arena_print(request->arena, "/admin/collections/%lld/settings", (long long)copy),
        "collection_duplicated");
    return OK;
}

enum result collection_draft_delete(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    json_t *collection;
    TRY(collection_of(&collection, request));
    enum result done =
        collection_delete(request->db, &actor, integer_at(collection, "id"));
    if (done == CONFLICT) {
        response->status = 409;
        return draw_settings(request, response, collection,
                             &(struct settings){.stale_state = true});
    }
    TRY(done);
    flow_done(response, "/admin/collections", "collection_deleted");
    return OK;
}
