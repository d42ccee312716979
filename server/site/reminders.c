/* Reminders, to those who lack something alone: by hand and by the schedule. Each is
 * decided with the invitation locked, so that of two at once one is sent. */
#include "db/store/change.h"
#include "db/store/collection.h"
#include "db/store/join.h"
#include "server/base/log.h"
#include "server/form/submission.h"
#include "server/mail/order.h"
#include "server/site/asking.h"
#include "server/site/form_versions.h"

#include <string.h>

static const struct actor schedule = {0, "schedule", NULL};

/* The fields of a begun answer that something is wrong with, each once. */
static json_t *wrong_fields(const struct form *form, json_t *document)
{
    struct submission submission;
    json_t *names = json_array(), *seen = json_object(), *error;
    size_t index;
    if (form_read_document(&submission, form, document, FOR_MEMBER, false) == OK)
        return names;
    json_array_foreach(submission.errors, index, error)
    {
        const char *path = text_at(error, "field", "");
        const char *name = arena_copy(arena_current(), path, strcspn(path, "."));
        if (json_object_get(seen, name) == NULL)
            json_array_append_new(names, json_string(name));
        json_object_set_new(seen, name, json_true());
    }
    return names;
}

static json_t *unanswered(json_t *asked, json_t *document)
{
    json_t *names = json_array(), *name;
    size_t index;
    json_array_foreach(asked, index, name)
    {
        if (change_same(json_object_get(document, json_string_value(name)), NULL))
            json_array_append(names, name);
    }
    return names;
}

enum result asking_missing(json_t **labels, struct db *db, const json_t *invitation)
{
    const struct form *form;
    json_t *newest;
    TRY(invitation_newest(&newest, db, integer_at(invitation, "id")));
    TRY(form_version_get(&form, db, integer_at(newest, "form_version_id")));
    json_t *asked = json_object_get(newest, "asked"),
           *document = json_object_get(newest, "document");
    bool chinese = strcmp(text_at(invitation, "language", "en"), "zh") == 0;
    json_t *names = json_is_array(asked)              ? unanswered(asked, document)
                    : json_object_size(document) == 0 ? json_array()
                                                      : wrong_fields(form, document);
    *labels = asking_labels(form, names, chinese ? CHINESE : ENGLISH);
    return OK;
}

struct reminding {
    const struct actor *actor;
    int64_t invitation, mail;
    const char *outcome;
    json_t *due; /* by the schedule; NULL: by hand */
};

/* Orders the mail and counts it. */
static enum result order(struct db *db, struct reminding *r)
{
    json_t *invitation, *collection, *missing;
    TRY(invitation_row(&invitation, db, r->invitation));
    TRY(collection_row(&collection, db, integer_at(invitation, "collection_id")));
    TRY(asking_missing(&missing, db, invitation));
    json_t *values = json_object();
    if (json_array_size(missing) > 0)
        json_object_set(values, "missing", missing);
    struct mail_order mail = {
        .template = "reminder",
        .account = integer_at(invitation, "account_id"),
        .collection = integer_at(collection, "id"),
        .invitation = r->invitation,
        .values = values,
        .next = arena_print(arena_current(), "/my/collections/%lld",
                            (long long)integer_at(collection, "id")),
        .link_hours = asking_link_hours(collection),
    };
    TRY(mail_order(&r->mail, db, r->actor, &mail));
    return invitation_reminded(db, r->actor, r->invitation);
}

static enum result by_hand(struct db *db, void *data)
{
    struct reminding *r = data;
    json_t *may;
    enum result found = invitation_may_remind(&may, db, r->invitation);
    if (found == NOT_FOUND) {
        r->outcome = "not_found";
        return OK;
    }
    TRY(found);
    r->outcome = text_of(may, "refusal");
    if (r->outcome != NULL)
        return OK;
    r->outcome = "sent";
    return order(db, r);
}

enum result invitation_remind(json_t **outcomes, struct db *db, const struct actor *actor,
                              json_t *ids)
{
    size_t index;
    json_t *id;
    *outcomes = json_array();
    json_array_foreach(ids, index, id)
    {
        struct reminding r = {.actor = actor, .invitation = json_integer_value(id)};
        TRY(db_join(db, by_hand, &r));
        json_array_append_new(*outcomes,
                              json_pack("{s:O,s:s}", "id", id, "outcome", r.outcome));
    }
    return OK;
}

/* With the invitation locked: is it due yet, and mine? */
static enum result by_schedule(struct db *db, void *data)
{
    struct reminding *r = data;
    json_t *may, *due;
    enum result found = invitation_may_remind(&may, db, r->invitation);
    if (found != OK)
        return found == NOT_FOUND ? OK : found;
    TRY(reminder_list_due(&due, db, r->invitation));
    r->due = json_array_get(due, 0);
    if (r->due == NULL)
        return OK;
    enum result taken = reminder_take(db, r->due);
    if (taken == NOT_FOUND)
        r->due = NULL;
    if (taken != OK)
        return taken == NOT_FOUND ? OK : taken;
    TRY(order(db, r));
    return reminder_set_mail(db, r->due, r->mail);
}

/* One that fails does not keep the others from being reminded. */
enum result reminders_due(int64_t *sent, struct db *db)
{
    json_t *due, *one;
    size_t index;
    enum result result = OK;
    int64_t count = 0;
    TRY(reminder_list_due(&due, db, 0));
    json_array_foreach(due, index, one)
    {
        struct reminding r = {.actor = &schedule, .invitation = integer_at(one, "id")};
        enum result done = db_transaction(db, by_schedule, &r);
        if (done == BUSY)
            return BUSY;
        if (done != OK) {
            log_error("reminder.failed", "result", result_name(done));
            result = done;
        } else if (r.due != NULL) {
            count++;
        }
    }
    if (count > 0)
        log_info("reminder.ordered", "count", NUM(count));
    if (sent != NULL)
        *sent = count;
    return result;
}
