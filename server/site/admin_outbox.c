/* The outbox as an admin sees it: what waits and why, what went out, what came back. */
#include "server/site/admin.h"

#include "db/store/mail.h"
#include "server/base/config.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/mail/order.h"
#include "server/mail/text.h"
#include "server/site/flow.h"
#include "server/site/site.h"
#include "server/site/tags.h"
#include "server/view/view.h"

#include <string.h>

enum { MAILS_A_PAGE = 50 };

static const struct {
    const char *name;
    bool open; /* can be changed yet */
} states[] = {
    {"waiting",   true },
    {"held",      true },
    {"sending",   false},
    {"sent",      false},
    {"failed",    true },
    {"bounced",   false},
    {"cancelled", false},
};
enum { STATES = sizeof states / sizeof *states };

static bool in_state(const json_t *mail, const char *state)
{
    return strcmp(text_at(mail, "state", ""), state) == 0;
}

/* Adds what the pages say of a mail's state. */
static void add_state(json_t *mail)
{
    for (size_t i = 0; i < STATES; i++)
        if (in_state(mail, states[i].name))
            json_object_set_new(mail, "choosable", json_boolean(states[i].open));
    tag_add(mail, "mail");
    const char *reason = filled_of(mail, "reason");
    const char *key =
        arena_print(arena_current(), "outbox.reason.%s", reason ? reason : "");
    bool known = reason && view_has_message(site.view, key);
    json_object_set_new(mail, "reason_code", known ? json_string(reason) : json_null());
    json_object_set_new(mail, "reason_words",
                        reason && !known ? json_string(reason) : json_null());
    json_object_set_new(mail, "is_waiting", json_boolean(in_state(mail, "waiting")));
    json_object_set_new(
        mail, "repeated",
        json_boolean(in_state(mail, "waiting") && integer_at(mail, "attempts") > 0));
}

static void add_sender(json_t *document)
{
    json_object_set_new(document, "smtp", json_boolean(*config.smtp_url != '\0'));
    json_object_set_new(document, "mail_from", json_string(config.mail_from));
}

/* A state that there is; NULL: all. */
static const char *wanted_state(const char *name)
{
    for (size_t i = 0; name && i < STATES; i++)
        if (strcmp(states[i].name, name) == 0)
            return states[i].name;
    return NULL;
}

static json_t *counters(json_t *counts, const char *state)
{
    json_t *list = json_array();
    int64_t total = 0;
    for (size_t i = 0; i < STATES; i++) {
        int64_t count = integer_at(counts, states[i].name);
        total += count;
        json_array_append_new(
            list, json_pack("{s:s,s:I,s:b}", "state", states[i].name, "count", count,
                            "current", state && strcmp(state, states[i].name) == 0));
    }
    json_array_insert_new(list, 0,
                          json_pack("{s:s,s:I,s:b}", "state", "all", "count", total,
                                    "current", state == NULL));
    return list;
}

enum result admin_outbox_index(struct request *request, struct response *response)
{
    json_t *counts, *mails, *mail, *choosable = json_array();
    size_t index;
    int64_t before;
    const char *state = wanted_state(query_argument(request, "state"));
    if (number_of(&before, query_argument(request, "before")) != OK)
        before = 0;
    TRY(mail_counts(&counts, request->db));
    TRY(mail_list(&mails, request->db, state, before, MAILS_A_PAGE + 1));
    bool more = json_array_size(mails) > MAILS_A_PAGE;
    if (more)
        json_array_remove(mails, MAILS_A_PAGE);
    json_array_foreach(mails, index, mail)
    {
        add_state(mail);
        if (truth_at(mail, "choosable"))
            json_array_append(choosable, mail);
    }
    json_t *document = json_pack("{s:o,s:O,s:s?}", "counters", counters(counts, state),
                                 "mails", mails, "state", state);
    json_object_set_new(document, "page_ids",
                        json_array_size(choosable) > 0 ? flow_number_list(choosable, "id")
                                                       : json_null());
    json_object_set_new(
        document, "next",
        more ? json_integer(integer_at(json_array_get(mails, MAILS_A_PAGE - 1), "id"))
             : json_null());
    json_object_set_new(document, "first", json_boolean(before == 0));
    add_sender(document);
    return flow_page(request, response, "admin/outbox.html", document);
}

/* Those chosen, or all of the page when that is ticked. */
static json_t *chosen(const struct request *request)
{
    return flow_numbers(request, field(request, "all") ? "page" : "id");
}

