/* Carrying out what a member asked for: the deletion of their data. */
#include "server/site/my_data.h"

#include "db/store/personal.h"
#include "server/site/flow.h"

#include <string.h>

static enum result draw(struct request *request, struct response *response,
                        const char *fault)
{
    json_t *asked;
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    TRY(personal_deletion(&asked, request->db, id));
    bool open = json_is_null(json_object_get(asked, "done_at")) &&
                json_is_null(json_object_get(asked, "withdrawn_at"));
    json_object_set_new(asked, "open", json_boolean(open));
    json_object_set_new(
        asked, "self",
        json_boolean(integer_at(asked, "account_id") == account_id(request)));
    json_object_set_new(asked, "fault", fault ? json_string(fault) : json_null());
    json_t *document = json_pack("{s:O}", "asked", asked);
    return flow_page(request, response, "admin/deletion.html", document);
}

enum result admin_deletion_show(struct request *request, struct response *response)
{
    return draw(request, response, NULL);
}

/* The address of the account is typed first: nothing brings the data back. */
enum result admin_deletion_erase(struct request *request, struct response *response)
{
    json_t *asked;
    int64_t id;
    struct actor actor = actor_of(request);
    const char *typed = field(request, "email");
    TRY(number_of(&id, param(request, "id")));
    TRY(personal_deletion(&asked, request->db, id));
    if (integer_at(asked, "account_id") == actor.account)
        return DENIED;
    if (!typed || strcmp(typed, text_at(asked, "email", "")) != 0) {
        response->status = 422;
        return draw(request, response, "email");
    }
    enum result erased = personal_erase(request->db, &actor, id);
    if (erased == CONFLICT) {
        response->status = 409;
        return draw(request, response, "moved");
    }
    TRY(erased);
    flow_done(response, "/admin", "erased");
    return OK;
}
