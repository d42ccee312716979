/* The admin's overview, the works, the lab's own page and the audit. */
#include "server/site/admin.h"

#include "db/store/change.h"
#include "db/store/collection.h"
#include "db/store/event.h"
#include "db/store/lab.h"
#include "db/store/person.h"
#include "db/store/personal.h"
#include "db/store/publication.h"
#include "server/site/collections.h"
#include "server/site/editing.h"
#include "server/site/flow.h"

enum { EVENTS_A_PAGE = 100 };

/* Those in which people are being asked, as templates/partials/collection_list.html has
 * them. */
static enum result open_collections(json_t **open, struct request *request)
{
    json_t *collections, *collection;
    size_t index;
    *open = json_array();
    TRY(collection_list(&collections, request->db));
    collection_states(collections);
    json_array_foreach(collections, index, collection)
    {
        if (truth_at(collection, "is_open") || truth_at(collection, "is_closing"))
            json_array_append(*open, collection);
    }
    return OK;
}

enum result admin_overview(struct request *request, struct response *response)
{
    json_t *people, *works, *changes, *deletions, *person;
    size_t index;
    int current = 0, without_account = 0;
    struct publication_filter filter = {.limit = 1};
    TRY(person_list(&people, request->db));
    TRY(publication_list(&works, request->db, &filter));
    TRY(change_queue(&changes, request->db));
    TRY(personal_deletions(&deletions, request->db));
    flow_change_states(changes);
    json_array_foreach(people, index, person)
    {
        bool here = json_is_true(json_object_get(person, "current"));
        current += here;
        without_account += here && integer_at(person, "account_id") == 0;
    }
    json_t *document = json_pack(
        "{s:{s:i,s:i,s:i,s:I,s:i}}", "counts", "waiting", (int)json_array_size(changes),
        "people", (int)json_array_size(people), "current", current, "works",
        (json_int_t)integer_at(works, "total"), "without_account", without_account);
    json_object_set(document, "changes", changes);
    json_object_set(document, "deletions", deletions);
    json_t *collections;
    TRY(open_collections(&collections, request));
    json_object_set(document, "collections", collections);
    json_object_set_new(document, "collecting",
                        json_boolean(json_array_size(collections) > 0));
    return flow_page(request, response, "admin/overview.html", document);
}

static const struct editing lab = {.entity = "lab",
                                   .target = 1,
                                   .at_once = true,
                                   .action = "/admin/lab",
                                   .back = "/admin"};

/* A new installation has no row yet. */
enum result admin_lab(struct request *request, struct response *response)
{
    TRY(lab_ensure(request->db));
    return editing_answer(request, response, &lab);
}

/* What an event says beyond who, when and what: "peer 127.0.0.1, by email". */
static const char *detail_text(struct arena *arena, const json_t *detail)
{
    struct buf out = buf_on(arena);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)detail, key, value)
    {
        const char *text = json_is_string(value) ? json_string_value(value)
                                                 : json_dumps(value, JSON_ENCODE_ANY);
        buf_print(&out, "%s%s: %s", out.length ? ", " : "", key, text ? text : "");
    }
    return out.data;
}

enum result admin_event_index(struct request *request, struct response *response)
{
    json_t *list, *event;
    size_t index;
    int64_t before = 0;
    if (number_of(&before, query_argument(request, "before")) != OK)
        before = 0;
    TRY(event_list(&list, request->db, before, EVENTS_A_PAGE));
    flow_event_names(list);
    json_array_foreach(list, index, event) json_object_set_new(
        event, "detail_text",
        json_string(detail_text(request->arena, json_object_get(event, "detail"))));
    bool more = json_array_size(list) == EVENTS_A_PAGE;
    json_t *document = json_pack("{s:O}", "events", list);
    json_object_set_new(
        document, "older",
        more ? json_integer(integer_at(json_array_get(list, EVENTS_A_PAGE - 1), "id"))
             : json_null());
    return flow_page(request, response, "admin/events.html", document);
}
