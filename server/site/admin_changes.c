/* The review queue: what waits, whose review it is in, and many approved at once. */
#include "server/site/admin.h"

#include "db/store/change.h"
#include "server/site/deciding.h"
#include "server/site/flow.h"

#include <stdio.h>
#include <string.h>

enum { BULK_MAX = 200 };

/* The entities and collections that the queue has, for its filter; and whether a change
 * is among what was asked for. */
struct filter {
    const char *entity; /* "" for all */
    int64_t collection; /* 0 for all */
    json_t *entities, *collections;
};

static void offer(struct filter *filter, const json_t *change)
{
    const char *entity = text_at(change, "entity", "");
    int64_t collection = integer_at(change, "collection_id");
    const char *key = arena_print(arena_current(), "%lld", (long long)collection);
    json_object_set_new(filter->entities, entity,
                        json_pack("{s:s,s:b}", "entity", entity, "selected",
                                  strcmp(entity, filter->entity) == 0));
    if (collection != 0)
        json_object_set_new(filter->collections, key,
                            json_pack("{s:I,s:O?,s:b}", "id", (json_int_t)collection,
                                      "collection", json_object_get(change, "collection"),
                                      "selected", collection == filter->collection));
}

static bool wanted(const struct filter *filter, const json_t *change)
{
    return (!*filter->entity ||
            strcmp(text_at(change, "entity", ""), filter->entity) == 0) &&
           (filter->collection == 0 ||
            integer_at(change, "collection_id") == filter->collection);
}

static json_t *values_of(json_t *object)
{
    json_t *list = json_array(), *value;
    const char *key;
    json_object_foreach(object, key, value) json_array_append(list, value);
    return list;
}

enum result admin_change_index(struct request *request, struct response *response)
{
    json_t *changes, *change, *mine = json_array(), *waiting = json_array(),
                              *others = json_array();
    size_t index;
    const char *entity = query_argument(request, "entity");
    struct filter filter = {entity ? entity : "", 0, json_object(), json_object()};
    if (number_of(&filter.collection, query_argument(request, "collection")) != OK)
        filter.collection = 0;
    TRY(change_queue(&changes, request->db));
    flow_change_states(changes);
    json_array_foreach(changes, index, change)
    {
        int64_t reviewer = integer_at(change, "reviewer_id");
        offer(&filter, change);
        if (wanted(&filter, change))
            json_array_append(reviewer == 0                     ? waiting
                              : reviewer == account_id(request) ? mine
                                                                : others,
                              change);
    }
    json_t *document = json_object();
    json_object_set_new(document, "changes", json_pack("[O,O,O]", mine, waiting, others));
    json_object_set_new(
        document, "panels",
        json_pack("[{s:s,s:O,s:i},{s:s,s:O,s:i},{s:s,s:O,s:i}]", "panel", "mine",
                  "changes", mine, "count", (int)json_array_size(mine), "panel",
                  "waiting", "changes", waiting, "count", (int)json_array_size(waiting),
                  "panel", "others", "changes", others, "count",
                  (int)json_array_size(others)));
    json_object_set_new(document, "any",
                        json_boolean(json_array_size(mine) + json_array_size(waiting) +
                                     json_array_size(others)));
    json_object_set_new(document, "entities", values_of(filter.entities));
    json_object_set_new(document, "collections", values_of(filter.collections));
    json_object_set_new(document, "filtered",
                        json_boolean(*filter.entity || filter.collection));
    return flow_page(request, response, "admin/changes.html", document);
}

enum result admin_change_claim(struct request *request, struct response *response)
{
    int64_t id, seen;
    struct actor actor = actor_of(request);
    TRY(number_of(&id, param(request, "id")));
    if (number_of(&seen, field(request, "seen")) != OK)
        seen = 0;
    enum result claimed = change_claim(request->db, &actor, id, seen);
    if (claimed != OK && claimed != CONFLICT)
        return claimed;
    flow_done(response, arena_print(request->arena, "/admin/changes/%lld", (long long)id),
              claimed == OK ? "claimed" : "not_claimed");
    return OK;
}

enum result admin_change_release(struct request *request, struct response *response)
{
    int64_t id;
    struct actor actor = actor_of(request);
    TRY(number_of(&id, param(request, "id")));
    enum result released = change_release(request->db, &actor, id);
    if (released != OK && released != CONFLICT)
        return released;
    flow_done(response, "/admin/changes", released == OK ? "released" : "not_claimed");
    return OK;
}

/* Why it was not approved: what came between. */
static const char *outcome_of(enum result decided, const json_t *change, int64_t version)
{
    if (decided == OK)
        return "approved";
    if (decided == NOT_FOUND)
        return "gone";
    const char *state = text_at(change, "state", "");
    if (strcmp(state, "submitted") != 0)
        return arena_print(arena_current(), "already_%s", state);
    if (integer_at(change, "version") != version)
        return "moved";
    return json_is_true(json_object_get(change, "stale")) ? "stale" : "refused";
}

/* One of many, each in a transaction of its own. */
static enum result approve_one(json_t *outcomes, struct request *request, int64_t id,
                               int64_t version)
{
    json_t *applied, *change = NULL;
    struct decision decision = {.change = id, .version = version};
    enum result decided = decide_approve(&applied, request, &decision);
    if (decided != OK && decided != CONFLICT && decided != INVALID &&
        decided != NOT_FOUND)
        return decided;
    enum result shown = change_show(&change, request->db, id);
    if (shown != OK && shown != NOT_FOUND)
        return shown;
    json_t *row = shown == OK ? json_copy(change) : json_object();
    json_object_set_new(row, "id", json_integer(id));
    json_object_set_new(row, "outcome",
                        json_string(outcome_of(decided, change, version)));
    json_object_set_new(row, "good", json_boolean(decided == OK));
    if (!json_object_get(row, "title"))
        json_object_set_new(row, "title", json_null());
    if (!json_object_get(row, "collection"))
        json_object_set_new(row, "collection", json_null());
    json_array_append_new(outcomes, row);
    return OK;
}

enum result admin_change_approve_many(struct request *request, struct response *response)
{
    json_t *chosen = json_object_get(request->fields, "change"), *one;
    json_t *outcomes = json_array();
    size_t index;
    int approved = 0;
    if (json_array_size(chosen) == 0) {
        flow_done(response, "/admin/changes", "none_chosen");
        return OK;
    }
    if (json_array_size(chosen) > BULK_MAX)
        return INVALID;
    json_array_foreach(chosen, index, one)
    {
        long long id, version;
        const char *text = json_string_value(one);
        if (!text || sscanf(text, "%18lld.%9lld", &id, &version) != 2 || id <= 0)
            return INVALID;
        TRY(approve_one(outcomes, request, id, version));
    }
    json_array_foreach(outcomes, index, one) approved +=
        json_is_true(json_object_get(one, "good"));
    return flow_page(request, response, "admin/changes_done.html",
                     json_pack("{s:O,s:i,s:i}", "outcomes", outcomes, "count", approved,
                               "all", (int)json_array_size(outcomes)));
}
