/* The member's page on their own data: see my_data.h. */
#include "server/site/my_data.h"

#include "db/store/change.h"
#include "db/store/personal.h"
#include "db/transaction.h"
#include "server/base/utf8.h"
#include "server/form/submission.h"
#include "server/guard/rate_limit.h"
#include "server/guard/token.h"
#include "server/mail/order.h"
#include "server/site/flow.h"

#include <string.h>

enum { LASTING_LINK_HOURS = 7 * 24 };

static const char page_path[] = "/my/data";

/* The last day that was proposed and is not decided yet, or null. */
static enum result proposed_end(json_t **ends, struct request *request)
{
    json_t *change, *appointment;
    size_t index;
    int64_t person = integer_at(request->account, "person_id");
    *ends = json_null();
    if (person == 0)
        return OK;
    enum result found =
        change_open(&change, request->db, account_id(request), "person", person);
    if (found != OK)
        return found == NOT_FOUND ? OK : found;
    json_t *base = json_object_get(json_object_get(change, "base"), "appointments");
    json_t *now = json_object_get(json_object_get(change, "document"), "appointments");
    if (change_same(base, now))
        return OK;
    json_array_foreach(now, index, appointment)
    {
        json_t *end = json_object_get(appointment, "ends");
        if (json_is_string(end) &&
            (!json_is_string(*ends) ||
             strcmp(json_string_value(end), json_string_value(*ends)) > 0))
            *ends = end;
    }
    return OK;
}

static json_t *or_null(json_t *value)
{
    return value ? value : json_null();
}

static enum result draw(struct request *request, struct response *response,
                        const struct submission *leaving,
                        const struct submission *deletion)
{
    json_t *lasting, *asked = NULL, *ends, *document = json_object(), *part;
    TRY(personal_lasting(&lasting, request->db, account_id(request)));
    enum result found = personal_deletion_open(&asked, request->db, account_id(request));
    if (found != OK && found != NOT_FOUND)
        return found;
    TRY(proposed_end(&ends, request));
    part = json_object();
    flow_add_form(part, request, "leaving", NULL, leaving);
    json_object_set_new(document, "leaving", part);
    part = json_object();
    flow_add_form(part, request, "deletion", NULL, deletion);
    json_object_set_new(document, "deletion", part);
    json_object_set(document, "lasting_email",
                    or_null(json_object_get(lasting, "lasting_email")));
    json_object_set(document, "asked_email",
                    or_null(json_object_get(lasting, "asked_email")));
    json_object_set(document, "ends", ends);
    json_object_set(document, "asked", found == OK ? asked : json_null());
    json_object_set_new(document, "member",
                        json_boolean(integer_at(request->account, "person_id") != 0));
    return flow_page(request, response, "my/data.html", document);
}

enum result my_data_show(struct request *request, struct response *response)
{
    return draw(request, response, NULL, NULL);
}

/* Both wishes at once, or neither. */
struct leaving {
    struct request *request;
    const char *ends, *lasting;
    const char *fault, *field; /* code of an error, and where */
};

static enum result refuse(struct leaving *leaving, const char *field, const char *fault)
{
    leaving->field = field;
    leaving->fault = fault;
    return INVALID;
}

/* Nobody has shown yet whose address it is: its link does not sign in. */
static enum result mail_lasting(struct leaving *leaving, struct db *db,
                                const struct actor *actor)
{
    struct request *request = leaving->request;
    const char *token = token_new(request->arena);
    int64_t mail;
    enum result begun = personal_lasting_begin(db, actor, leaving->lasting,
                                               token_hash(request->arena, token));
    if (begun == CONFLICT)
        return refuse(leaving, "lasting", "lasting_taken");
    TRY(begun);
    const char *link =
        arena_print(request->arena, "%s/my/data/lasting/%s", mail_origin(), token);
    struct mail_order order = {.template = "lasting_address",
                               .account = actor->account,
                               .values = json_pack("{s:s}", "link", link),
                               .link_hours = LASTING_LINK_HOURS,
                               .address = leaving->lasting};
    return mail_order(&mail, db, actor, &order);
}

