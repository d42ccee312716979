/* See personal.h. */
#include "db/store/personal.h"

#include "db/store/account.h"
#include "db/store/change.h"
#include "db/store/join.h"
#include "db/store/personal.sql.h"
#include "server/base/utf8.h"

#include <string.h>

enum result personal_rows(json_t **rows, struct db *db, enum personal_part part,
                          int64_t account, int64_t after)
{
    static const struct query *const queries[] = {
        [PERSONAL_ACCOUNT] = &personal_account, [PERSONAL_HISTORY] = &personal_history,
        [PERSONAL_CHANGES] = &personal_changes, [PERSONAL_ANSWERS] = &personal_answers,
        [PERSONAL_MAILS] = &personal_mails,     [PERSONAL_EVENTS] = &personal_events,
        [PERSONAL_FILES] = &personal_files};
    if (queries[part]->params == 1)
        return db_rows(rows, db, queries[part], NUM(account));
    return db_rows(rows, db, queries[part], NUM(account), NUM(after));
}

static enum result noted(struct db *db, const struct actor *actor, const char *action,
                         int64_t account)
{
    return event_add(
        db, actor,
        &(struct event){.action = action, .entity = "account", .target = account});
}

enum result personal_lasting(json_t **state, struct db *db, int64_t account)
{
    return db_row(state, db, &personal_lasting_state, NUM(account));
}

/* Something that an account does about itself. */
struct doing {
    const struct actor *actor;
    const char *text, *hash;
};

static const char *folded(const char *email)
{
    return utf8_fold(arena_current(), email, strlen(email));
}

static enum result check_free(struct db *db, int64_t account, const char *email)
{
    json_t *row;
    TRY(db_row(&row, db, &personal_lasting_taken, NUM(account), folded(email)));
    return json_is_true(json_object_get(row, "taken")) ? CONFLICT : OK;
}

static enum result lasting_begin(struct db *db, void *data)
{
    struct doing *d = data;
    TRY(check_free(db, d->actor->account, d->text));
    TRY(db_run(NULL, db, &personal_lasting_ask, NUM(d->actor->account), d->hash,
               d->text));
    return noted(db, d->actor, "account.lasting_asked", d->actor->account);
}

enum result personal_lasting_begin(struct db *db, const struct actor *actor,
                                   const char *email, const char *token_hash)
{
    struct doing d = {actor, email, token_hash};
    return db_join(db, lasting_begin, &d);
}

enum result personal_lasting_find(const char **email, struct db *db, int64_t account,
                                  const char *token_hash)
{
    json_t *row;
    TRY(db_row(&row, db, &personal_lasting_look, NUM(account), token_hash));
    *email = text_of(row, "email");
    return OK;
}

static enum result lasting_confirm(struct db *db, void *data)
{
    struct doing *d = data;
    json_t *row;
    TRY(personal_lasting_find(&d->text, db, d->actor->account, d->hash));
    TRY(check_free(db, d->actor->account, d->text));
    TRY(db_row(&row, db, &personal_lasting_take, NUM(d->actor->account), d->hash,
               folded(d->text)));
    return noted(db, d->actor, "account.lasting_confirmed", d->actor->account);
}

enum result personal_lasting_confirm(struct db *db, const struct actor *actor,
                                     const char *token_hash)
{
    struct doing d = {actor, NULL, token_hash};
    return db_join(db, lasting_confirm, &d);
}

static enum result lasting_forget(struct db *db, void *data)
{
    struct doing *d = data;
    json_t *row;
    TRY(db_row(&row, db, &personal_lasting_drop, NUM(d->actor->account)));
    return noted(db, d->actor, "account.lasting_dropped", d->actor->account);
}

enum result personal_lasting_forget(struct db *db, const struct actor *actor)
{
    struct doing d = {actor, NULL, NULL};
    return db_join(db, lasting_forget, &d);
}

/* Does the appointment go on after `day`, and had it begun by then? */
static bool goes_on(json_t *appointment, const char *day)
{
    const char *starts = text_of(appointment, "starts");
    const char *ends = text_of(appointment, "ends");
    return (starts == NULL || strcmp(starts, day) <= 0) &&
           (ends == NULL || strcmp(ends, day) > 0);
}

