/* The ways to be an account: sessions, sign-in links, API tokens; and counted attempts.
 * Declared in account.h. */
#include "db/store/account.h"
#include "db/store/account.sql.h"
#include "db/store/entity.h"
#include "db/store/join.h"

#include <string.h>

enum result session_create(struct db *db, int64_t account, const char *hash,
                           const char *old_hash, const char *csrf_hash)
{
    json_t *row;
    return db_row(&row, db, &session_insert, NUM(account), hash, old_hash, csrf_hash);
}

enum result session_find(json_t **account, struct db *db, const char *hash)
{
    TRY(db_row(account, db, &session_row, hash));
    if (json_is_true(json_object_get(*account, "unseen")))
        TRY(db_run(NULL, db, &session_touch, hash));
    json_object_del(*account, "unseen");
    return OK;
}

enum result session_keep(struct db *db, const char *hash)
{
    return db_run(NULL, db, &session_touch, hash);
}

enum result session_end(struct db *db, const char *hash)
{
    return db_run(NULL, db, &session_delete, hash);
}

enum result session_sweep(struct db *db)
{
    return db_run(NULL, db, &session_delete_old);
}

/* An insert or update of one row, and the event that says so. */
struct granting {
    int64_t *id;
    const struct actor *actor;
    int64_t account, subject;
    const char *hash, *name; /* of a token; where a link leads */
    bool may_approve;
    int time; /* hours or days */
};

static enum result noted(struct db *db, const struct granting *g, const char *action,
                         int64_t account)
{
    return event_add(db, g->actor,
                     &(struct event){.action = action,
                                     .entity = "account",
                                     .target = account,
                                     .detail = json_pack("{s:I}", "id", *g->id)});
}

static enum result create_link(struct db *db, void *data)
{
    struct granting *g = data;
    json_t *row;
    TRY(db_row(&row, db, &link_insert, NUM(g->account), g->hash, ID(g->actor->account),
               NUM(g->time), g->name));
    *g->id = integer_at(row, "id");
    return noted(db, g, "sign_in_link.created", g->account);
}

enum result link_create(int64_t *id, struct db *db, const struct actor *actor,
                        int64_t account, const char *hash, int hours, const char *next)
{
    struct granting g = {.id = id,
                         .actor = actor,
                         .account = account,
                         .hash = hash,
                         .name = next,
                         .time = hours};
    return db_join(db, create_link, &g);
}

static enum link_state link_state_named(const char *name)
{
    static const char *const names[] = {"good", "unknown", "used", "expired",
                                        "withdrawn"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return (enum link_state)i;
    return LINK_UNKNOWN;
}

enum result link_look(enum link_state *state, json_t **account, struct db *db,
                      const char *hash)
{
    json_t *row;
    *account = NULL;
    *state = LINK_UNKNOWN;
    enum result result = db_row(&row, db, &link_row, hash);
    if (result != OK)
        return result == NOT_FOUND ? OK : result;
    *state = link_state_named(text_of(row, "state"));
    TRY(account_by_id(account, db, integer_at(row, "account_id")));
    json_object_set(*account, "next", json_object_get(row, "next"));
    json_object_set(*account, "invited", json_object_get(row, "invited"));
    json_object_set(*account, "to_address", json_object_get(row, "to_address"));
    return OK;
}

enum result link_redeem(enum link_state *state, json_t **account, struct db *db,
                        const char *hash, const char *request_id)
{
    json_t *row;
    enum result result = db_row(&row, db, &link_take, hash, request_id);
    if (result == OK) {
        *state = LINK_GOOD;
        TRY(account_by_id(account, db, integer_at(row, "account_id")));
        json_object_set(*account, "next", json_object_get(row, "next"));
        return OK;
    }
    if (result != NOT_FOUND)
        return result;
    TRY(link_look(state, account, db, hash));
    *account = NULL;
    if (*state == LINK_GOOD) /* its account was enabled again between the two looks */
        return BUSY;
    return OK;
}

enum result link_of_code(const char **hash, struct db *db, int64_t account,
                         const char *code_hash)
{
    json_t *row;
    TRY(db_row(&row, db, &link_by_code, NUM(account), code_hash));
    *hash = text_of(row, "hash");
    return OK;
}

static enum result withdraw_link(struct db *db, void *data)
{
    struct granting *g = data;
    json_t *row;
    TRY(db_row(&row, db, &link_update_withdrawn, NUM(g->subject)));
    return noted(db, g, "sign_in_link.withdrawn", integer_at(row, "account_id"));
}

enum result link_withdraw(struct db *db, const struct actor *actor, int64_t id)
{
    struct granting g = {.id = &id, .actor = actor, .subject = id};
    return db_join(db, withdraw_link, &g);
}

enum result link_list(json_t **links, struct db *db, int64_t account)
{
    return db_rows(links, db, &link_rows, NUM(account));
}

static enum result create_token(struct db *db, void *data)
{
    struct granting *g = data;
    json_t *row;
    TRY(db_row(&row, db, &token_insert, g->hash, NUM(g->account), g->name,
               g->may_approve ? "true" : "false", ID(g->time)));
    *g->id = integer_at(row, "id");
    return noted(db, g, "api_token.created", g->account);
}

enum result token_create(int64_t *id, struct db *db, const struct actor *actor,
                         int64_t account, const char *name, const char *hash,
                         bool may_approve, int days)
{
    struct granting g = {.id = id,
                         .actor = actor,
                         .account = account,
                         .hash = hash,
                         .name = name,
                         .may_approve = may_approve,
                         .time = days};
    return db_join(db, create_token, &g);
}

enum result token_find(json_t **account, struct db *db, const char *hash)
{
    TRY(db_row(account, db, &token_row, hash));
    if (json_is_true(json_object_get(*account, "unseen")))
        TRY(db_run(NULL, db, &token_touch, NUM(integer_at(*account, "token_id"))));
    json_object_del(*account, "unseen");
    return OK;
}

static enum result revoke_token(struct db *db, void *data)
{
    struct granting *g = data;
    json_t *row;
    TRY(db_row(&row, db, &token_update_revoked, NUM(g->subject)));
    return noted(db, g, "api_token.revoked", integer_at(row, "account_id"));
}

enum result token_revoke(struct db *db, const struct actor *actor, int64_t id)
{
    struct granting g = {.id = &id, .actor = actor, .subject = id};
    return db_join(db, revoke_token, &g);
}

enum result token_list(json_t **tokens, struct db *db, int64_t account)
{
    return db_rows(tokens, db, &token_rows, NUM(account));
}

enum result rate_hit(int *attempts, int *seconds_left, struct db *db, const char *key,
                     int window_seconds)
{
    json_t *row;
    TRY(db_row(&row, db, &rate_count_one, key, NUM(window_seconds)));
    *attempts = (int)integer_at(row, "attempts");
    *seconds_left = (int)integer_at(row, "seconds_left");
    return OK;
}

enum result rate_take_back(struct db *db, const char *key)
{
    return db_run(NULL, db, &rate_uncount_one, key);
}

enum result rate_clear(struct db *db, const char *key)
{
    return db_run(NULL, db, &rate_delete, key);
}
