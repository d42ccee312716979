/* Reviewing: the queue, and one change against what is published. A decision carries the
 * version of the change that the reviewer saw. */
#include "server/site/admin.h"

#include "db/store/change.h"
#include "server/form/forms.h"
#include "server/form/submission.h"
#include "server/site/flow.h"
#include "server/site/form_versions.h"
#include "server/site/site.h"
#include "server/site/values.h"

enum result admin_change_index(struct request *request, struct response *response)
{
    json_t *changes;
    TRY(change_queue(&changes, request->db));
    flow_change_states(changes);
    return flow_page(request, response, "admin/changes.html",
                     json_pack("{s:O}", "changes", changes));
}

/* `moved`: the decision was for an older version than this. */
static enum result draw(struct request *request, struct response *response, int64_t id,
                        struct submission *comment, bool moved)
{
    json_t *change;
    TRY(change_show(&change, request->db, id));
    const struct form *form;
    TRY(change_form(&form, request, change));
    flow_change_states(json_pack("[O]", change));
    json_t *document = json_object();
    json_object_set(document, "change", change);
    json_object_set_new(
        document, "rows",
        difference_rows(request, form, json_object_get(change, "differences")));
    json_object_set_new(document, "moved", json_boolean(moved));
    json_object_set_new(document, "new_entity",
                        json_boolean(integer_at(change, "target_id") == 0));
    flow_add_form(document, request, "return", NULL, comment);
    return flow_page(request, response, "admin/change.html", document);
}

enum result admin_change_show(struct request *request, struct response *response)
{
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    return draw(request, response, id, NULL, false);
}

static enum result finish(struct request *request, struct response *response, int64_t id,
                          struct submission *comment, enum result decided,
                          const char *notice)
{
    if (decided == CONFLICT) {
        response->status = 409;
        return draw(request, response, id, comment, true);
    }
    TRY(decided);
    flow_done(response, "/admin/changes", notice);
    return OK;
}

enum result admin_change_approve(struct request *request, struct response *response)
{
    int64_t id, version;
    json_t *applied;
    struct actor actor = actor_of(request);
    TRY(number_of(&id, param(request, "id")));
    if (number_of(&version, field(request, "version")) != OK)
        return INVALID;
    enum result decided = change_approve(&applied, request->db, &actor, id, version);
    return finish(request, response, id, NULL, decided, "approved");
}

enum result admin_change_return(struct request *request, struct response *response)
{
    int64_t id, version;
    struct submission comment;
    struct actor actor = actor_of(request);
    TRY(number_of(&id, param(request, "id")));
    if (number_of(&version, field(request, "version")) != OK)
        return INVALID;
    if (flow_form(&comment, request, response, "return", FOR_ADMIN) != OK) {
        response->status = 422;
        return draw(request, response, id, &comment, false);
    }
    comment.errors = NULL;
    enum result decided = change_return(request->db, &actor, id, version,
                                        text_at(comment.document, "comment", ""));
    return finish(request, response, id, &comment, decided, "returned");
}
