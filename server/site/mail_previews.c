/* Previews of mails; see mail_previews.h. */
#include "server/site/mail_previews.h"

#include "db/store/account.h"
#include "db/transaction.h"
#include "server/mail/order.h"
#include "server/site/asking.h"
#include "server/site/flow.h"

struct previewing {
    struct mail_look look;
    struct actor actor;
    json_t *mail;
    bool done;
};

static enum result preview_and_undo(struct db *db, void *data)
{
    struct previewing *p = data;
    const struct mail_look *look = &p->look;
    json_t *accounts, *values = json_object();
    int64_t account = look->account;
    if (account == 0) {
        TRY(asking_accounts(&accounts, db, &p->actor,
                            json_pack("[I]", (json_int_t)look->person)));
        account = json_integer_value(json_array_get(accounts, 0));
    }
    if (account == 0)
        return NOT_FOUND;
    if (look->language != NULL)
        TRY(account_set_language(db, account, look->language));
    if (look->labels != NULL)
        json_object_set(values, "missing", look->labels);
    struct mail_order order = {
        .template = look->template,
        .account = account,
        .collection = integer_at(look->collection, "id"),
        .values = values,
        .next = "/my",
        .link_hours = asking_link_hours(look->collection),
    };
    TRY(mail_preview(&p->mail, db, &order));
    p->done = true;
    return DENIED; /* anything but OK rolls back */
}

enum result mail_look_at(json_t **mail, struct request *request,
                         const struct mail_look *look)
{
    struct previewing p = {.look = *look, .actor = actor_of(request)};
    enum result result = db_transaction(request->db, preview_and_undo, &p);
    if (!p.done)
        return result;
    *mail = p.mail;
    return OK;
}
