/* An admin's API tokens. A new one is shown once, in the answer that makes it. */
#include "server/site/admin.h"

#include "db/store/account.h"
#include "server/form/submission.h"
#include "server/guard/token.h"
#include "server/site/flow.h"

static enum result draw(struct request *request, struct response *response,
                        const struct submission *form, const char *token)
{
    json_t *tokens, *row;
    size_t index;
    TRY(token_list(&tokens, request->db, account_id(request)));
    json_array_foreach(tokens, index, row) json_object_set_new(
        row, "revoked", json_boolean(!json_is_null(json_object_get(row, "revoked_at"))));
    json_t *document = json_object();
    json_object_set(document, "tokens", tokens);
    json_object_set_new(document, "token", token ? json_string(token) : json_null());
    flow_add_form(document, request, "token", NULL, form);
    return flow_page(request, response, "admin/tokens.html", document);
}

enum result admin_token_index(struct request *request, struct response *response)
{
    return draw(request, response, NULL, NULL);
}

enum result admin_token_create(struct request *request, struct response *response)
{
    struct submission form;
    struct actor actor = actor_of(request);
    int64_t id;
    if (flow_form(&form, request, response, "token", FOR_ADMIN) != OK) {
        response->status = 422;
        return draw(request, response, &form, NULL);
    }
    const char *token = token_new(request->arena);
    bool may_approve = json_is_true(json_object_get(form.document, "may_approve"));
    TRY(token_create(&id, request->db, &actor, actor.account,
                     text_at(form.document, "name", ""),
                     token_hash(request->arena, token), may_approve,
                     (int)integer_at(form.document, "days")));
    return draw(request, response, NULL, token);
}

enum result admin_token_revoke(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    TRY(token_revoke(request->db, &actor, id));
    flow_done(response, "/admin/tokens", "token_revoked");
    return OK;
}
