/* Accounts: who they are, what they may, their passwords. */
#include "db/store/account.h"

#include "db/store/account.sql.h"
#include "db/store/change.h"
#include "db/store/entity.h"
#include "db/store/join.h"
#include "server/base/utf8.h"

#include <string.h>

static const char *folded(const char *email)
{
    return utf8_fold(arena_current(), email, strlen(email));
}

static const char *boolean(bool value)
{
    return value ? "true" : "false";
}

enum result account_by_id(json_t **account, struct db *db, int64_t id)
{
    return db_row(account, db, &account_row_by_id, NUM(id));
}

enum result account_by_email(json_t **account, struct db *db, const char *email)
{
    json_t *row;
    TRY(db_row(&row, db, &account_id_by_email, folded(email)));
    return account_by_id(account, db, integer_at(row, "id"));
}

enum result account_of_person(json_t **account, struct db *db, int64_t person)
{
    json_t *row;
    TRY(db_row(&row, db, &account_id_by_person, NUM(person)));
    return account_by_id(account, db, integer_at(row, "id"));
}

enum result account_list(json_t **accounts, struct db *db)
{
    return db_rows(accounts, db, &account_rows);
}

struct creating {
    json_t **account;
    const struct actor *actor;
    struct new_account new_account;
    json_t *person;
    const char *source;
};

static enum result noted(struct db *db, const struct actor *actor, const char *action,
                         int64_t id)
{
    return event_add(
        db, actor, &(struct event){.action = action, .entity = "account", .target = id});
}

static enum result create(struct db *db, void *data)
{
    struct creating *c = data;
    const struct new_account *a = &c->new_account;
    json_t *row;
    TRY(db_row(&row, db, &account_insert, a->email, folded(a->email), boolean(a->admin),
               a->language, ID(a->person)));
    TRY(noted(db, c->actor, "account.created", integer_at(row, "id")));
    return account_by_id(c->account, db, integer_at(row, "id"));
}

enum result account_create(json_t **account, struct db *db, const struct actor *actor,
                           const struct new_account *new_account)
{
    struct creating c = {.account = account, .actor = actor, .new_account = *new_account};
    return db_join(db, create, &c);
}

static enum result create_member(struct db *db, void *data)
{
    struct creating *c = data;
    json_t *outcome;
    struct proposal proposal = {
        .entity = "person", .document = c->person, .source = c->source};
    TRY(change_save(&outcome, db, c->actor, &proposal));
    c->new_account.person = integer_at(outcome, "target_id");
    return c->new_account.person == 0 ? INVALID : create(db, c);
}

enum result account_create_member(json_t **account, struct db *db,
                                  const struct actor *actor,
                                  const struct new_account *new_account, json_t *person,
                                  const char *source)
{
    struct creating c = {.account = account,
                         .actor = actor,
                         .new_account = *new_account,
                         .person = person,
                         .source = source};
    return db_join(db, create_member, &c);
}

/* A new value of one account's column, and the event that says so. */
struct setting {
    const struct actor *actor;
    int64_t id;
    const struct query *query;
    const char *value, *kept, *action;
};

static enum result set(struct db *db, void *data)
{
    struct setting *s = data;
    json_t *row;
    if (s->query->params == 3)
        TRY(db_row(&row, db, s->query, NUM(s->id), s->value, s->kept));
    else
        TRY(db_row(&row, db, s->query, NUM(s->id), s->value));
    return noted(db, s->actor, s->action, s->id);
}

enum result account_set_disabled(struct db *db, const struct actor *actor, int64_t id,
                                 bool disabled)
{
    struct setting s = {
        .actor = actor,
        .id = id,
        .query = &account_update_disabled,
        .value = boolean(disabled),
        .action = disabled ? "account.disabled" : "account.enabled",
    };
    return db_join(db, set, &s);
}

enum result account_set_admin(struct db *db, const struct actor *actor, int64_t id,
                              bool admin)
{
    struct setting s = {
        .actor = actor,
        .id = id,
        .query = &account_update_admin,
        .value = boolean(admin),
        .action = admin ? "account.made_admin" : "account.made_member",
    };
    return db_join(db, set, &s);
}

enum result account_set_person(struct db *db, const struct actor *actor, int64_t id,
                               int64_t person)
{
    struct setting s = {
        .actor = actor,
        .id = id,
        .query = &account_update_person,
        .value = arena_string(arena_current(), NUM(person)),
        .action = "account.person_set",
    };
    return db_join(db, set, &s);
}

enum result account_set_password(struct db *db, const struct actor *actor, int64_t id,
                                 const char *password_hash, const char *kept_hash)
{
    struct setting s = {
        .actor = actor,
        .id = id,
        .query = &account_update_password,
        .value = password_hash,
        .kept = kept_hash,
        .action = "account.password_set",
    };
    return db_join(db, set, &s);
}

enum result account_set_language(struct db *db, int64_t id, const char *language)
{
    json_t *row;
    return db_row(&row, db, &account_update_language, NUM(id), language);
}

enum result account_password(int64_t *id, const char **password_hash, struct db *db,
                             const char *email)
{
    json_t *row;
    TRY(db_row(&row, db, &account_password_row, folded(email)));
    *id = integer_at(row, "id");
    *password_hash = text_of(row, "password_hash");
    return OK;
}
