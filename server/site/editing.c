/* Versions are what keeps two editors from undoing each other: the form carries the
 * version of the target that it was drawn from, and the version of the open change, if
 * there is one. Whoever comes second sees both texts and decides. */
#include "server/site/editing.h"

#include "db/store/change.h"
#include "db/store/merge.h"
#include "db/store/person.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/form/submission.h"
#include "server/site/flow.h"
#include "server/site/photos.h"
#include "server/site/site.h"
#include "server/site/topic_choice.h"
#include "server/site/values.h"

#include <stdio.h>
#include <string.h>

struct draft {
    const struct editing *editing;
    const struct form *form;
    json_t *current;  /* entity_current() */
    json_t *change;   /* the author's open change, or NULL */
    json_t *values;   /* shown in the form */
    json_t *errors;   /* or NULL */
    json_t *look_up;  /* or NULL */
    json_t *conflict; /* differences from `current` to what was typed, or NULL */
};

static enum form_audience audience_of(const struct editing *editing)
{
    return editing->at_once ? FOR_ADMIN : FOR_MEMBER;
}

static enum result find(struct draft *draft, struct request *request,
                        const struct editing *editing)
{
    *draft = (struct draft){.editing = editing,
                            .form = form_named(site.forms, editing->entity),
                            .change = editing->change};
    if (!draft->form)
        return FAILED;
    TRY(entity_current(&draft->current, request->db, editing->entity, editing->target));
    if (draft->change || editing->at_once || editing->target == 0)
        return OK;
    enum result found = change_open(&draft->change, request->db, account_id(request),
                                    editing->entity, editing->target);
    if (found == NOT_FOUND)
        draft->change = NULL;
    return found == NOT_FOUND ? OK : found;
}

static bool has_person_field(const struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].type == FIELD_PERSON ||
            has_person_field(fields[i].fields, fields[i].field_count))
            return true;
    return false;
}

/* Those whom an author's name may be linked to. */
enum result editing_people(json_t *form_document, struct request *request,
                           const struct form *form)
{
    json_t *people, *person, *choices = json_array();
    size_t index;
    if (!has_person_field(form->fields, form->field_count))
        return OK;
    TRY(person_list(&people, request->db));
    json_array_foreach(people, index, person)
    {
        const char *latin = text_at(person, "name_latin", NULL);
        const char *han = text_at(person, "name_han", NULL);
        const char *name = latin && han ? arena_print(request->arena, "%s %s", latin, han)
                           : latin      ? latin
                                        : han;
        json_array_append_new(
            choices,
            json_pack("{s:s,s:s*}", "slug", text_at(person, "slug", ""), "name", name));
    }
    json_object_set_new(form_document, "people", choices);
    return strcmp(form->name, "publication") == 0 ? topic_choice(form_document, request)
                                                  : OK;
}

static const char *page_code(struct arena *arena, const struct editing *editing)
{
    return arena_print(arena, "%s_%s%s", editing->at_once ? "admin" : "my",
                       editing->entity, editing->target == 0 ? "_new" : "");
}

static bool change_returned(const json_t *change)
{
    return strcmp(text_at(change, "state", ""), "returned") == 0;
}

static enum result draw(const struct draft *draft, struct request *request,
                        struct response *response)
{
    const struct editing *editing = draft->editing;
    json_t *form = form_page(draft->form, draft->values, draft->errors,
                             audience_of(editing), request->language);
    TRY(editing_people(form, request, draft->form));
    json_t *change = draft->change;
    if (change_returned(change))
        form_remarks(form, json_object_get(change, "comments"));
    const char *seen =
        arena_print(request->arena, "%lld.%lld", (long long)integer_at(change, "id"),
                    (long long)integer_at(change, "version"));
    json_t *comment = json_object_get(change, "comment");
    json_t *document = json_object();
    json_object_set_new(document, "code",
                        json_string(page_code(request->arena, editing)));
    json_object_set_new(document, "action", json_string(editing->action));
    json_object_set_new(document, "back", json_string(editing->back));
    json_object_set_new(document, "form", form);
    json_object_set_new(
        document, "history_path",
        editing->at_once && editing->target != 0
            ? json_string(arena_print(request->arena, "/admin/history/%s/%lld",
                                      editing->entity, (long long)editing->target))
            : json_null());
    json_object_set_new(document, "version",
                        json_integer(integer_at(draft->current, "version")));
    json_object_set_new(document, "change", change ? json_string(seen) : json_null());
    json_object_set_new(document, "state",
                        change ? json_string(text_at(change, "state", "")) : json_null());
    json_object_set(document, "comment", comment ? comment : json_null());
    bool new_work =
        editing->target == 0 && !change && strcmp(editing->entity, "publication") == 0;
    json_object_set_new(document, "look_up",
                        draft->look_up ? draft->look_up
                        : new_work     ? json_pack("{s:s, s:n, s:n, s:b}", "typed", "",
                                                   "error", "existing", "found", 0)
                                       : json_null());
    json_object_set_new(document, "conflict",
                        draft->conflict ? json_pack("{s:o}", "rows",
                                                    difference_rows(request, draft->form,
                                                                    draft->conflict))
                                        : json_null());
    return flow_page(request, response, "my/edit.html", document);
}

