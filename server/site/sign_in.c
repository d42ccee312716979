/* Signing in, by password or by a link that an admin handed over. Looking at a link
 * changes nothing (mail filters do that); its button redeems it. Whether an address has
 * an account shows neither in the answer nor in its time. */
#include "server/site/sign_in.h"

#include "db/store/account.h"
#include "server/base/utf8.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/form/submission.h"
#include "server/guard/csrf.h"
#include "server/guard/next.h"
#include "server/guard/password.h"
#include "server/guard/rate_limit.h"
#include "server/guard/session.h"
#include "server/guard/token.h"
#include "server/site/flow.h"
#include "server/site/held.h"
#include "server/site/site.h"

#include <string.h>

enum { LANGUAGE_COOKIE_SECONDS = 365 * 24 * 3600 };

const char *sign_in_next(const struct request *request)
{
    const char *posted = field(request, "next");
    return next_path(posted ? posted : query_argument(request, "next"), "/my");
}

static enum result record(struct request *request, const struct actor *actor,
                          const char *action)
{
    json_t *detail = json_pack("{s:s}", "peer", request->peer);
    struct event event = {.action = action,
                          .entity = "account",
                          .target = actor->account,
                          .detail = detail};
    return event_add(request->db, actor, &event);
}

enum result sign_in_draw(struct request *request, struct response *response,
                         const char *form, const struct submission *sent)
{
    static const char *const names[] = {"sign_in", "sign_in_mail"};
    const char *csrf = csrf_token_new(request, response);
    json_t *document = json_object();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool wrong = form && sent && strcmp(form, names[i]) == 0;
        json_object_set_new(
            document, i == 0 ? "form" : "mail_form",
            form_page(form_named(site.forms, names[i]), wrong ? sent->typed : NULL,
                      wrong ? sent->errors : NULL, FOR_MEMBER, request->language));
    }
    json_object_set_new(document, "next", json_string(sign_in_next(request)));
    json_object_set_new(document, "csrf", json_string(csrf));
    return flow_page(request, response, "sign_in/form.html", document);
}

enum result sign_in_show(struct request *request, struct response *response)
{
    if (request->account) {
        response_redirect(response, sign_in_next(request));
        response_header(response, "Cache-Control", "private, no-store");
        return OK;
    }
    return sign_in_draw(request, response, NULL, NULL);
}

/* The account's language for the pages to come, unless this browser has chosen one. */
static void keep_language(const struct request *request, struct response *response,
                          const json_t *account)
{
    if (!request_cookie(request, "labd_language"))
        response_cookie(response, "labd_language", text_at(account, "language", "en"),
                        LANGUAGE_COOKIE_SECONDS);
}

static enum result succeed(struct request *request, struct response *response,
                           const json_t *account, const char *action,
                           const char *location)
{
    struct actor actor = {integer_at(account, "id"), text_at(account, "email", ""),
                          request->id};
    TRY(guard_sign_in(request, response, actor.account));
    if (action)
        TRY(record(request, &actor, action));
    keep_language(request, response, account);
    TRY(held_location(&location, request, actor.account));
    response_redirect(response, location);
    response_header(response, "Cache-Control", "private, no-store");
    return OK;
}

/* DENIED: no such account, or another password; the same to whoever asks. */
static enum result check_password(json_t **account, struct request *request,
                                  const char *email, const char *password)
{
    const char *hash = NULL;
    int64_t id = 0;
    enum result found = account_password(&id, &hash, request->db, email);
    if (found != OK && found != NOT_FOUND)
        return found;
    enum result right = password_verify(found == OK ? hash : NULL, password);
    if (right == DENIED) {
        struct actor actor = {id, id ? email : "visitor", request->id};
        TRY(record(request, &actor, "sign_in.failed"));
    }
    TRY(right);
    TRY(account_by_id(account, request->db, id));
    if (!password_outdated(hash))
        return OK;
    struct actor actor = {id, email, request->id};
    TRY(password_hash(&hash, request->arena, password));
    return account_set_password(request->db, &actor, id, hash, NULL);
}

/* Whom a flood of others turned away has not guessed, and a house full of members who
 * sign in from one address is no attack. */
static enum result settle_counts(struct request *request, const char *folded,
                                 enum result checked)
{
    if (checked == OK) {
        TRY(rate_uncount(request, &rate_peer, NULL));
        TRY(rate_forget(request, &rate_sign_in, folded));
    } else if (checked == BUSY) {
        TRY(rate_uncount(request, &rate_peer, NULL));
        TRY(rate_uncount(request, &rate_sign_in, folded));
    }
    return OK;
}

