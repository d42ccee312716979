/* Previews of mails; see mail_previews.h. */
#include "server/site/mail_previews.h"

#include "db/store/account.h"
#include "db/store/mail.h"
#include "db/transaction.h"
#include "server/mail/order.h"
#include "server/site/asking.h"
#include "server/site/flow.h"

#include <string.h>

struct previewing {
    struct mail_look look;
    struct actor actor;
    json_t *mail;
    bool done;
};

/* The words are another language's than the person's: the person reads it for once. */
static enum result use_words(struct db *db, const struct previewing *p, int64_t id)
{
    const struct mail_look *look = &p->look;
    const char *name = look->template;
    int64_t collection = integer_at(look->collection, "id");
    json_t *there;
    enum result found = mail_text_find(&there, db, name, look->language, collection);
    if (found != OK && found != NOT_FOUND)
        return found;
    TRY(account_set_language(db, id, look->language));
    return mail_text_save(db, &p->actor, name, look->language, collection,
                          found == OK ? integer_at(there, "version") : 0, look->subject,
                          look->body);
}

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
    if (look->language != NULL && look->subject != NULL)
        TRY(use_words(db, p, account));
    else if (look->language != NULL)
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
    json_t *problems = json_array(), *code;
    size_t index;
    enum result result = db_transaction(request->db, preview_and_undo, &p);
    if (!p.done)
        return result;
    json_array_foreach(json_object_get(p.mail, "problems"), index, code)
        json_array_append_new(problems, json_pack("{s:O}", "code", code));
    json_object_set(p.mail, "problems", problems);
    *mail = p.mail;
    return OK;
}
