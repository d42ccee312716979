/* What a member is asked and has answered so far: read once a request, for all pages of
 * an invitation. */
#include "server/site/answering.h"

#include "db/store/answer.h"
#include "db/store/change.h"
#include "db/store/publication.h"
#include "server/form/section.h"
#include "server/site/flow.h"
#include "server/site/form_versions.h"
#include "server/site/values.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WORKS_MOST = 500 };

bool answering_in(const struct answering *a, const char *change_state)
{
    return strcmp(text_at(a->state, "change_state", ""), change_state) == 0;
}

bool answering_waiting(const struct answering *a)
{
    return answering_in(a, "submitted") &&
           strcmp(text_at(a->state, "state", ""), "submitted") == 0;
}

const char *answering_path(const struct answering *a, const char *below, ...)
{
    va_list arguments;
    struct buf path = buf_on(arena_current());
    char rest[200];
    va_start(arguments, below);
    (void)vsnprintf(rest, sizeof rest, below, arguments);
    va_end(arguments);
    buf_print(&path, "%s%s", a->base, rest);
    return path.data;
}

/* What last year's round said of a work, as long as it was right. */
static json_t *verdict(json_t *previous, const char *slug)
{
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(previous, "works"), index, row)
    {
        if (strcmp(text_at(row, "slug", ""), slug) == 0 &&
            strcmp(text_at(row, "verdict", ""), "right") == 0)
            return json_string("right");
    }
    return json_null();
}

/* The person's works as rows of the field "works", where the form has it. */
static enum result add_works(json_t *start, struct answering *a, struct db *db,
                             json_t *previous)
{
    json_t *found, *work, *rows = json_array();
    size_t index;
    struct publication_filter filter = {.person = integer_at(a->state, "person_id"),
                                        .limit = WORKS_MOST};
    const struct field *works =
        field_named(a->form->fields, a->form->field_count, "works");
    if (works == NULL || works->type != FIELD_GROUP || filter.person == 0)
        return OK;
    TRY(publication_list(&found, db, &filter));
    json_array_foreach(json_object_get(found, "rows"), index, work)
    {
        const char *slug = text_at(work, "slug", "");
        json_array_append_new(rows, json_pack("{s:s, s:s, s:o}", "title",
                                              text_at(work, "title", ""), "slug", slug,
                                              "verdict", verdict(previous, slug)));
    }
    json_object_set_new(start, "works", rows);
    return OK;
}

/* The person's document stands before an older answer: others may have changed it. */
static enum result add_person(json_t *start, struct answering *a, struct db *db)
{
    json_t *current, *value, *who;
    const char *key;
    TRY(entity_current(&current, db, "person", integer_at(a->state, "person_id")));
    json_t *own = json_object_get(start, "visibility");
    json_object_foreach(json_object_get(current, "document"), key, value)
        json_object_set(start, key, value);
    if (own == NULL)
        return OK;
    who = json_copy(own);
    json_object_update(who, json_object_get(start, "visibility"));
    json_object_set_new(start, "visibility", who);
    return OK;
}

enum result answering_find_start(struct answering *a, struct request *request)
{
    if (a->start != NULL)
        return OK;
    json_t *previous = json_object_get(a->state, "answer");
    const char *kind = text_at(a->state, "kind", "");
    int64_t copied = integer_at(a->state, "copied_from");
    a->known = integer_at(a->state, "version") > 1;
    bool again = a->known;
    if (!again)
        previous = NULL;
    if (!again && copied != 0) {
        enum result found =
            answer_previous(&previous, request->db, copied, account_id(request));
        if (found != OK && found != NOT_FOUND)
            return found;
        a->known = found == OK;
        if (found != OK)
            previous = NULL;
    }
    a->start = previous != NULL ? json_copy(previous) : json_object();
    if (strcmp(kind, "publications") == 0 && !again)
        return add_works(a->start, a, request->db, previous);
    if (strcmp(kind, "profile") == 0 && integer_at(a->state, "person_id") != 0)
        return add_person(a->start, a, request->db);
    return OK;
}

static enum result load(struct answering *a, struct request *request, int64_t collection)
{
    *a = (struct answering){.base = arena_print(request->arena, "/my/collections/%lld",
                                                (long long)collection)};
    TRY(answer_state(&a->state, request->db, collection, account_id(request)));
    TRY(form_version_get(&a->form, request->db, integer_at(a->state, "form_version_id")));
    json_t *draft = json_object_get(a->state, "draft");
    a->document = draft;
    if (json_is_object(draft)) {
        if (integer_at(a->state, "person_now") != integer_at(a->state, "person_version"))
            TRY(answer_rebase(&a->document, request->db,
                              integer_at(a->state, "person_id"),
                              integer_at(a->state, "person_version")));
    } else {
        TRY(answering_find_start(a, request));
        a->document = a->start;
    }
    return OK;
}

enum result answering_load(struct answering *a, struct request *request)
{
    int64_t collection;
    TRY(number_of(&collection, param(request, "id")));
    return load(a, request, collection);
}

const char *answering_refusal(const struct answering *a)
{
    const char *collection = text_at(a->state, "collection_state", "");
    const char *state = text_at(a->state, "state", "");
    if (truth_at(a->state, "accepts"))
        return NULL;
    if (strcmp(state, "withdrawn") == 0)
        return "withdrawn";
    if (strcmp(collection, "open") == 0)
        return "over";
    if (strcmp(collection, "closing") != 0)
        return strcmp(collection, "draft") == 0 ? "draft" : "closed";
    return strcmp(state, "started") == 0 || strcmp(state, "returned") == 0 ? "over"
                                                                           : "closing";
}