enum result personal_leave(json_t **outcome, struct db *db, const struct actor *actor,
                           int64_t person, const char *day)
{
    json_t *current, *appointments = json_array(), *appointment;
    size_t index;
    bool any = false;
    *outcome = NULL;
    TRY(entity_current(&current, db, "person", person));
    json_t *now = json_object_get(json_object_get(current, "document"), "appointments");
    json_array_foreach(now, index, appointment)
    {
        json_t *ended = json_copy(appointment);
        if (goes_on(appointment, day)) {
            json_object_set_new(ended, "ends", json_string(day));
            any = true;
        }
        json_array_append_new(appointments, ended);
    }
    if (!any)
        return INVALID;
    struct proposal proposal = {.entity = "person",
                                .target = person,
                                .change_version = -1,
                                .document =
                                    json_pack("{s:O}", "appointments", appointments),
                                .source = "leaving"};
    return change_propose(outcome, db, actor, &proposal);
}

static enum result deletion_ask(struct db *db, void *data)
{
    struct doing *d = data;
    json_t *row;
    TRY(db_row(&row, db, &personal_request_add, NUM(d->actor->account), d->text));
    return noted(db, d->actor, "account.deletion_asked", d->actor->account);
}

enum result personal_deletion_ask(struct db *db, const struct actor *actor,
                                  const char *words)
{
    struct doing d = {actor, words, NULL};
    return db_join(db, deletion_ask, &d);
}

static enum result deletion_withdraw(struct db *db, void *data)
{
    struct doing *d = data;
    json_t *row;
    enum result found =
        db_row(&row, db, &personal_request_withdraw, NUM(d->actor->account));
    TRY(found == NOT_FOUND ? CONFLICT : found);
    return noted(db, d->actor, "account.deletion_withdrawn", d->actor->account);
}

enum result personal_deletion_withdraw(struct db *db, const struct actor *actor)
{
    struct doing d = {actor, NULL, NULL};
    return db_join(db, deletion_withdraw, &d);
}

enum result personal_deletion_open(json_t **request, struct db *db, int64_t account)
{
    return db_row(request, db, &personal_request_open, NUM(account));
}

enum result personal_deletions(json_t **requests, struct db *db)
{
    return db_rows(requests, db, &personal_request_rows, NULL);
}

enum result personal_deletion(json_t **request, struct db *db, int64_t id)
{
    return db_row(request, db, &personal_request_rows, NUM(id));
}

/* The profile as it stays: names and appointments; the same keys as in personal.sql. */
static enum result bare_profile(struct db *db, const struct actor *actor, int64_t person)
{
    static const char *const kept[] = {"slug",         "name_han",    "given_latin",
                                       "family_latin", "other_names", "appointments"};
    json_t *current, *outcome, *bare = json_object(), *value;
    const char *key;
    TRY(entity_current(&current, db, "person", person));
    json_object_foreach(json_object_get(current, "document"), key, value)
    {
        bool stays = false;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            stays |= strcmp(kept[i], key) == 0;
        json_object_set(bare, key, stays ? value : json_null());
    }
    struct proposal proposal = {.entity = "person",
                                .target = person,
                                .change_version = -1,
                                .document = bare,
                                .source = "deletion"};
    return change_save(&outcome, db, actor, &proposal);
}

struct erasing {
    const struct actor *actor;
    int64_t id;
};

static enum result forget(struct db *db, int64_t account, int64_t person)
{
    static const struct query *const steps[] = {
        &personal_forget_open,   &personal_forget_invitations, &personal_forget_answers,
        &personal_forget_traces, &personal_forget_events,      &personal_forget_told,
        &personal_forget_account};
    if (person != 0) {
        TRY(db_run(NULL, db, &personal_forget_photos, NUM(person)));
        TRY(db_run(NULL, db, &personal_forget_revisions, NUM(person)));
        TRY(db_run(NULL, db, &personal_forget_changes, NUM(person)));
    }
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        TRY(db_run(NULL, db, steps[i], NUM(account)));
    return OK;
}

static enum result erase(struct db *db, void *data)
{
    struct erasing *e = data;
    json_t *row, *account;
    enum result taken =
        db_row(&row, db, &personal_request_take, NUM(e->id), ID(e->actor->account));
    TRY(taken == NOT_FOUND ? CONFLICT : taken);
    TRY(account_by_id(&account, db, integer_at(row, "account_id")));
    int64_t id = integer_at(account, "id"), person = integer_at(account, "person_id");
    TRY(account_set_disabled(db, e->actor, id, true));
    if (person != 0)
        TRY(bare_profile(db, e->actor, person));
    TRY(forget(db, id, person));
    return noted(db, e->actor, "account.erased", id);
}

enum result personal_erase(struct db *db, const struct actor *actor, int64_t id)
{
    struct erasing e = {actor, id};
    return db_join(db, erase, &e);
}
