/* Each person's invitation, and the reminders to those who lack something. */
#include "db/connection.h"
#include "db/store/collection.h"
#include "db/store/collection.sql.h"
#include "db/store/join.h"

enum result invitation_row(json_t **invitation, struct db *db, int64_t id)
{
    return db_row(invitation, db, &invitation_by_id, NUM(id));
}

enum result collection_invitation(json_t **invitation, struct db *db, int64_t collection,
                                  int64_t account)
{
    json_t *row;
    TRY(db_row(&row, db, &invitation_id_of, NUM(collection), NUM(account)));
    return invitation_row(invitation, db, integer_at(row, "id"));
}

enum result invitation_list(json_t **invitations, struct db *db, int64_t id)
{
    return db_rows(invitations, db, &invitation_rows, NUM(id));
}

enum result invitation_newest(json_t **answer, struct db *db, int64_t id)
{
    return db_row(answer, db, &invitation_answer, NUM(id));
}

/* One write to an invitation, and its event. */
struct writing {
    const struct actor *actor;
    int64_t id, form_version, wave;
    const struct query *query;
    const char *until, *action;
    json_t *asked;
};

static enum result note(struct db *db, const struct writing *w, json_t *detail)
{
    return event_add(db, w->actor,
                     &(struct event){.action = w->action,
                                     .entity = "invitation",
                                     .target = w->id,
                                     .detail = detail});
}

static enum result write(struct db *db, void *data)
{
    struct writing *w = data;
    json_t *row;
    if (w->query->params == 2)
        TRY(db_row(&row, db, w->query, NUM(w->id), w->until));
    else
        TRY(db_row(&row, db, w->query, NUM(w->id)));
    return note(db, w, w->until ? json_pack("{s:s}", "until", w->until) : NULL);
}

enum result invitation_extend(struct db *db, const struct actor *actor, int64_t id,
                              const char *until)
{
    struct writing w = {.actor = actor,
                        .id = id,
                        .query = &invitation_update_extended,
                        .until = until,
                        .action = "invitation.extended"};
    return db_join(db, write, &w);
}

enum result invitation_withdraw(struct db *db, const struct actor *actor, int64_t id)
{
    struct writing w = {.actor = actor,
                        .id = id,
                        .query = &invitation_update_withdrawn,
                        .action = "invitation.withdrawn"};
    return db_join(db, write, &w);
}

enum result invitation_reinstate(struct db *db, const struct actor *actor, int64_t id)
{
    struct writing w = {.actor = actor,
                        .id = id,
                        .query = &invitation_update_reinstated,
                        .action = "invitation.reinstated"};
    return db_join(db, write, &w);
}

static enum result move(struct db *db, void *data)
{
    struct writing *w = data;
    json_t *row;
    bool again = json_array_size(w->asked) > 0;
    TRY(db_row(&row, db, &invitation_move_to, NUM(w->id), NUM(w->form_version),
               ID(w->wave), again ? json_dumps(w->asked, JSON_COMPACT) : NULL));
    return note(db, w, again ? json_pack("{s:O}", "fields", w->asked) : NULL);
}

enum result invitation_move(struct db *db, const struct actor *actor, int64_t id,
                            int64_t form_version, int64_t wave, json_t *asked)
{
    struct writing w = {
        .actor = actor,
        .id = id,
        .form_version = form_version,
        .wave = wave,
        .asked = asked,
        .action =
            json_array_size(asked) > 0 ? "invitation.asked_again" : "invitation.moved",
    };
    return db_join(db, move, &w);
}

enum result reminder_list_due(json_t **due, struct db *db, int64_t invitation)
{
    return db_rows(due, db, &reminder_due, ID(invitation));
}

enum result reminder_take(struct db *db, json_t *due)
{
    json_t *row;
    return db_row(&row, db, &reminder_insert, NUM(integer_at(due, "id")),
                  NUM(integer_at(due, "days")), text_of(due, "until"));
}

enum result reminder_set_mail(struct db *db, json_t *due, int64_t mail)
{
    TRY(db_run(NULL, db, &reminder_update_mail, NUM(integer_at(due, "id")),
               NUM(integer_at(due, "days")), text_of(due, "until"), NUM(mail)));
    return db_run(NULL, db, &reminder_morning, NUM(mail));
}

enum result invitation_may_remind(json_t **answer, struct db *db, int64_t id)
{
    json_t *row;
    TRY(db_row(&row, db, &invitation_lock, NUM(id)));
    return db_row(answer, db, &reminder_refusal, NUM(id));
}

static enum result reminded(struct db *db, void *data)
{
    struct writing *w = data;
    TRY(db_run(NULL, db, &invitation_update_reminded, NUM(w->id)));
    return note(db, w, NULL);
}

enum result invitation_reminded(struct db *db, const struct actor *actor, int64_t id)
{
    struct writing w = {.actor = actor, .id = id, .action = "invitation.reminded"};
    return db_join(db, reminded, &w);
}