/* What came with a request that can't be taken, so that it can be copied. */
static json_t *typed_rows(const struct answering *a, const struct request *request)
{
    json_t *rows = json_array(), *values;
    const char *name;
    json_object_foreach(request->fields, name, values)
    {
        const char *text = field(request, name);
        size_t length = strcspn(name, ".");
        const struct field *about = field_named(a->form->fields, a->form->field_count,
                                                arena_copy(request->arena, name, length));
        if (about == NULL || text == NULL || *text == '\0' || about->type == FIELD_RECORD)
            continue;
        const char *label = about->label.text[request->language];
        json_array_append_new(rows,
                              json_pack("{s:s?, s:s*}", "label", label, "text", text));
    }
    return rows;
}

enum result answering_closed(const struct answering *a, struct request *request,
                             struct response *response, const char *reason)
{
    json_t *document = json_object();
    answering_add(document, a, request);
    json_object_set_new(document, "reason", json_string(reason));
    json_object_set_new(document, "typed", answering_some(typed_rows(a, request)));
    json_object_set_new(
        document, "sent",
        json_boolean(integer_at(a->state, "version") > 1 || answering_waiting(a)));
    if (request->method != GET)
        response->status = 409;
    return flow_page(request, response, "answers/closed.html", document);
}

enum result answering_begin(struct answering *a, struct request *request,
                            struct response *response, bool writing, bool *answered)
{
    enum result found = answering_load(a, request);
    *answered = true;
    if (found == NOT_FOUND) {
        response->status = 404;
        return flow_page(request, response, "answers/not_asked.html", json_object());
    }
    TRY(found);
    const char *refusal = answering_refusal(a);
    if (refusal == NULL && writing && answering_waiting(a))
        refusal = "sent";
    if (refusal != NULL)
        return answering_closed(a, request, response, refusal);
    *answered = false;
    enum result read = form_read_draft(&a->read, a->form, a->document, FOR_MEMBER);
    return read == INVALID ? OK : read;
}

json_t *answering_remarks(const struct answering *a, int section,
                          const struct request *request)
{
    json_t *rows = json_array(), *text;
    const char *name;
    if (!answering_in(a, "returned"))
        return json_null();
    json_object_foreach(json_object_get(a->state, "comments"), name, text)
    {
        const struct field *about =
            field_named(a->form->fields, a->form->field_count, name);
        int at = form_section_of(a->form, name);
        if (about == NULL || at < 0 || (section >= 0 && at != section))
            continue;
        json_array_append_new(
            rows, json_pack("{s:s?, s:O, s:s}", "label",
                            about->label.text[request->language], "text", text, "href",
                            answering_path(a, "/sections/%d#f-%s", at + 1, name)));
    }
    return answering_some(rows);
}

json_t *answering_some(json_t *rows)
{
    return json_array_size(rows) > 0 ? json_pack("{s:O}", "rows", rows) : json_null();
}

json_t *answering_until(const json_t *row)
{
    int year, month, day;
    const char *until = text_at(row, "until", NULL);
    if (until == NULL || sscanf(until, "%4d-%2d-%2d", &year, &month, &day) != 3)
        return json_null();
    return json_pack("{s:i, s:o, s:i, s:s}", "year", year, "month",
                     json_string(arena_print(arena_current(), "%d", month)), "day", day,
                     "zone", text_at(row, "time_zone", "UTC"));
}

void answering_add(json_t *document, const struct answering *a,
                   const struct request *request)
{
    json_t *state = a->state;
    json_object_set_new(document, "collection",
                        json_pack("{s:O, s:O, s:O, s:O}", "id",
                                  json_object_get(state, "collection_id"), "title_en",
                                  json_object_get(state, "title_en"), "title_zh",
                                  json_object_get(state, "title_zh"), "kind",
                                  json_object_get(state, "kind")));
    json_object_set_new(document, "base", json_string(a->base));
    json_object_set_new(document, "until", answering_until(state));
    json_object_set(document, "state", json_object_get(state, "state"));
    json_object_set(document, "submitted_at", json_object_get(state, "submitted_at"));
    json_object_set(document, "decided_at", json_object_get(state, "decided_at"));
    json_object_set(document, "saved_at", json_object_get(state, "saved_at"));
    json_object_set(document, "pilot", json_object_get(state, "pilot"));
    json_object_set_new(
        document, "change",
        json_string(arena_print(request->arena, "%lld.%lld",
                                (long long)integer_at(state, "change_id"),
                                (long long)integer_at(state, "change_version"))));
    bool returned = answering_in(a, "returned");
    json_object_set_new(document, "comment",
                        returned ? json_string(text_at(state, "comment", ""))
                                 : json_null());
    json_object_set_new(document, "remarks", answering_remarks(a, -1, request));
    json_object_set_new(document, "change_state",
                        json_string(text_at(state, "change_state", "none")));
    json_object_set_new(document, "session_ends",
                        json_string(text_at(request->account, "session_expires_at", "")));
    json_object_set_new(document, "account_id", json_integer(account_id(request)));
}