enum result sign_in_submit(struct request *request, struct response *response)
{
    struct submission form;
    json_t *account;
    if (flow_form(&form, request, response, "sign_in", FOR_MEMBER) != OK)
        return sign_in_draw(request, response, "sign_in", &form);
    const char *email = text_at(form.document, "email", "");
    const char *folded = utf8_fold(request->arena, email, strlen(email));
    TRY(rate_count(request, response, &rate_peer, NULL));
    TRY(rate_count(request, response, &rate_sign_in, folded));
    enum result result =
        check_password(&account, request, email, text_at(form.document, "password", ""));
    TRY(settle_counts(request, folded, result));
    if (result == DENIED || result == INVALID) {
        form_error(&form, NULL, "sign_in");
        response->status = result == DENIED ? 401 : 422;
        return sign_in_draw(request, response, "sign_in", &form);
    }
    TRY(result);
    return succeed(request, response, account, "sign_in.password", sign_in_next(request));
}

enum result sign_out(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    TRY(record(request, &actor, "sign_out"));
    TRY(guard_sign_out(request, response));
    flow_done(response, "/sign-in", "signed_out");
    return OK;
}

/* The page of a link that can't be used (any more), which leads to a new one. Guesses are
 * counted. */
static enum result refuse_link(struct request *request, struct response *response,
                               enum link_state state)
{
    static const char *const reasons[] = {"good", "unknown", "used", "expired",
                                          "withdrawn"};
    if (state == LINK_UNKNOWN)
        TRY(rate_count(request, response, &rate_link, NULL));
    const char *csrf = csrf_token_new(request, response);
    bool known = state == LINK_USED || state == LINK_EXPIRED;
    json_t *document =
        json_pack("{s:s,s:b,s:s,s:s}", "reason", reasons[state], "known", known, "again",
                  arena_print(request->arena, "%s/again", request->path), "csrf", csrf);
    json_object_set_new(document, "mail_form",
                        form_page(form_named(site.forms, "sign_in_mail"), NULL, NULL,
                                  FOR_MEMBER, request->language));
    response->status = state == LINK_UNKNOWN ? 404 : 410;
    return flow_page(request, response, "sign_in/refused.html", document);
}

static const char *link_hash(const struct request *request)
{
    return token_hash(request->arena, param(request, "token"));
}

/* Who is signed in as the owner has no use for a link but the page behind it, however
 * often it was used. A plain one is for proving anew who one is. */
static bool may_just_go_on(const struct request *request, enum link_state state,
                           const json_t *owner)
{
    return request->account && owner && account_id(request) == integer_at(owner, "id") &&
           text_of(owner, "next") && state != LINK_WITHDRAWN &&
           (state != LINK_GOOD || truth_at(owner, "invited"));
}

enum result sign_in_link_show(struct request *request, struct response *response)
{
    enum link_state state;
    json_t *owner;
    response_header(response, "Referrer-Policy", "no-referrer");
    TRY(link_look(&state, &owner, request->db, link_hash(request)));
    if (may_just_go_on(request, state, owner)) {
        response_redirect(response, next_path(text_of(owner, "next"), "/my"));
        response_header(response, "Cache-Control", "private, no-store");
        return OK;
    }
    if (state != LINK_GOOD)
        return refuse_link(request, response, state);
    bool other = request->account && account_id(request) != integer_at(owner, "id");
    const char *csrf = csrf_token_new(request, response);
    json_t *document = json_object();
    json_object_set(document, "owner", owner);
    json_object_set_new(document, "other_account", json_boolean(other));
    json_object_set_new(document, "next", json_string(sign_in_next(request)));
    json_object_set_new(document, "csrf", json_string(csrf));
    json_object_set_new(document, "link_path", json_string(request->path));
    return flow_page(request, response, "sign_in/link.html", document);
}

enum result sign_in_by_link(struct request *request, struct response *response,
                            const char *hash)
{
    enum link_state state;
    json_t *owner;
    TRY(link_redeem(&state, &owner, request->db, hash, request->id));
    if (state != LINK_GOOD)
        return refuse_link(request, response, state);
    const char *next = next_path(text_of(owner, "next"), NULL);
    bool bare_admin = truth_at(owner, "admin") && !truth_at(owner, "has_password");
    if (!next)
        next = bare_admin ? "/my/password?notice=welcome" : sign_in_next(request);
    return succeed(request, response, owner, NULL, next);
}

enum result sign_in_link_redeem(struct request *request, struct response *response)
{
    response_header(response, "Referrer-Policy", "no-referrer");
    return sign_in_by_link(request, response, link_hash(request));
}
