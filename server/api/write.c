/* POST and PATCH of the entities that the routes name: a document becomes a change;
 * approved at once where the token may, else it waits for review like a member's. */
#include "db/store/change.h"
#include "server/api/api.h"
#include "server/api/problem.h"
#include "server/base/document.h"
#include "server/base/percent.h"
#include "server/form/forms.h"
#include "server/form/schema.h"
#include "server/form/submission.h"
#include "server/site/site.h"

#include <stdlib.h>
#include <string.h>

static enum form_audience audience_of(const struct request *request)
{
    return json_is_true(json_object_get(request->account, "admin")) ? FOR_ADMIN
                                                                    : FOR_MEMBER;
}

/* The answer to an accepted write: 201 with Location, 200, or 202 while it waits. */
static enum result put_outcome(struct request *request, struct response *response,
                               json_t *outcome)
{
    const char *word = json_string_value(json_object_get(outcome, "outcome"));
    const char *slug = json_string_value(json_object_get(outcome, "slug"));
    response->status = 200;
    if (strcmp(word, "submitted") == 0)
        response->status = 202;
    if (strcmp(word, "created") == 0) {
        response->status = 201;
        response_header(response, "Location",
                        arena_print(request->arena, "%s/%s", request->path,
                                    percent_text(request->arena, slug)));
    }
    return api_document(response, outcome);
}

static enum result propose(struct request *request, struct response *response,
                           struct proposal *proposal)
{
    json_t *outcome;
    struct actor actor = {
        .account = integer_at(request->account, "id"),
        .name = json_string_value(json_object_get(request->account, "email")),
        .request_id = request->id};
    proposal->source = "api";
    bool approve = json_is_true(json_object_get(request->account, "may_approve"));
    enum result result = approve
                             ? change_save(&outcome, request->db, &actor, proposal)
                             : change_propose(&outcome, request->db, &actor, proposal);
    json_t *errors = result == INVALID ? json_object_get(outcome, "errors") : NULL;
    if (errors != NULL)
        return api_errors(request, response, errors);
    TRY(result);
    return put_outcome(request, response, outcome);
}

/* Of people, a member writes the one that is theirs; `id` 0 is a new one. */
static bool may_write(const struct request *request, json_int_t id)
{
    return audience_of(request) == FOR_ADMIN ||
           strcmp(request->route->entity, "person") != 0 ||
           (id != 0 && id == integer_at(request->account, "person_id"));
}

enum result api_create(struct request *request, struct response *response)
{
    struct submission submission;
    const char *entity = request->route->entity;
    const struct form *form = form_named(site.forms, entity);
    if (!may_write(request, 0))
        return DENIED;
    enum result read =
        form_read_document(&submission, form, request->json, audience_of(request), false);
    if (read == INVALID)
        return api_errors(request, response, submission.errors);
    TRY(read);
    return propose(request, response,
                   &(struct proposal){.entity = entity, .document = submission.document});
}

/* Does an entity tag name the version? As GET gave it, "7.HASH" with or without a coding,
 * or "7" alone. What a GET shows of others (names of linked people) is not compared. */
static bool names_version(const char *tag, json_int_t version)
{
    const char *lead = arena_print(arena_current(), "\"%" JSON_INTEGER_FORMAT, version);
    size_t length = strlen(lead);
    return strncmp(tag, lead, length) == 0 &&
           (tag[length] == '.' || strcmp(tag + length, "\"") == 0);
}

/* If-Match (RFC 9110 13.1.1) names the version that was read. */
static enum result check_version(struct request *request, struct response *response,
                                 json_int_t version)
{
    const char *match = request_header(request, "If-Match");
    if (match == NULL) {
        response->status = 428;
        return INVALID;
    }
    if (!names_version(match, version) && strcmp(match, "*") != 0) {
        response->status = 412;
        return CONFLICT;
    }
    return OK;
}

/* What was sent, as the whole document has it: the rest is not this writer's, who may
 * have an open change that says otherwise. */
static json_t *same_keys(json_t *whole, json_t *part)
{
    json_t *document = json_object();
    const char *key;
    json_t *value;
    json_object_foreach(part, key, value)
        json_object_set(document, key, json_object_get(whole, key));
    return document;
}

enum result api_update(struct request *request, struct response *response)
{
    const char *entity = request->route->entity;
    json_t *current;
    struct submission part;
    struct submission whole;
    const struct form *form = form_named(site.forms, entity);
    enum form_audience audience = audience_of(request);
    TRY(entity_by_slug(&current, request->db, entity, param(request, "slug")));
    json_int_t id = integer_at(current, "id");
    if (!may_write(request, id))
        return DENIED;
    json_int_t version = integer_at(current, "version");
    TRY(check_version(request, response, version));
    enum result read = form_read_document(&part, form, request->json, audience, true);
    if (read == INVALID)
        return api_errors(request, response, part.errors);
    TRY(read);
    json_t *merged =
        form_merge(form, json_object_get(current, "document"), part.document);
    read = form_read_document(&whole, form, merged, FOR_ADMIN, false);
    if (read == INVALID)
        return api_errors(request, response, whole.errors);
    TRY(read);
    return propose(
        request, response,
        &(struct proposal){.entity = entity,
                           .target = id,
                           .base_version = version,
                           .change_version = -1,
                           .document = same_keys(whole.document, part.document)});
}

static bool takes(const char *entity)
{
    for (const struct route *const *table = site.routes; *table != NULL; table++)
        for (const struct route *route = *table; route->pattern != NULL; route++)
            if (route->audience == TOKEN && route->entity != NULL &&
                strcmp(route->entity, entity) == 0)
                return true;
    return false;
}

/* The forms whose documents the API takes. */
enum result api_schema(struct request *request, struct response *response)
{
    const char *name = param(request, "form");
    if (!takes(name))
        return NOT_FOUND;
    json_t *schema =
        form_schema(form_named(site.forms, name), FOR_ADMIN, request->language);
    TRY(api_document(response, schema));
    response->type = "application/schema+json";
    return OK;
}
