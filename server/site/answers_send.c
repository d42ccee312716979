/* All answers before they are sent, sending them, and what comes after. Sending twice, as
 * after a lost reply, ends where sending once does: one submission, one mail. */
#include "server/site/answers.h"

#include "db/store/account.h"
#include "db/store/answer.h"
#include "db/transaction.h"
#include "server/form/page.h"
#include "server/form/section.h"
#include "server/mail/order.h"
#include "server/site/answering.h"
#include "server/site/asking.h"
#include "server/site/flow.h"
#include "server/site/page.h"
#include "server/site/site.h"
#include "server/site/values.h"
#include "server/view/view.h"

#include <string.h>

enum { RECEIPT_LINK_HOURS = 14 * 24, RECEIPTS_AN_HOUR = 10 };

/* The errors of one field as they are shown. */
static json_t *errors_of(json_t *errors, const char *name)
{
    size_t index, length = strlen(name);
    json_t *error, *own = json_array();
    json_array_foreach(errors, index, error)
    {
        const char *path = text_at(error, "field", "");
        if (strncmp(path, name, length) == 0 &&
            (path[length] == '\0' || path[length] == '.'))
            json_array_append(own, error);
    }
    return own;
}

static const char *visibility_word(const struct answering *a, const struct field *one,
                                   const struct request *request)
{
    const char *level =
        one->visibility == NULL
            ? NULL
            : text_of(json_object_get(a->document, "visibility"), one->visibility);
    if (level == NULL)
        return NULL;
    const char *key = arena_print(request->arena, "form.visibility.%s", level);
    return view_has_message(site.view, key)
               ? view_message(site.view, request->language, key)
               : NULL;
}

static json_t *row_of(const struct answering *a, const struct field *one, size_t section,
                      json_t *errors, const struct request *request)
{
    json_t *value = json_object_get(a->document, one->name);
    const char *text = value_text(request, one, value);
    const char *photo =
        one->type == FIELD_PHOTO ? filled_of(a->document, one->name) : NULL;
    return json_pack(
        "{s:s, s:s?, s:s?, s:s?, s:o, s:s, s:s?}", "name", one->name, "label",
        one->label.text[request->language], "text", *text != '\0' ? text : NULL, "who",
        visibility_word(a, one, request), "errors", errors_of(errors, one->name), "href",
        answering_path(a, "/sections/%zu#f-%s", section + 1, one->name), "photo", photo);
}

static json_t *answer_rows(const struct answering *a, const struct request *request)
{
    json_t *sections = json_array();
    json_t *errors = form_error_list(a->form, a->read.errors, request->language);
    json_t *judged = a->read.document != NULL ? a->read.document : a->document;
    for (size_t i = 0; i < a->form->section_count; i++) {
        const struct section *section = &a->form->sections[i];
        json_t *rows = json_array();
        for (size_t j = section->first; j < section->first + section->count; j++)
            if (form_asks(&a->form->fields[j], judged, FOR_MEMBER))
                json_array_append_new(rows,
                                      row_of(a, &a->form->fields[j], i, errors, request));
        if (json_array_size(rows) > 0)
            json_array_append_new(sections,
                                  json_pack("{s:s?, s:i, s:o}", "title",
                                            section->title.text[request->language],
                                            "number", (int)i + 1, "rows", rows));
    }
    return sections;
}

/* What stands in the way, each with the section that it is in. */
static json_t *problems(const struct answering *a, const struct request *request)
{
    size_t index;
    json_t *error, *list = form_error_list(a->form, a->read.errors, request->language);
    json_array_foreach(list, index, error)
    {
        const char *path = text_at(error, "field", "");
        int section = form_section_of(a->form, path);
        const char *href = text_at(error, "href", NULL);
        if (section >= 0)
            json_object_set_new(
                error, "href",
                json_string(answering_path(a, "/sections/%d%s", section + 1,
                                           href != NULL ? href : "")));
    }
    return list;
}

