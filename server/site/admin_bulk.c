/* /admin/publications: the works by the filters of the public list, and one change made
 * to many of them: each through its own change, so that its history has it, and told of
 * each what became of it. */
#include "db/store/change.h"
#include "db/store/public.h"
#include "db/store/topic.h"
#include "server/base/utf8.h"
#include "server/site/admin.h"
#include "server/site/flow.h"
#include "server/site/publications.h"
#include "server/site/work_filter.h"

#include <stdlib.h>
#include <string.h>

enum { WORKS_MOST = 1000, VENUE_MAX = 500, WEIGHT_MAX = 1000 };

static const char *const kinds[] = {"article", "conference", "book",     "chapter",
                                    "thesis",  "report",     "preprint", "software",
                                    "dataset", "other",      NULL};

/* What is altered alone, and given back by undoing. */
static const char *const keys[] = {"kind", "venue", "selected", "weight", "topics"};

enum result admin_publication_index(struct request *request, struct response *response)
{
    json_t *document, *works, *topics;
    struct public_works_filter filter;
    const char *base = "/admin/publications";
    TRY(works_list(&document, &works, &filter, request, base));
    TRY(topic_list(&topics, request->db));
    works_prepare(works);
    const char *query = work_filter_query(request->arena, &filter, NULL);
    json_object_set_new(
        document, "action",
        json_string(arena_print(request->arena, "/admin/publications/bulk%s", query)));
    json_object_set(document, "works", works);
    json_object_set_new(document, "kind_options", flow_options(kinds, NULL));
    json_object_set_new(document, "has_topics",
                        json_boolean(json_array_size(topics) > 0));
    json_object_set(document, "topics", topics);
    return flow_page(request, response, "admin/publications.html", document);
}

/* What is to be made of each. */
struct deed {
    const char *kind, *venue, *selected; /* NULL: stays */
    bool no_venue, weighs;
    json_int_t weight;
    json_t *add, *drop; /* slugs of topics */
};

/* The values of a field, however often it was sent. */
static json_t *values_of(const struct request *request, const char *name)
{
    json_t *values = json_object_get(request->fields, name), *list = json_array(), *value;
    size_t i;
    json_array_foreach(values, i, value)
    {
        if (json_string_length(value) > 0)
            json_array_append(list, value);
    }
    return list;
}

static const char *filled_field(const struct request *request, const char *name)
{
    const char *value = field(request, name);
    return value != NULL && value[strspn(value, " \t")] != '\0' ? value : NULL;
}

/* INVALID: a value that no work could have. */
static enum result read_deed(struct deed *deed, const struct request *request)
{
    const char *kind = filled_field(request, "set_kind"),
               *weight = filled_field(request, "set_weight"),
               *selected = filled_field(request, "set_selected");
    *deed = (struct deed){.kind = kind,
                          .venue = filled_field(request, "set_venue"),
                          .no_venue = field(request, "no_venue") != NULL,
                          .selected = selected,
                          .weighs = weight != NULL,
                          .add = values_of(request, "add_topic"),
                          .drop = values_of(request, "drop_topic")};
    size_t i = 0;
    while (kind != NULL && kinds[i] != NULL && strcmp(kinds[i], kind) != 0)
        i++;
    if (kind != NULL && kinds[i] == NULL)
        return INVALID;
    if (selected != NULL && strcmp(selected, "yes") != 0 && strcmp(selected, "no") != 0)
        return INVALID;
    if (deed->venue != NULL)
        deed->venue = utf8_nfc(request->arena, deed->venue, strlen(deed->venue));
    if (deed->venue != NULL && utf8_length(deed->venue, strlen(deed->venue)) > VENUE_MAX)
        return INVALID;
    if (weight != NULL) {
        char *end;
        deed->weight = strtol(weight, &end, 10);
        if (*end != '\0' || deed->weight > WEIGHT_MAX || deed->weight < -WEIGHT_MAX)
            return INVALID;
    }
    return OK;
}

static bool does_nothing(const struct deed *deed)
{
    return deed->kind == NULL && deed->venue == NULL && !deed->no_venue &&
           deed->selected == NULL && !deed->weighs && json_array_size(deed->add) == 0 &&
           json_array_size(deed->drop) == 0;
}

static bool among(const json_t *list, const char *text)
{
    size_t i;
    json_t *value;
    json_array_foreach(list, i, value)
    {
        if (strcmp(json_string_value(value), text) == 0)
            return true;
    }
    return false;
}