enum result admin_outbox_act(struct request *request, struct response *response)
{
    static const struct {
        const char *name, *notice;
        enum mail_deed deed;
    } deeds[] = {
        {"hold",    "mails_held",      MAIL_HOLD   },
        {"release", "mails_released",  MAIL_RELEASE},
        {"cancel",  "mails_cancelled", MAIL_CANCEL },
    };
    const char *name = field(request, "deed"), *notice = NULL;
    struct actor actor = actor_of(request);
    const char *state = wanted_state(field(request, "state"));
    json_t *ids = chosen(request);
    int64_t done = 0, one;
    for (size_t i = 0; name && i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(name, deeds[i].name) == 0) {
            notice = deeds[i].notice;
            TRY(mail_do(&done, request->db, &actor, deeds[i].deed, ids));
        }
    if (!notice)
        return INVALID;
    const char *back = "/admin/outbox";
    if (number_of(&one, field(request, "back")) == OK)
        back = arena_print(request->arena, "/admin/outbox/%lld", (long long)one);
    else if (state)
        back = arena_print(request->arena, "/admin/outbox?state=%s", state);
    flow_done(response, back, done > 0 ? notice : "mails_none");
    return OK;
}

static enum result find(json_t **mail, struct request *request)
{
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    return mail_find(mail, request->db, id);
}

/* `sent`: an edited text that is wrong; `moved`: somebody else was faster, and what was
 * typed stands in the form. */
static enum result draw(struct request *request, struct response *response,
                        const struct submission *sent, bool moved)
{
    json_t *mail;
    TRY(find(&mail, request));
    add_state(mail);
    bool editable = in_state(mail, "waiting") || in_state(mail, "held");
    const char *secret = text_of(mail, "secret");
    const char *body = mail_finished(text_at(mail, "body", ""), secret);
    bool gone = in_state(mail, "sent") || in_state(mail, "bounced");
    json_object_set_new(mail, "link",
                        secret ? json_string(mail_finished("{{link}}", secret))
                               : json_null());
    json_object_set_new(mail, "text", json_string(body));
    json_object_set_new(mail, "paragraphs", mail_text_paragraphs(body));
    json_object_set_new(mail, "editable", json_boolean(editable));
    json_object_set_new(mail, "holdable", json_boolean(in_state(mail, "waiting")));
    json_object_set_new(mail, "releasable", json_boolean(in_state(mail, "held")));
    json_object_set_new(
        mail, "retriable",
        json_boolean(truth_at(mail, "repeated") || in_state(mail, "failed")));
    json_object_set_new(mail, "resendable",
                        json_boolean(gone || in_state(mail, "failed")));
    json_object_del(mail, "secret");
    json_t *document = json_pack("{s:O,s:b}", "mail", mail, "moved", moved);
    json_object_set_new(document, "form",
                        form_page(form_named(site.forms, "mail"),
                                  sent ? sent->typed : mail, sent ? sent->errors : NULL,
                                  FOR_ADMIN, request->language));
    add_sender(document);
    return flow_page(request, response, "admin/outbox_mail.html", document);
}

enum result admin_outbox_show(struct request *request, struct response *response)
{
    return draw(request, response, NULL, false);
}

static void take_errors(struct submission *form, json_t *errors)
{
    size_t index;
    json_t *error;
    json_array_foreach(errors, index, error) json_array_append(form->errors, error);
}

enum result admin_outbox_edit(struct request *request, struct response *response)
{
    struct submission form;
    struct actor actor = actor_of(request);
    json_t *mail, *errors;
    int64_t version;
    TRY(find(&mail, request));
    if (number_of(&version, field(request, "version")) != OK)
        return INVALID;
    enum result read = flow_form(&form, request, response, "mail", FOR_ADMIN);
    if (read == OK) {
        read = mail_edit_check(&errors, integer_at(mail, "link_id") != 0,
                               text_at(form.document, "subject", ""),
                               text_at(form.document, "body", ""));
        take_errors(&form, errors);
    }
    if (read == INVALID) {
        response->status = 422;
        return draw(request, response, &form, false);
    }
    TRY(read);
    enum result edited = mail_edit(request->db, &actor, integer_at(mail, "id"), version,
                                   text_at(form.document, "subject", ""),
                                   text_at(form.document, "body", ""));
    if (edited == CONFLICT) {
        response->status = 409;
        return draw(request, response, &form, true);
    }
    TRY(edited);
    flow_done(response, request->path, "saved");
    return OK;
}

enum result admin_outbox_retry(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    json_t *mail;
    TRY(find(&mail, request));
    TRY(mail_retry(request->db, &actor, integer_at(mail, "id")));
    flow_done(response,
              arena_print(request->arena, "/admin/outbox/%s", param(request, "id")),
              "mail_retried");
    return OK;
}

enum result admin_outbox_resend(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    json_t *mail;
    int64_t id;
    TRY(find(&mail, request));
    TRY(mail_resend(&id, request->db, &actor, mail));
    flow_done(response, arena_print(request->arena, "/admin/outbox/%lld", (long long)id),
              "mail_resent");
    return OK;
}

enum result admin_outbox_test(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    struct mail_order order = {.template = "test", .account = actor.account};
    int64_t id;
    TRY(mail_order(&id, request->db, &actor, &order));
    flow_done(response, arena_print(request->arena, "/admin/outbox/%lld", (long long)id),
              "mail_test");
    return OK;
}