static enum result leave(struct db *db, void *data)
{
    struct leaving *leaving = data;
    struct actor actor = actor_of(leaving->request);
    int64_t person = integer_at(leaving->request->account, "person_id");
    json_t *outcome;
    if (*leaving->ends && person == 0)
        return refuse(leaving, "ends", "no_appointment");
    if (*leaving->ends) {
        enum result proposed =
            personal_leave(&outcome, db, &actor, person, leaving->ends);
        if (proposed == INVALID)
            return refuse(leaving, "ends", "no_appointment");
        TRY(proposed);
    }
    return *leaving->lasting ? mail_lasting(leaving, db, &actor) : OK;
}

enum result my_data_leave(struct request *request, struct response *response)
{
    struct submission form;
    struct leaving leaving = {.request = request};
    enum result result = flow_form(&form, request, response, "leaving", FOR_MEMBER);
    if (result == OK) {
        leaving.ends = text_at(form.document, "ends", "");
        leaving.lasting = text_at(form.document, "lasting", "");
        const char *who = text_at(request->account, "email", "");
        if (*leaving.lasting)
            TRY(rate_count(request, response, &rate_mail,
                           arena_print(request->arena, "lasting %s", who)));
        result = db_transaction(request->db, leave, &leaving);
        if (result == INVALID && leaving.fault)
            form_error(&form, leaving.field, leaving.fault);
    }
    if (result == INVALID) {
        response->status = 422;
        return draw(request, response, &form, NULL);
    }
    TRY(result);
    flow_done(response, page_path, *leaving.lasting ? "lasting_mailed" : "leaving_sent");
    return OK;
}

/* The token as it stands in the URL of the mail. */
static const char *hash_of(const struct request *request)
{
    return token_hash(request->arena, param(request, "token"));
}

static enum result draw_lasting(struct request *request, struct response *response,
                                const char *email, bool taken)
{
    json_t *document = json_object();
    json_object_set_new(document, "email", email ? json_string(email) : json_null());
    json_object_set_new(document, "taken", json_boolean(taken));
    json_object_set_new(document, "path", json_string(request->path));
    response_header(response, "Referrer-Policy", "no-referrer");
    return flow_page(request, response, "my/lasting.html", document);
}

enum result my_lasting_show(struct request *request, struct response *response)
{
    const char *email = NULL;
    enum result found =
        personal_lasting_find(&email, request->db, account_id(request), hash_of(request));
    if (found != OK && found != NOT_FOUND)
        return found;
    if (found == NOT_FOUND)
        response->status = 404;
    return draw_lasting(request, response, email, false);
}

enum result my_lasting_confirm(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    enum result confirmed =
        personal_lasting_confirm(request->db, &actor, hash_of(request));
    if (confirmed == CONFLICT || confirmed == NOT_FOUND) {
        response->status = confirmed == CONFLICT ? 409 : 404;
        return draw_lasting(request, response, NULL, confirmed == CONFLICT);
    }
    TRY(confirmed);
    flow_done(response, page_path, "lasting_confirmed");
    return OK;
}

enum result my_lasting_drop(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    TRY(personal_lasting_forget(request->db, &actor));
    flow_done(response, page_path, "lasting_dropped");
    return OK;
}

enum result my_data_delete(struct request *request, struct response *response)
{
    struct submission form;
    struct actor actor = actor_of(request);
    enum result result = flow_form(&form, request, response, "deletion", FOR_MEMBER);
    if (result == OK && !json_is_true(json_object_get(form.document, "sure"))) {
        form_error(&form, "sure", "sure");
        result = INVALID;
    }
    if (result == INVALID) {
        response->status = 422;
        return draw(request, response, NULL, &form);
    }
    TRY(result);
    result =
        personal_deletion_ask(request->db, &actor, text_at(form.document, "words", NULL));
    if (result != OK && result != CONFLICT) /* asked twice is asked once */
        return result;
    flow_done(response, page_path, "deletion_asked");
    return OK;
}

enum result my_data_keep(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    enum result withdrawn = personal_deletion_withdraw(request->db, &actor);
    if (withdrawn != OK && withdrawn != CONFLICT)
        return withdrawn;
    flow_done(response, page_path, "deletion_withdrawn");
    return OK;
}
