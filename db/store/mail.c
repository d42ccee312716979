/* The outbox's rows; see mail.h. A lease is known by the mail and the number of its try,
 * so whoever comes late with an outcome changes nothing. */
#include "db/store/mail.h"

#include "db/store/join.h"
#include "db/store/mail.sql.h"

enum result mail_facts(json_t **facts, struct db *db, int64_t account, int64_t collection,
                       int64_t invitation)
{
    return db_row(facts, db, &mail_facts_row, NUM(account), ID(collection),
                  ID(invitation));
}

struct adding {
    int64_t *id;
    const struct actor *actor;
    const struct new_mail *mail;
};

static enum result add(struct db *db, void *data)
{
    const struct adding *a = data;
    const struct new_mail *m = a->mail;
    json_t *row;
    int64_t link = 0;
    if (m->secret != NULL) {
        TRY(db_row(&row, db, &mail_link_insert, NUM(m->account), m->token_hash,
                   ID(a->actor->account), NUM(m->link_hours), m->next, ID(m->invitation),
                   m->code_hash));
        link = integer_at(row, "id");
    }
    TRY(db_row(&row, db, &mail_insert, m->message_id, m->template, m->language,
               ID(m->account), ID(m->collection), ID(m->invitation), m->to_name,
               m->to_address, m->subject, m->body, m->secret, ID(link), m->stop_hash,
               m->reason));
    *a->id = integer_at(row, "id");
    return OK;
}

enum result mail_add(int64_t *id, struct db *db, const struct actor *actor,
                     const struct new_mail *mail)
{
    struct adding a = {id, actor, mail};
    return db_join(db, add, &a);
}

static enum result take(struct db *db, void *data)
{
    json_t **mail = data;
    const char *lease = text_of(*mail, "lease");
    TRY(db_row(mail, db, &mail_take_row, lease));
    return db_run(NULL, db, &mail_link_start, NUM(integer_at(*mail, "id")));
}

enum result mail_take(json_t **mail, struct db *db, int lease_seconds)
{
    *mail = json_pack("{s:s}", "lease", NUM(lease_seconds));
    return db_join(db, take, mail);
}

enum result mail_next(int *seconds, struct db *db)
{
    json_t *row;
    TRY(db_row(&row, db, &mail_next_row));
    json_t *left = json_object_get(row, "seconds");
    *seconds = json_is_integer(left) ? (int)json_integer_value(left) : -1;
    if (json_is_integer(left) && *seconds < 0)
        *seconds = 0;
    return OK;
}

enum result mail_settle(struct db *db, const json_t *mail, enum mail_outcome outcome,
                        const char *reason, int seconds)
{
    const char *id = NUM(integer_at(mail, "id"));
    const char *attempt = NUM(integer_at(mail, "attempts"));
    switch (outcome) {
    case MAIL_SENT:
        return db_run(NULL, db, &mail_set_sent, id, attempt);
    case MAIL_LATER:
        return db_run(NULL, db, &mail_set_waiting, id, attempt, reason, NUM(seconds));
    case MAIL_FAILED:
        return db_run(NULL, db, &mail_set_failed, id, attempt, reason);
    case MAIL_UNWANTED:
        return db_run(NULL, db, &mail_set_unwanted, id, attempt, reason);
    }
    return FAILED;
}

enum result mail_bounced(struct db *db, const char *message_id, const char *reason)
{
    json_t *row;
    return db_row(&row, db, &mail_update_bounced, message_id, reason);
}

enum result mail_stop_look(json_t **about, struct db *db, const char *hash)
{
    return db_row(about, db, &mail_stopped_row, hash);
}

enum result mail_stop(struct db *db, const char *hash, bool stop)
{
    json_t *row;
    return db_row(&row, db, &mail_update_stopped, hash, stop ? "true" : "false");
}

enum result mail_counts(json_t **counts, struct db *db)
{
    static const char *const states[] = {"waiting", "held",    "sending",  "sent",
                                         "failed",  "bounced", "cancelled"};
    json_t *rows, *row;
    size_t index;
    TRY(db_rows(&rows, db, &mail_count_rows));
    *counts = json_object();
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        json_object_set_new(*counts, states[i], json_integer(0));
    json_array_foreach(rows, index, row)
        json_object_set(*counts, text_of(row, "state"), json_object_get(row, "count"));
    return OK;
}

enum result mail_list(json_t **mails, struct db *db, const char *state, int64_t before,
                      int limit)
{
    return db_rows(mails, db, &mail_rows, state, ID(before), NUM(limit));
}

enum result mail_find(json_t **mail, struct db *db, int64_t id)
{
    return db_row(mail, db, &mail_row, NUM(id));
}

/* A change by an admin, and the event that says so. */
struct doing {
    const struct actor *actor;
    int64_t id, version;
    const char *subject, *body;
    json_t *ids;
    enum mail_deed deed;
    int64_t *done;
};

static enum result noted(struct db *db, const struct doing *d, const char *action)
{
    json_t *detail = d->ids != NULL ? json_pack("{s:O}", "ids", d->ids) : NULL;
    return event_add(
        db, d->actor,
        &(struct event){
            .action = action, .entity = "mail", .target = d->id, .detail = detail});
}

static enum result conflict(enum result result)
{
    return result == NOT_FOUND ? CONFLICT : result;
}

static enum result edit(struct db *db, void *data)
{
    const struct doing *d = data;
    json_t *row;
    TRY(conflict(db_row(&row, db, &mail_update_words, NUM(d->id), NUM(d->version),
                        d->subject, d->body)));
    return noted(db, d, "mail.edited");
}

enum result mail_edit(struct db *db, const struct actor *actor, int64_t id,
                      int64_t version, const char *subject, const char *body)
{
    struct doing d = {
        .actor = actor, .id = id, .version = version, .subject = subject, .body = body};
    return db_join(db, edit, &d);
}

static enum result do_all(struct db *db, void *data)
{
    static const struct {
        const struct query *query;
        const char *action;
    } deeds[] = {
        [MAIL_HOLD] = {&mail_update_held,      "mail.held"     },
        [MAIL_RELEASE] = {&mail_update_released,  "mail.released" },
        [MAIL_CANCEL] = {&mail_update_cancelled, "mail.cancelled"},
    };
    struct doing *d = data;
    TRY(db_run(d->done, db, deeds[d->deed].query, json_dumps(d->ids, JSON_COMPACT)));
    return *d->done > 0 ? noted(db, d, deeds[d->deed].action) : OK;
}

enum result mail_do(int64_t *done, struct db *db, const struct actor *actor,
                    enum mail_deed deed, json_t *ids)
{
    struct doing d = {.actor = actor, .ids = ids, .deed = deed, .done = done};
    if (json_array_size(ids) == 1)
        d.id = json_integer_value(json_array_get(ids, 0));
    return db_join(db, do_all, &d);
}

static enum result retry(struct db *db, void *data)
{
    const struct doing *d = data;
    json_t *row;
    TRY(conflict(db_row(&row, db, &mail_update_retried, NUM(d->id))));
    return noted(db, d, "mail.retried");
}

enum result mail_retry(struct db *db, const struct actor *actor, int64_t id)
{
    struct doing d = {.actor = actor, .id = id};
    return db_join(db, retry, &d);
}