static json_t *topics_after(const struct deed *deed, const json_t *topics)
{
    json_t *list = json_array(), *has = json_array(), *topic, *slug;
    size_t i;
    json_array_foreach(topics, i, topic)
    {
        const char *its = text_at(topic, "topic", "");
        if (among(deed->drop, its))
            continue;
        json_array_append(list, topic);
        json_array_append_new(has, json_string(its));
    }
    json_array_foreach(deed->add, i, slug)
    {
        if (!among(has, json_string_value(slug)))
            json_array_append_new(list, json_pack("{s:O}", "topic", slug));
    }
    return list;
}

/* The keys of a work that become others. */
static json_t *document_after(const struct deed *deed, const json_t *now)
{
    json_t *document = json_object();
    if (deed->kind != NULL)
        json_object_set_new(document, "kind", json_string(deed->kind));
    if (deed->no_venue)
        json_object_set_new(document, "venue", json_null());
    else if (deed->venue != NULL)
        json_object_set_new(document, "venue", json_string(deed->venue));
    if (deed->selected != NULL)
        json_object_set_new(document, "selected",
                            json_boolean(strcmp(deed->selected, "yes") == 0));
    if (deed->weighs)
        json_object_set_new(document, "weight",
                            deed->weight != 0 ? json_integer(deed->weight) : json_null());
    if (json_array_size(deed->add) + json_array_size(deed->drop) > 0)
        json_object_set_new(document, "topics",
                            topics_after(deed, json_object_get(now, "topics")));
    return document;
}

/* What became of one: {id, slug, title, result: "updated" | "unchanged" | "refused" |
 * "gone" | "moved", seen: "id.version"}. Trouble with one is no trouble with the next,
 * but an outage is. */
static enum result save(json_t **told, struct request *request, int64_t id,
                        const json_t *current, json_t *document)
{
    struct actor actor = actor_of(request);
    struct proposal proposal = {.entity = "publication",
                                .target = id,
                                .base_version = integer_at(current, "version"),
                                .change_version = -1,
                                .document = document,
                                .source = "form"};
    json_t *outcome = NULL;
    enum result saved = change_save(&outcome, request->db, &actor, &proposal);
    if (saved == BUSY || saved == FAILED)
        return saved;
    const char *word = saved == OK         ? text_at(outcome, "outcome", "updated")
                       : saved == CONFLICT ? "moved"
                                           : "refused";
    json_int_t version = integer_at(outcome, "version");
    *told = json_pack(
        "{s:I,s:O,s:O,s:s,s:s}", "id", (json_int_t)id, "slug",
        json_object_get(current, "slug"), "title",
        json_object_get(json_object_get(current, "document"), "title"), "result", word,
        "seen",
        strcmp(word, "updated") == 0
            ? arena_print(request->arena, "%lld.%lld", (long long)id, (long long)version)
            : "");
    return OK;
}

static json_t *gone(int64_t id)
{
    return json_pack("{s:I,s:n,s:n,s:s,s:s}", "id", (json_int_t)id, "slug", "title",
                     "result", "gone", "seen", "");
}

/* All that the filter in the address finds; *ids is NULL for more than can be done. */
static enum result ids_of_filter(json_t **ids, struct request *request)
{
    struct public_works_filter filter;
    json_t *choices, *works, *work;
    size_t i;
    TRY(work_filter_read(&filter, &choices, request));
    filter.limit = WORKS_MOST + 1;
    filter.after = 0;
    TRY(public_work_entries(&works, request->db, &filter));
    *ids = json_array_size(works) <= WORKS_MOST ? json_array() : NULL;
    json_array_foreach(works, i, work)
    {
        if (*ids != NULL)
            json_array_append(*ids, json_object_get(work, "id"));
    }
    return OK;
}

static const char *back_of(struct request *request)
{
    struct public_works_filter filter;
    json_t *choices;
    if (work_filter_read(&filter, &choices, request) != OK)
        return "/admin/publications";
    return arena_print(request->arena, "/admin/publications%s",
                       work_filter_query(request->arena, &filter, NULL));
}