static bool approved(const struct answering *a)
{
    return strcmp(text_at(a->state, "state", ""), "approved") == 0;
}

/* Can everything be confirmed by one button? */
static bool confirmable(const struct answering *a)
{
    return a->known && a->document == a->start && json_array_size(a->read.errors) == 0 &&
           json_is_null(json_object_get(a->state, "asked")) && !approved(a);
}

static enum result draw_check(const struct answering *a, struct request *request,
                              struct response *response, bool tried, const char *note)
{
    json_t *document = json_object();
    json_t *wrong = problems(a, request);
    bool draft = json_is_object(json_object_get(a->state, "draft"));
    answering_add(document, a, request);
    json_object_set_new(document, "answers", answer_rows(a, request));
    json_object_set_new(document, "summary",
                        json_array_size(wrong) > 0 ? json_pack("{s:O}", "errors", wrong)
                                                   : json_null());
    json_object_set_new(document, "tried", json_boolean(tried));
    json_object_set_new(document, "note", note != NULL ? json_string(note) : json_null());
    json_object_set_new(document, "waiting", json_boolean(answering_waiting(a)));
    json_object_set_new(document, "returned", json_boolean(answering_in(a, "returned")));
    json_object_set_new(document, "confirmable", json_boolean(confirmable(a)));
    json_object_set_new(document, "holds", json_boolean(approved(a) && !draft));
    return flow_page(request, response, "answers/check.html", document);
}

enum result answers_check(struct request *request, struct response *response)
{
    struct answering a;
    bool answered;
    TRY(answering_begin(&a, request, response, false, &answered));
    return answered ? OK : draw_check(&a, request, response, false, NULL);
}

/* Sending, with the mail that says so, both or neither. */
struct sending {
    const struct actor *actor;
    const struct answering *a;
    bool confirm;
    json_t *outcome;
};

/* Sent in and taken back without end, an answer is no way to fill the outbox. */
static enum result receipts_fill(bool *filled, struct db *db, int64_t invitation)
{
    int count, seconds_left;
    const char *key = arena_print(arena_current(), "receipt:%lld", (long long)invitation);
    TRY(rate_hit(&count, &seconds_left, db, key, 3600));
    *filled = count > RECEIPTS_AN_HOUR;
    return OK;
}

static enum result send(struct db *db, void *data)
{
    bool filled;
    struct sending *s = data;
    const struct answering *a = s->a;
    int64_t mail;
    struct answer_saving saving = {.state = a->state,
                                   .document = a->read.document,
                                   .person_version = integer_at(a->state, "person_now"),
                                   .change_version =
                                       integer_at(a->state, "change_version"),
                                   .complete = 100};
    TRY(s->confirm ? answer_confirm(&s->outcome, db, s->actor, &saving)
                   : answer_save(&s->outcome, db, s->actor, &saving));
    TRY(invitation_move_on(db, s->actor, integer_at(a->state, "id")));
    if (strcmp(text_at(s->outcome, "outcome", ""), "unchanged") == 0)
        return OK;
    TRY(receipts_fill(&filled, db, integer_at(a->state, "id")));
    if (filled)
        return OK;
    struct mail_order order = {.template = "receipt",
                               .account = s->actor->account,
                               .collection = integer_at(a->state, "collection_id"),
                               .invitation = integer_at(a->state, "id"),
                               .next = a->base,
                               .link_hours = RECEIPT_LINK_HOURS};
    return mail_order(&mail, db, s->actor, &order);
}

static void receipt(struct response *response, const struct answering *a,
                    const json_t *outcome)
{
    const char *path = answering_path(a, "/receipt");
    if (strcmp(text_at(outcome, "outcome", ""), "unchanged") == 0) {
        flow_done(response, path, "answer_unchanged");
        return;
    }
    response_redirect(response, path);
    response_header(response, "Cache-Control", "private, no-store");
}