static enum result show(struct request *request, struct response *response,
                        const struct editing *editing)
{
    struct draft draft;
    TRY(find(&draft, request, editing));
    json_t *published = json_object_get(draft.current, "document");
    json_t *proposed = json_object_get(draft.change, "document");
    draft.values = proposed ? proposed : published;
    if (json_is_true(json_object_get(draft.change, "stale")))
        draft.conflict = change_differences(published, proposed);
    return draw(&draft, request, response);
}

enum result editing_begin(struct request *request, struct response *response,
                          const struct editing *editing, json_t *values, json_t *look_up)
{
    struct draft draft;
    TRY(find(&draft, request, editing));
    draft.values = values ? values : json_object_get(draft.current, "document");
    draft.look_up = look_up;
    return draw(&draft, request, response);
}

/* The `change` field of the form: "12.3" is version 3 of change 12. */
static void read_seen(struct proposal *proposal, const struct request *request)
{
    long long change, version;
    const char *seen = field(request, "change");
    if (seen && sscanf(seen, "%18lld.%9lld", &change, &version) == 2) {
        proposal->change = change;
        proposal->change_version = version;
    }
}

static int64_t read_version(const struct request *request)
{
    int64_t version;
    return number_of(&version, field(request, "version")) == OK ? version : 0;
}

/* Somebody else was faster: both texts, and the form with what was typed. */
static enum result draw_conflict(struct draft *draft, struct request *request,
                                 struct response *response, json_t *typed)
{
    struct draft now;
    TRY(find(&now, request, draft->editing));
    if (draft->editing->change)
        TRY(change_show(&now.change, request->db,
                        integer_at(draft->editing->change, "id")));
    bool published = integer_at(now.current, "version") != read_version(request);
    json_t *other = published || !now.change ? now.current : now.change;
    now.values = typed;
    now.conflict = change_differences(json_object_get(other, "document"), typed);
    response->status = 409;
    return draw(&now, request, response);
}

static enum result propose(json_t **outcome, struct request *request,
                           const struct draft *draft, json_t *document)
{
    const struct editing *editing = draft->editing;
    struct actor actor = actor_of(request);
    struct proposal proposal = {.entity = editing->entity,
                                .target = editing->target,
                                .base_version = read_version(request),
                                .document = document,
                                .source = "form"};
    read_seen(&proposal, request);
    if (editing->target != 0 && proposal.base_version == 0)
        return CONFLICT;
    /* Another window of the same person may have proposed since. */
    if (draft->change &&
        (proposal.change != integer_at(draft->change, "id") ||
         proposal.change_version != integer_at(draft->change, "version")))
        return CONFLICT;
    return editing->at_once ? change_save(outcome, request->db, &actor, &proposal)
                            : change_propose(outcome, request->db, &actor, &proposal);
}

static enum result redraw(struct draft *draft, struct request *request,
                          struct response *response, const struct submission *submission,
                          int status)
{
    draft->values = submission->typed;
    draft->errors = status == 200 ? NULL : submission->errors;
    response->status = status;
    /* The versions stay those that the person saw. */
    int64_t seen = read_version(request);
    struct proposal proposal = {0};
    read_seen(&proposal, request);
    draft->current = json_pack("{s:I}", "version", (json_int_t)seen);
    if (draft->change) {
        draft->change = json_copy(draft->change);
        json_object_set_new(draft->change, "id", json_integer(proposal.change));
        json_object_set_new(draft->change, "version",
                            json_integer(proposal.change_version));
    }
    return draw(draft, request, response);
}

