/* One deed with one person of a board; see board_act.h. Whether it may be done is asked
 * when it is done, with the person's invitation locked: a list that somebody has had
 * before them for an hour decides nothing. */
#include "server/site/board_act.h"

#include "db/store/account.h"
#include "db/store/board.h"
#include "db/store/collection.h"
#include "db/transaction.h"
#include "server/base/document.h"
#include "server/guard/csrf.h"
#include "server/guard/token.h"
#include "server/mail/order.h"
#include "server/site/asking.h"
#include "server/site/flow.h"

#include <string.h>

enum { LINK_HOURS = 72 };

static const char *const names[] = {
    [DEED_REMIND] = "remind",     [DEED_EXTEND] = "extend",
    [DEED_RESEND] = "resend",     [DEED_LINK] = "link",
    [DEED_WITHDRAW] = "withdraw", [DEED_REINSTATE] = "reinstate",
};

enum result deed_of(enum deed *deed, const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) {
            *deed = (enum deed)i;
            return OK;
        }
    return NOT_FOUND;
}

const char *deed_name(enum deed deed)
{
    return names[deed];
}

static bool is(const json_t *person, const char *state)
{
    return strcmp(text_at(person, "state", ""), state) == 0;
}

static enum result remind_refusal(const char **code, const struct acting *acting,
                                  const json_t *person)
{
    json_t *answer;
    TRY(invitation_may_remind(&answer, acting->request->db, integer_at(person, "id")));
    *code = text_at(answer, "refusal", "");
    return OK;
}

static enum result resend_refusal(const char **code, const struct acting *acting,
                                  const json_t *person)
{
    json_t *invitation;
    TRY(invitation_row(&invitation, acting->request->db, integer_at(person, "id")));
    *code = is(invitation, "withdrawn")        ? "withdrawn"
            : !truth_at(invitation, "lacking") ? "not_lacking"
            : !truth_at(invitation, "accepts") ? "closed"
            : truth_at(person, "disabled")     ? "disabled"
                                               : "";
    return OK;
}

enum result deed_refusal(const char **code, const struct acting *acting,
                         const json_t *person)
{
    *code = "";
    switch (acting->deed) {
    case DEED_REMIND:
        return remind_refusal(code, acting, person);
    case DEED_RESEND:
        return resend_refusal(code, acting, person);
    case DEED_EXTEND:
    case DEED_WITHDRAW:
        *code = is(person, "withdrawn") ? "withdrawn" : "";
        return OK;
    case DEED_LINK:
        *code = is(person, "withdrawn")        ? "withdrawn"
                : truth_at(person, "disabled") ? "disabled"
                                               : "";
        return OK;
    case DEED_REINSTATE:
        *code = is(person, "withdrawn") ? "" : "not_withdrawn";
        return OK;
    }
    return FAILED;
}

/* The invitation once more; who was asked again for some fields hears of those. */
static enum result resend_order(struct mail_order *order, const struct acting *acting,
                                const json_t *person)
{
    json_t *invitation, *missing = json_array();
    struct db *db = acting->request->db;
    TRY(invitation_row(&invitation, db, integer_at(person, "id")));
    bool again = json_is_array(json_object_get(invitation, "asked"));
    if (again || acting->deed == DEED_REMIND)
        TRY(asking_missing(&missing, db, invitation));
    *order = (struct mail_order){
        .template = acting->deed == DEED_REMIND ? "reminder"
                    : again                     ? "asked_again"
                                                : "invitation",
        .account = integer_at(person, "account_id"),
        .collection = integer_at(acting->collection, "id"),
        .invitation = integer_at(person, "id"),
        .values = json_pack("{s:o}", "missing", missing),
        .next = arena_print(arena_current(), "/my/collections/%lld",
                            (long long)integer_at(acting->collection, "id")),
        .link_hours = asking_link_hours(acting->collection),
    };
    return OK;
}

enum result deed_preview(json_t **mail, const struct acting *acting, const json_t *person)
{
    struct mail_order order;
    if (acting->deed != DEED_REMIND && acting->deed != DEED_RESEND)
        return NOT_FOUND;
    TRY(resend_order(&order, acting, person));
    return mail_preview(mail, acting->request->db, &order);
}

struct doing {
    const char **code, **link;
    const struct acting *acting;
    const json_t *person;
    int64_t seen;
};

static enum result remind(struct db *db, const struct actor *actor, struct doing *d)
{
    json_t *outcomes;
    int64_t id = integer_at(d->person, "id");
    TRY(invitation_remind(&outcomes, db, actor, json_pack("[I]", (json_int_t)id)));
    const char *outcome = text_at(json_array_get(outcomes, 0), "outcome", "failed");
    *d->code = strcmp(outcome, "sent") == 0 ? "" : outcome;
    return OK;
}

static enum result resend(struct db *db, const struct actor *actor, struct doing *d)
{
    struct mail_order order;
    int64_t mail;
    TRY(resend_order(&order, d->acting, d->person));
    TRY(mail_order(&mail, db, actor, &order));
    return event_add(db, actor,
                     &(struct event){.action = "invitation.sent_again",
                                     .entity = "invitation",
                                     .target = order.invitation});
}

static enum result make_link(struct db *db, const struct actor *actor, struct doing *d)
{
    struct request *request = d->acting->request;
    int64_t id;
    const char *token = token_new(request->arena);
    TRY(link_create(
        &id, db, actor, integer_at(d->person, "account_id"),
        token_hash(request->arena, token), LINK_HOURS,
        arena_print(request->arena, "/my/collections/%s", param(request, "id"))));
    *d->link =
        arena_print(request->arena, "%s/sign-in/link/%s", site_origin(request), token);
    return OK;
}

static enum result carry_out(struct db *db, struct doing *d)
{
    struct actor actor = actor_of(d->acting->request);
    int64_t id = integer_at(d->person, "id");
    switch (d->acting->deed) {
    case DEED_REMIND:
        return remind(db, &actor, d);
    case DEED_RESEND:
        return resend(db, &actor, d);
    case DEED_EXTEND:
        return invitation_extend(db, &actor, id, d->acting->until);
    case DEED_LINK:
        return make_link(db, &actor, d);
    case DEED_WITHDRAW:
        return invitation_withdraw(db, &actor, id);
    case DEED_REINSTATE:
        return invitation_reinstate(db, &actor, id);
    }
    return FAILED;
}

static enum result work(struct db *db, void *data)
{
    struct doing *d = data;
    int64_t latest;
    bool mails = d->acting->deed == DEED_REMIND || d->acting->deed == DEED_RESEND;
    TRY(board_lock(&latest, db, integer_at(d->person, "id")));
    if (mails && latest != d->seen) {
        *d->code = "mailed_meanwhile";
        return OK;
    }
    TRY(deed_refusal(d->code, d->acting, d->person));
    if (**d->code != '\0')
        return OK;
    return carry_out(db, d);
}

enum result deed_do(const char **code, const char **link, const struct acting *acting,
                    const json_t *person, int64_t seen)
{
    struct doing d = {code, link, acting, person, seen};
    *code = "";
    *link = NULL;
    return db_transaction(acting->request->db, work, &d);
}