/* Are the answers those that the member looked at? */
static bool as_seen(const struct answering *a, const struct request *request)
{
    const char *seen = field(request, "change");
    const char *now = arena_print(request->arena, "%lld.%lld",
                                  (long long)integer_at(a->state, "change_id"),
                                  (long long)integer_at(a->state, "change_version"));
    return seen != NULL && strcmp(seen, now) == 0;
}

static enum result submit(struct request *request, struct response *response,
                          bool confirm)
{
    struct answering a;
    bool answered;
    struct actor actor = actor_of(request);
    TRY(answering_begin(&a, request, response, false, &answered));
    if (answered)
        return OK;
    bool draft = json_is_object(json_object_get(a.state, "draft"));
    if (answering_waiting(&a) || (approved(&a) && !draft)) {
        receipt(response, &a, NULL);
        return OK;
    }
    if (json_array_size(a.read.errors) > 0) {
        response->status = 422;
        return draw_check(&a, request, response, true, NULL);
    }
    if (!as_seen(&a, request)) {
        response->status = 409;
        return draw_check(&a, request, response, false, "moved");
    }
    struct sending sending = {
        .actor = &actor, .a = &a, .confirm = confirm && confirmable(&a)};
    enum result sent = db_transaction(request->db, send, &sending);
    if (sent == CONFLICT) { /* the same, sent by another request just now */
        TRY(answering_begin(&a, request, response, false, &answered));
        if (answered)
            return OK;
        if (answering_waiting(&a) || approved(&a)) {
            receipt(response, &a, NULL);
            return OK;
        }
        response->status = 409;
        return draw_check(&a, request, response, false, "moved");
    }
    TRY(sent);
    receipt(response, &a, sending.outcome);
    return OK;
}

enum result answers_submit(struct request *request, struct response *response)
{
    return submit(request, response, false);
}

enum result answers_confirm(struct request *request, struct response *response)
{
    return submit(request, response, true);
}

/* Back from the review, as a draft. */
enum result answers_reopen(struct request *request, struct response *response)
{
    struct answering a;
    bool answered;
    json_t *outcome;
    struct actor actor = actor_of(request);
    TRY(answering_begin(&a, request, response, false, &answered));
    if (answered)
        return OK;
    if (answering_waiting(&a)) {
        struct answer_saving saving = {
            .state = a.state,
            .document = a.document,
            .person_version = integer_at(a.state, "person_now"),
            .change_version = integer_at(a.state, "change_version"),
            .complete = answering_complete(&a, -1),
            .draft = true};
        enum result taken = answer_save(&outcome, request->db, &actor, &saving);
        if (taken != OK && taken != CONFLICT)
            return taken;
    }
    flow_done(response, a.base, "answer_reopened");
    return OK;
}

enum result answers_receipt(struct request *request, struct response *response)
{
    struct answering a;
    enum result found = answering_load(&a, request);
    if (found == NOT_FOUND) {
        response->status = 404;
        return flow_page(request, response, "answers/not_asked.html", json_object());
    }
    TRY(found);
    if (!answering_waiting(&a) && integer_at(a.state, "version") == 1) {
        response_redirect(response, a.base);
        return OK;
    }
    json_t *words, *document = json_object();
    TRY(answer_words(&words, request->db, integer_at(a.state, "collection_id")));
    localize(words, request->language);
    answering_add(document, &a, request);
    json_object_set_new(document, "thanks_html",
                        page_markdown(request, json_object_get(words, "thanks")));
    json_object_set_new(document, "waiting", json_boolean(answering_waiting(&a)));
    json_object_set_new(document, "open", json_boolean(answering_refusal(&a) == NULL));
    json_object_set_new(document, "answers", answer_rows(&a, request));
    TRY(answers_add_feedback(document, &a, -1, request));
    return flow_page(request, response, "answers/receipt.html", document);
}
