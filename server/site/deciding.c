/* See deciding.h. */
#include "server/site/deciding.h"

#include "db/store/change.h"
#include "db/transaction.h"
#include "server/mail/order.h"
#include "server/site/flow.h"
#include "server/site/form_versions.h"
#include "server/site/values.h"

#include <string.h>

enum { LINK_HOURS = 7 * 24 };

struct deciding {
    struct request *request;
    const struct decision *decision;
    json_t **applied; /* NULL: it is returned */
};

/* The general comment, then those on fields under their labels. */
static enum result comment_text(const char **text, struct request *request,
                                const json_t *change, const struct decision *decision)
{
    struct buf out = buf_on(request->arena);
    const struct form *form;
    const char *name;
    json_t *comment;
    buf_string(&out, decision->comment ? decision->comment : "");
    if (json_object_size(decision->comments) > 0) {
        TRY(change_form(&form, request, change));
        json_object_foreach(decision->comments, name, comment)
            buf_print(&out, "%s%s: %s", out.length ? "\n\n" : "",
                      field_label(request, form, name), json_string_value(comment));
    }
    *text = out.data;
    return OK;
}

static enum result tell_author(struct deciding *d, const json_t *change)
{
    struct request *request = d->request;
    struct actor actor = actor_of(request);
    int64_t author = integer_at(change, "author_id"), mail;
    bool answer = strcmp(text_at(change, "entity", ""), "answer") == 0;
    const char *text;
    if (author == 0 || author == actor.account)
        return OK;
    TRY(comment_text(&text, request, change, d->decision));
    int64_t collection = integer_at(change, "collection_id");
    const char *next =
        arena_print(request->arena, "/my/changes/%lld%s", (long long)d->decision->change,
                    d->applied ? "" : "/edit");
    if (collection != 0)
        next = arena_print(request->arena, "/my/collections/%lld", (long long)collection);
    struct mail_order order = {.template = d->applied ? "approved" : "returned",
                               .account = author,
                               .collection = collection,
                               .invitation = answer ? integer_at(change, "target_id") : 0,
                               .next = next,
                               .link_hours = LINK_HOURS};
    if (*text)
        order.values = json_pack("{s:s}", "comment", text);
    return mail_order(&mail, request->db, &actor, &order);
}

static enum result decide(struct db *db, void *data)
{
    struct deciding *d = data;
    const struct decision *decision = d->decision;
    struct actor actor = actor_of(d->request);
    json_t *change;
    TRY(change_show(&change, db, decision->change));
    if (!d->applied)
        TRY(change_return_with(db, &actor, decision->change, decision->version,
                               decision->comment, decision->comments));
    else if (decision->edited)
        TRY(change_approve_edited(d->applied, db, &actor, decision->change,
                                  decision->version, decision->base, decision->edited));
    else
        TRY(change_approve(d->applied, db, &actor, decision->change, decision->version));
    return tell_author(d, change);
}

enum result decide_approve(json_t **applied, struct request *request,
                           const struct decision *decision)
{
    struct deciding d = {request, decision, applied};
    *applied = NULL;
    return db_transaction(request->db, decide, &d);
}

enum result decide_return(struct request *request, const struct decision *decision)
{
    struct deciding d = {request, decision, NULL};
    return db_transaction(request->db, decide, &d);
}
