/* Accounts, and the ways to be one: sessions, sign-in links, API tokens; and counters of
 * attempts. Secrets come and go only as hashes: `hash` is the lower-case hex of a hash of
 * a random token, `password_hash` is argon2's own text. The database's clock decides
 * expiry.
 *
 * An account as a document: {id, email, admin, language, disabled, has_password,
 * person_id, person_slug, name_latin, name_han, created_at}, and lasting_email
 * (confirmed; by id and address alone); the person's are null without one. A disabled
 * account is found by id and address, never by session, link or token. */
#ifndef LABD_DB_STORE_ACCOUNT_H
#define LABD_DB_STORE_ACCOUNT_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

MUST_USE enum result account_by_id(json_t **account, struct db *db, int64_t id);
/* The address in any case. */
MUST_USE enum result account_by_email(json_t **account, struct db *db, const char *email);
MUST_USE enum result account_of_person(json_t **account, struct db *db, int64_t person);
/* All, by address; each with last_seen_at (null: never signed in). */
MUST_USE enum result account_list(json_t **accounts, struct db *db);

struct new_account {
    const char *email;
    bool admin;
    const char *language; /* "en" or "zh" */
    int64_t person;       /* 0: none */
};

/* CONFLICT: the address or the person has an account already. */
MUST_USE enum result account_create(json_t **account, struct db *db,
                                    const struct actor *actor,
                                    const struct new_account *new_account);
/* A new member: the person (a document of entity "person", approved at once by the actor)
 * and the account, both or neither. `new_account->person` is not looked at. */
MUST_USE enum result account_create_member(json_t **account, struct db *db,
                                           const struct actor *actor,
                                           const struct new_account *new_account,
                                           json_t *person, const char *source);
/* Disabling ends every session and withdraws every link. */
MUST_USE enum result account_set_disabled(struct db *db, const struct actor *actor,
                                          int64_t id, bool disabled);
MUST_USE enum result account_set_admin(struct db *db, const struct actor *actor,
                                       int64_t id, bool admin);
/* CONFLICT: the person has another account. */
MUST_USE enum result account_set_person(struct db *db, const struct actor *actor,
                                        int64_t id, int64_t person);
MUST_USE enum result account_set_language(struct db *db, int64_t id,
                                          const char *language);

/* By address, for signing in: *password_hash is NULL when none is set. NOT_FOUND: no such
 * account, or disabled. */
MUST_USE enum result account_password(int64_t *id, const char **password_hash,
                                      struct db *db, const char *email);
/* Ends every session but `kept_hash` (NULL: all). */
MUST_USE enum result account_set_password(struct db *db, const struct actor *actor,
                                          int64_t id, const char *password_hash,
                                          const char *kept_hash);

/* Sessions. A member's ends after 7 days without a request and after 30 in any case, an
 * admin's after 12 hours and 7 days. */

/* `old_hash` (NULL: none) is the session that it replaces: at sign-in and whenever rights
 * change a session is never kept. `csrf_hash` is that of the token that its forms carry;
 * it tells whose form it was for 30 days after the session (held.h). */
MUST_USE enum result session_create(struct db *db, int64_t account, const char *hash,
                                    const char *old_hash, const char *csrf_hash);
/* The account of a live session, with session_created_at, session_expires_at and
 * session_fresh (it is not
 * older than 10 minutes: signed in just now); marks it as seen (a write at
 * most once a minute). NOT_FOUND otherwise. */
MUST_USE enum result session_find(json_t **account, struct db *db, const char *hash);
/* It lasts from now on as if it were new. */
MUST_USE enum result session_keep(struct db *db, const char *hash);
MUST_USE enum result session_end(struct db *db, const char *hash);
/* Drops what has expired: sessions, what is known of past ones, held posts, rate
 * counters. */
MUST_USE enum result session_sweep(struct db *db);

/* Sign-in links. */

enum link_state {
    LINK_GOOD,
    LINK_UNKNOWN,
    LINK_USED,
    LINK_EXPIRED,
    LINK_WITHDRAWN /* or its account is disabled */
};

/* *id is of the link, which leads to the path `next` (NULL: the member's own page);
 * earlier unused links of the account are withdrawn, but not those in mails (mail.h). */
MUST_USE enum result link_create(int64_t *id, struct db *db, const struct actor *actor,
                                 int64_t account, const char *hash, int hours,
                                 const char *next);
/* Looks, changes nothing. *account is whose link it is, NULL when it is unknown, with
 * `next` (a path, or null), `invited` (it came with an invitation) and `to_address` (that
 * it was mailed to, or null). All return OK whatever the state is; other results are
 * faults. */
MUST_USE enum result link_look(enum link_state *state, json_t **account, struct db *db,
                               const char *hash);
/* Redeems by one atomic update: of several at once, one gets LINK_GOOD. *account, with
 * `next`, is NULL in other states. The invitation that it came with is opened. */
MUST_USE enum result link_redeem(enum link_state *state, json_t **account, struct db *db,
                                 const char *hash, const char *request_id);
/* The hash of the account's link that has this code; NOT_FOUND: none has. */
MUST_USE enum result link_of_code(const char **hash, struct db *db, int64_t account,
                                  const char *code_hash);
MUST_USE enum result link_withdraw(struct db *db, const struct actor *actor, int64_t id);
/* Of an account, newest first: [{id, created_at, expires_at, redeemed_at, withdrawn_at,
 * created_by_email, state: "good" | "used" | "expired" | "withdrawn"}]. */
MUST_USE enum result link_list(json_t **links, struct db *db, int64_t account);

/* API tokens. */

MUST_USE enum result token_create(int64_t *id, struct db *db, const struct actor *actor,
                                  int64_t account, const char *name, const char *hash,
                                  bool may_approve, int days /* 0: for ever */);
/* The account, with token_id and may_approve (only ever true for admins). NOT_FOUND:
 * unknown, revoked or expired. */
MUST_USE enum result token_find(json_t **account, struct db *db, const char *hash);
MUST_USE enum result token_revoke(struct db *db, const struct actor *actor, int64_t id);
/* Of an account: [{id, name, may_approve, created_at, expires_at, used_at,
 * revoked_at}]. */
MUST_USE enum result token_list(json_t **tokens, struct db *db, int64_t account);

/* Counts one attempt under `key`; *attempts of the running window including this one, and
 * how long until it ends. */
MUST_USE enum result rate_hit(int *attempts, int *seconds_left, struct db *db,
                              const char *key, int window_seconds);
/* What was counted was none. */
MUST_USE enum result rate_take_back(struct db *db, const char *key);
/* After a success. */
MUST_USE enum result rate_clear(struct db *db, const char *key);

#endif
