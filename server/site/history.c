/* Going back is a new version like any other, through the one door. See history.h. */
#include "server/site/history.h"

#include "db/store/change.h"
#include "server/site/flow.h"
#include "server/site/form_versions.h"
#include "server/site/values.h"

#include <string.h>

struct history {
    const char *entity;
    int64_t target;
    bool admin;
    json_t *current;   /* entity_current() */
    json_t *revisions; /* newest first */
    const struct form *form;
};

static enum result find(struct history *history, struct request *request)
{
    json_t *change = json_pack("{s:s,s:I}", "entity", history->entity, "target_id",
                               (json_int_t)history->target);
    TRY(entity_current(&history->current, request->db, history->entity, history->target));
    TRY(change_form(&history->form, request, change));
    return change_revisions(&history->revisions, request->db, history->entity,
                            history->target);
}

/* NULL: it has no such version. */
static json_t *version_of(const struct history *history, int64_t version)
{
    size_t index;
    json_t *revision;
    json_array_foreach(history->revisions, index,
                       revision) if (integer_at(revision, "version") ==
                                     version) return revision;
    return NULL;
}

static int64_t wanted(const struct request *request, const char *name, int64_t otherwise)
{
    int64_t number;
    const char *text = query_argument(request, name);
    return text && number_of(&number, text) == OK ? number : otherwise;
}

static const char *title_of(struct arena *arena, const json_t *document)
{
    static const char *const names[] = {"title", "title_en", "name_en", "name_han"};
    const char *given = text_at(document, "given_latin", ""),
               *family = text_at(document, "family_latin", "");
    if (*given || *family)
        return arena_print(arena, "%s%s%s", given, *given && *family ? " " : "", family);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*text_at(document, names[i], ""))
            return text_at(document, names[i], "");
    return "";
}

/* The rows of the list, without the documents; members are not told from where. */
static json_t *listed(const struct history *history, int64_t from, int64_t to)
{
    json_t *rows = json_array(), *revision;
    size_t index;
    json_array_foreach(history->revisions, index, revision)
    {
        int64_t version = integer_at(revision, "version");
        json_t *row = json_copy(revision);
        json_object_del(row, "document");
        if (!history->admin) {
            json_object_set_new(row, "peer", json_null());
            json_object_set_new(row, "sent_peer", json_null());
        }
        json_object_set_new(row, "is_from", json_boolean(version == from));
        json_object_set_new(row, "is_to", json_boolean(version == to));
        json_object_set_new(
            row, "now", json_boolean(version == integer_at(history->current, "version")));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *difference(const struct request *request, const struct history *history,
                          const json_t *from, const json_t *to)
{
    json_t *before = from ? json_object_get(from, "document") : json_object();
    json_t *after = json_object_get(to, "document");
    return difference_rows(request, history->form, change_differences(before, after));
}

/* The version to go back to, against what is there now. */
static void add_restoring(json_t *document, const struct request *request,
                          const struct history *history, int64_t version)
{
    json_t *revision = version ? version_of(history, version) : NULL, *restore;
    bool fit = revision && version != integer_at(history->current, "version");
    if (!history->admin || !fit) {
        json_object_set_new(document, "restore", json_null());
        return;
    }
    restore = json_pack("{s:I,s:O}", "to_version", (json_int_t)version, "created_at",
                        json_object_get(revision, "created_at"));
    json_object_set_new(restore, "rows",
                        difference(request, history, history->current, revision));
    json_object_set_new(document, "restore", restore);
}

static enum result draw(struct request *request, struct response *response,
                        struct history *history, bool moved, int64_t restore)
{
    TRY(find(history, request));
    json_t *newest = json_array_get(history->revisions, 0);
    int64_t to = wanted(request, "to", integer_at(newest, "version"));
    int64_t from = wanted(request, "from", to - 1);
    json_t *later = version_of(history, to), *earlier = version_of(history, from);
    json_t *document = json_object();
    json_object_set_new(document, "entity", json_string(history->entity));
    json_object_set_new(document, "target_id", json_integer(history->target));
    json_object_set_new(document, "action", json_string(request->path));
    json_object_set_new(document, "for_admin", json_boolean(history->admin));
    json_object_set_new(
        document, "what",
        json_string(
            title_of(request->arena, json_object_get(history->current, "document"))));
    json_object_set_new(document, "seen",
                        json_integer(integer_at(history->current, "version")));
    json_object_set_new(document, "revisions", listed(history, from, to));
    json_object_set_new(document, "several",
                        json_boolean(json_array_size(history->revisions) > 1));
    json_object_set_new(document, "from", json_integer(from));
    json_object_set_new(document, "to", json_integer(to));
    json_object_set_new(document, "first", json_boolean(!earlier));
    json_object_set_new(document, "new_entity", json_boolean(!earlier));
    json_object_set_new(document, "compared", json_boolean(later != NULL));
    json_object_set_new(document, "rows",
                        later ? difference(request, history, earlier, later)
                              : json_array());
    json_object_set_new(document, "moved", json_boolean(moved));
    add_restoring(document, request, history, restore);
    return flow_page(request, response, "history/show.html", document);
}

static enum result read_path(struct history *history, const struct request *request)
{
    *history = (struct history){.entity = param(request, "entity"), .admin = true};
    if (!change_entity(history->entity))
        return NOT_FOUND;
    return number_of(&history->target, param(request, "id"));
}

enum result admin_history_show(struct request *request, struct response *response)
{
    struct history history;
    TRY(read_path(&history, request));
    return draw(request, response, &history, false, wanted(request, "restore", 0));
}

/* Keys that the entity has had and has no more stay away. */
static json_t *restored(const struct history *history, const json_t *revision)
{
    json_t *document = json_object(), *value;
    const char *key;
    json_t *current = json_object_get(history->current, "document");
    if (strcmp(history->entity, "answer") == 0)
        return json_object_get(revision, "document");
    json_object_foreach(current, key, value)
    {
        json_t *old = json_object_get(json_object_get(revision, "document"), key);
        json_object_set(document, key, old ? old : json_null());
    }
    return document;
}

enum result admin_history_restore(struct request *request, struct response *response)
{
    struct history history;
    struct actor actor = actor_of(request);
    int64_t version, seen;
    json_t *outcome;
    TRY(read_path(&history, request));
    if (number_of(&version, field(request, "version")) != OK ||
        number_of(&seen, field(request, "seen")) != OK)
        return INVALID;
    TRY(find(&history, request));
    json_t *revision = version_of(&history, version);
    if (!revision)
        return NOT_FOUND;
    struct proposal proposal = {.entity = history.entity,
                                .target = history.target,
                                .base_version = seen,
                                .document = restored(&history, revision),
                                .source = "restore"};
    enum result result = change_save(&outcome, request->db, &actor, &proposal);
    if (result == CONFLICT || result == INVALID) {
        response->status = 409;
        return draw(request, response, &history, true, version);
    }
    TRY(result);
    bool same = strcmp(text_at(outcome, "outcome", ""), "unchanged") == 0;
    flow_done(response,
              arena_print(request->arena, "/admin/history/%s/%lld", history.entity,
                          (long long)history.target),
              same ? "unchanged" : "restored");
    return OK;
}

enum result my_history_show(struct request *request, struct response *response)
{
    struct history history = {.entity = "person",
                              .target = integer_at(request->account, "person_id")};
    if (history.target == 0)
        return flow_page(request, response, "my/no_profile.html", json_object());
    return draw(request, response, &history, false, 0);
}
