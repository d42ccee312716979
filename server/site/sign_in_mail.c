/* Signing in without a password: a link is mailed to whoever has an account, and its code
 * serves on another device. Whether an address has an account shows neither in the answer
 * nor in its time. */
#include "server/site/sign_in.h"

#include "db/store/account.h"
#include "server/base/clock.h"
#include "server/base/document.h"
#include "server/base/percent.h"
#include "server/base/utf8.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/guard/csrf.h"
#include "server/guard/next.h"
#include "server/guard/rate_limit.h"
#include "server/guard/token.h"
#include "server/mail/order.h"
#include "server/site/flow.h"
#include "server/site/site.h"

#include <string.h>

enum { LINK_HOURS = 2, ANSWER_MS = 120 };

/* Writing a mail takes a few milliseconds; the answer is given after the same time in any
 * case. */
static void wait_till(int64_t moment)
{
    int64_t left = moment - clock_ms();
    struct timespec pause = {.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
    if (left > 0)
        nanosleep(&pause, NULL);
}

static enum result send_link(struct request *request, const json_t *account,
                             const char *next, const char *address)
{
    int64_t id;
    struct actor actor = actor_of(request);
    struct mail_order order = {.template = "sign_in",
                               .account = integer_at(account, "id"),
                               .next = next,
                               .link_hours = LINK_HOURS,
                               .address = address};
    if (truth_at(account, "disabled"))
        return OK;
    return mail_order(&id, request->db, &actor, &order);
}

static enum result count_mail(struct request *request, struct response *response,
                              const char *address)
{
    const char *folded = utf8_fold(request->arena, address, strlen(address));
    TRY(rate_count(request, response, &rate_mailer, NULL));
    return rate_count(request, response, &rate_mail, folded);
}

static void to_code_page(const struct request *request, struct response *response,
                         const char *next)
{
    flow_done(response,
              arena_print(request->arena, "/sign-in/code?next=%s",
                          percent_text(request->arena, next)),
              "link_mailed");
}

/* Whoever asks by the address that lasts gets the mail there, as it was confirmed. */
static const char *lasting_of(const struct request *request, const json_t *account,
                              const char *typed)
{
    const char *lasting = text_at(account, "lasting_email", NULL);
    if (!lasting)
        return NULL;
    const char *one = utf8_fold(request->arena, lasting, strlen(lasting));
    const char *other = utf8_fold(request->arena, typed, strlen(typed));
    return strcmp(one, other) == 0 ? lasting : NULL;
}

enum result sign_in_mail_send(struct request *request, struct response *response)
{
    int64_t began = clock_ms();
    struct submission form;
    json_t *account;
    const char *next = sign_in_next(request);
    if (flow_form(&form, request, response, "sign_in_mail", FOR_MEMBER) != OK)
        return sign_in_draw(request, response, "sign_in_mail", &form);
    const char *address = text_at(form.document, "address", "");
    TRY(count_mail(request, response, address));
    enum result found = account_by_email(&account, request->db, address);
    if (found == OK)
        TRY(send_link(request, account, next, lasting_of(request, account, address)));
    else if (found != NOT_FOUND)
        return found;
    wait_till(began + ANSWER_MS);
    to_code_page(request, response, next);
    return OK;
}

/* A new link for whom a used or expired one was; nobody is told who that is. */
enum result sign_in_link_again(struct request *request, struct response *response)
{
    int64_t began = clock_ms();
    enum link_state state;
    json_t *owner;
    const char *hash = token_hash(request->arena, param(request, "token"));
    const char *next = "/my";
    TRY(link_look(&state, &owner, request->db, hash));
    TRY(count_mail(request, response, owner ? text_at(owner, "email", "") : hash));
    if (owner && (state == LINK_USED || state == LINK_EXPIRED)) {
        const char *page = next_path(text_of(owner, "next"), "/my");
        TRY(send_link(request, owner, page, filled_of(owner, "to_address")));
    }
    wait_till(began + ANSWER_MS);
    to_code_page(request, response, next);
    return OK;
}

static enum result draw_code(struct request *request, struct response *response,
                             const struct submission *sent)
{
    const char *csrf = csrf_token_new(request, response);
    json_t *document = json_object();
    json_object_set_new(document, "form",
                        form_page(form_named(site.forms, "sign_in_code"),
                                  sent ? sent->typed : NULL, sent ? sent->errors : NULL,
                                  FOR_MEMBER, request->language));
    json_object_set_new(document, "next", json_string(sign_in_next(request)));
    json_object_set_new(document, "csrf", json_string(csrf));
    return flow_page(request, response, "sign_in/code.html", document);
}

enum result sign_in_code_show(struct request *request, struct response *response)
{
    return draw_code(request, response, NULL);
}

/* The hash of the link that address and code mean together; NOT_FOUND: of none that is
 * good, or no such account. */
static enum result find_link(const char **hash, struct request *request,
                             const struct submission *form)
{
    json_t *account, *owner;
    enum link_state state;
    const char *code = text_at(form->document, "code", "");
    TRY(account_by_email(&account, request->db, text_at(form->document, "address", "")));
    TRY(link_of_code(hash, request->db, integer_at(account, "id"),
                     mail_code_hash(integer_at(account, "id"), code)));
    TRY(link_look(&state, &owner, request->db, *hash));
    return state == LINK_GOOD ? OK : NOT_FOUND;
}

enum result sign_in_code_submit(struct request *request, struct response *response)
{
    int64_t began = clock_ms();
    struct submission form;
    const char *hash;
    if (flow_form(&form, request, response, "sign_in_code", FOR_MEMBER) != OK)
        return draw_code(request, response, &form);
    const char *address = text_at(form.document, "address", "");
    const char *folded = utf8_fold(request->arena, address, strlen(address));
    TRY(rate_count(request, response, &rate_peer, NULL));
    TRY(rate_count(request, response, &rate_sign_in, folded));
    enum result found = find_link(&hash, request, &form);
    if (found == NOT_FOUND) {
        wait_till(began + ANSWER_MS);
        form_error(&form, "code", "sign_in_code");
        response->status = 401;
        return draw_code(request, response, &form);
    }
    TRY(found);
    TRY(rate_uncount(request, &rate_peer, NULL));
    TRY(rate_forget(request, &rate_sign_in, folded));
    return sign_in_by_link(request, response, hash);
}