static enum result report(struct request *request, struct response *response,
                          json_t *rows, bool undone)
{
    json_t *row, *document = json_object();
    size_t i;
    int updated = 0, trouble = 0;
    json_array_foreach(rows, i, row)
    {
        const char *word = text_at(row, "result", "");
        bool bad = strcmp(word, "updated") != 0 && strcmp(word, "unchanged") != 0;
        updated += strcmp(word, "updated") == 0;
        trouble += bad;
        json_object_set_new(row, "bad", json_boolean(bad));
    }
    json_object_set_new(document, "rows", rows);
    json_object_set_new(document, "count", json_integer(updated));
    json_object_set_new(document, "trouble", json_boolean(trouble > 0));
    json_object_set_new(document, "undone", json_boolean(undone));
    json_object_set_new(document, "undoable", json_boolean(updated > 0 && !undone));
    json_object_set_new(document, "back", json_string(back_of(request)));
    return flow_page(request, response, "admin/publications_done.html", document);
}

static enum result edit_one(json_t **told, struct request *request,
                            const struct deed *deed, int64_t id)
{
    json_t *current;
    enum result found = entity_current(&current, request->db, "publication", id);
    if (found == NOT_FOUND) {
        *told = gone(id);
        return OK;
    }
    TRY(found);
    return save(told, request, id, current,
                document_after(deed, json_object_get(current, "document")));
}

enum result admin_bulk_edit(struct request *request, struct response *response)
{
    struct deed deed;
    json_t *ids = flow_numbers(request, "id"), *id, *rows = json_array(), *told;
    size_t i;
    const char *nothing = NULL;
    if (field(request, "all") != NULL)
        TRY(ids_of_filter(&ids, request));
    if (ids == NULL || json_array_size(ids) > WORKS_MOST)
        nothing = "works_many";
    else if (json_array_size(ids) == 0)
        nothing = "nothing_chosen";
    else if (read_deed(&deed, request) != OK)
        nothing = "works_value";
    else if (does_nothing(&deed))
        nothing = "works_nothing_set";
    if (nothing != NULL) {
        const char *back = back_of(request);
        response_redirect(response, arena_print(request->arena, "%s%cnotice=%s", back,
                                                strchr(back, '?') ? '&' : '?', nothing));
        return OK;
    }
    json_array_foreach(ids, i, id)
    {
        TRY(edit_one(&told, request, &deed, json_integer_value(id)));
        json_array_append_new(rows, told);
    }
    return report(request, response, rows, false);
}

/* The document of a revision. */
static enum result revision_of(json_t **document, struct request *request, int64_t id,
                               int64_t version)
{
    json_t *revisions, *revision;
    size_t i;
    TRY(change_revisions(&revisions, request->db, "publication", id));
    json_array_foreach(revisions, i, revision)
    {
        if (integer_at(revision, "version") == version) {
            *document = json_object_get(revision, "document");
            return OK;
        }
    }
    return NOT_FOUND;
}

/* A work that was changed since stays as it is. */
static enum result undo_one(json_t **told, struct request *request, int64_t id,
                            int64_t version)
{
    json_t *current, *before, *document = json_object();
    enum result found = entity_current(&current, request->db, "publication", id);
    if (found == OK && integer_at(current, "version") == version)
        found = revision_of(&before, request, id, version - 1);
    else if (found == OK)
        found = CONFLICT;
    if (found == NOT_FOUND) {
        *told = gone(id);
        return OK;
    }
    if (found == CONFLICT) {
        *told = json_pack("{s:I,s:O,s:O,s:s,s:s}", "id", (json_int_t)id, "slug",
                          json_object_get(current, "slug"), "title",
                          json_object_get(json_object_get(current, "document"), "title"),
                          "result", "moved", "seen", "");
        return OK;
    }
    TRY(found);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *value = json_object_get(before, keys[i]);
        json_object_set(document, keys[i], value != NULL ? value : json_null());
    }
    return save(told, request, id, current, document);
}

enum result admin_bulk_undo(struct request *request, struct response *response)
{
    json_t *seen = values_of(request, "seen"), *each, *rows = json_array(), *told;
    size_t i;
    if (json_array_size(seen) == 0 || json_array_size(seen) > WORKS_MOST) {
        flow_done(response, "/admin/publications", "nothing_chosen");
        return OK;
    }
    json_array_foreach(seen, i, each)
    {
        const char *text = json_string_value(each), *dot = strchr(text, '.');
        int64_t id, version;
        if (dot == NULL ||
            number_of(&id, arena_copy(request->arena, text, (size_t)(dot - text))) !=
                OK ||
            number_of(&version, dot + 1) != OK)
            return INVALID;
        TRY(undo_one(&told, request, id, version));
        json_array_append_new(rows, told);
    }
    return report(request, response, rows, true);
}