/* `path` after the slug at its end, if it is there, has become another. */
static const char *path_moved(struct arena *arena, const char *path, const char *from,
                              const char *to)
{
    const char *last = strrchr(path, '/');
    if (last == NULL || from == NULL || to == NULL || strcmp(last + 1, from) != 0)
        return path;
    return arena_print(arena, "%.*s/%s", (int)(last - path), path, to);
}

static void finish(struct request *request, struct response *response,
                   const struct draft *draft, const json_t *outcome)
{
    const struct editing *editing = draft->editing;
    const char *path = editing->done ? editing->done : editing->back;
    const char *notice = editing->at_once ? "saved" : "submitted";
    if (strcmp(text_at(outcome, "outcome", ""), "unchanged") == 0)
        notice = "unchanged";
    flow_done(response,
              path_moved(request->arena, path, text_at(draft->current, "slug", NULL),
                         text_at(outcome, "slug", NULL)),
              notice);
}

/* What stays of fields that the form does not show: what the open change says of them
 * (the end of an appointment that its author asked for), over what is there now. */
static json_t *ground_of(const struct draft *draft)
{
    json_t *merged, *clashes, *now = json_object_get(draft->current, "document");
    json_t *proposed = json_object_get(draft->change, "document");
    json_t *base = json_object_get(draft->change, "base");
    if (!proposed || !base)
        return now;
    change_merge(&merged, &clashes, base, now, proposed);
    return merged;
}

static enum result submit(struct request *request, struct response *response,
                          const struct editing *editing)
{
    struct draft draft;
    struct submission submission;
    json_t *outcome = NULL;
    enum form_audience audience = audience_of(editing);
    const char *action = field(request, "action");
    TRY(find(&draft, request, editing));
    bool redrawn = action && request->fields &&
                   form_apply_action(draft.form, request->fields, action, audience);
    enum result result = photos_read(&submission, request, draft.form, audience);
    if (result != OK && result != INVALID)
        return result;
    if (redrawn)
        return redraw(&draft, request, response, &submission, 200);
    if (result != OK)
        return redraw(&draft, request, response, &submission, 422);
    json_t *whole = form_merge(draft.form, ground_of(&draft), submission.document);
    result = propose(&outcome, request, &draft, whole);
    if (result == CONFLICT)
        return draw_conflict(&draft, request, response, whole);
    if (result == INVALID) {
        flow_store_errors(&submission, json_object_get(outcome, "errors"));
        return redraw(&draft, request, response, &submission, 422);
    }
    TRY(result);
    finish(request, response, &draft, outcome);
    return OK;
}

enum result editing_answer(struct request *request, struct response *response,
                           const struct editing *editing)
{
    return request->method == GET ? show(request, response, editing)
                                  : submit(request, response, editing);
}

static const char *path_above(struct arena *arena, const char *path)
{
    return arena_copy(arena, path, (size_t)(strrchr(path, '/') - path));
}

/* A work that was merged or renamed has its form at another address now. */
static enum result lead_on(struct request *request, struct response *response)
{
    const char *slug;
    TRY(merge_leads_to(&slug, request->db, param(request, "slug")));
    response_redirect(response,
                      arena_print(request->arena, "%s/%s",
                                  path_above(request->arena, request->path), slug));
    return OK;
}

enum result entity_edit(struct request *request, struct response *response)
{
    const struct route *route = request->route;
    bool admin = route->audience == ADMIN;
    struct editing editing = {.entity = route->entity,
                              .at_once = admin,
                              .action = request->path,
                              .back = admin ? path_above(request->arena, request->path)
                                            : "/my"};
    if (strchr(route->pattern, ':') != NULL) {
        json_t *current;
        enum result found =
            entity_by_slug(&current, request->db, route->entity, param(request, "slug"));
        if (found == NOT_FOUND && request->method == GET &&
            strcmp(route->entity, "publication") == 0)
            return lead_on(request, response);
        TRY(found);
        editing.target = integer_at(current, "id");
    }
    return editing_answer(request, response, &editing);
}
