/* What belongs to a person as a data subject: a copy of all that is held of an account,
 * leaving the lab with an address that lasts, and deletion. */
#ifndef LABD_DB_STORE_PERSONAL_H
#define LABD_DB_STORE_PERSONAL_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* The parts of the copy. PERSONAL_ACCOUNT has one row, PERSONAL_FILES [{token, name}] all
 * at once; the others come by pieces. */
enum personal_part {
    PERSONAL_ACCOUNT,
    PERSONAL_HISTORY, /* of the person's document */
    PERSONAL_CHANGES,
    PERSONAL_ANSWERS,
    PERSONAL_MAILS,
    PERSONAL_EVENTS,
    PERSONAL_FILES
};

/* The rows behind the id `after` (0: from the first), each with its id; empty: no more.
 */
MUST_USE enum result personal_rows(json_t **rows, struct db *db, enum personal_part part,
                                   int64_t account, int64_t after);

/* {lasting_email, lasting_confirmed_at, asked_email (not confirmed yet)}. */
MUST_USE enum result personal_lasting(json_t **state, struct db *db, int64_t account);
/* A token to confirm an address with. CONFLICT: it is another account's. */
MUST_USE enum result personal_lasting_begin(struct db *db, const struct actor *actor,
                                            const char *email, const char *token_hash);
/* *email: what the token of this account is for; NOT_FOUND: it is none, or expired. */
MUST_USE enum result personal_lasting_find(const char **email, struct db *db,
                                           int64_t account, const char *token_hash);
/* Takes it; signing in and, of an alumnus, mails go by that address from now on.
 * CONFLICT: another account has it by now. */
MUST_USE enum result personal_lasting_confirm(struct db *db, const struct actor *actor,
                                              const char *token_hash);
MUST_USE enum result personal_lasting_forget(struct db *db, const struct actor *actor);

/* Proposes that the person's present appointments end on `day`, for review. *outcome as
 * of change_propose(). INVALID with *outcome NULL: no appointment goes on then. */
MUST_USE enum result personal_leave(json_t **outcome, struct db *db,
                                    const struct actor *actor, int64_t person,
                                    const char *day);

/* A request to delete. CONFLICT: there is one already. */
MUST_USE enum result personal_deletion_ask(struct db *db, const struct actor *actor,
                                           const char *words);
/* CONFLICT: there is none (any more). */
MUST_USE enum result personal_deletion_withdraw(struct db *db, const struct actor *actor);
/* {id, words, created_at}; NOT_FOUND: none is open. */
MUST_USE enum result personal_deletion_open(json_t **request, struct db *db,
                                            int64_t account);
/* Open ones: [{id, words, created_at, withdrawn_at, done_at, account_id, email,
 * done_by_email, person_id, person_slug, name_latin, name_han}]; one of any state. */
MUST_USE enum result personal_deletions(json_t **requests, struct db *db);
MUST_USE enum result personal_deletion(json_t **request, struct db *db, int64_t id);
/* Carries it out, in one transaction. Erased: everything of the profile but names and
 * appointments, in every version; answers, mails, files, addresses, where events came
 * from. The account is disabled for good. CONFLICT: it is not open. */
MUST_USE enum result personal_erase(struct db *db, const struct actor *actor, int64_t id);

#endif
