/* Whose works they are: what people say of the works that stand under their names, and
 * what co-authors say of a work that is proposed.
 *
 * An author is linked to the person who alone has that name in full; that is unconfirmed.
 * Initials, parts of a name and names that two people have are offered, to all whom they
 * may mean. What is said here outlives changes of the work: publication.sql heeds it. */
#ifndef LABD_DB_STORE_CLAIM_H
#define LABD_DB_STORE_CLAIM_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* A person's works. `list` is "mine" (confirmed), "confirm" (linked, or offered) or
 * "not_mine": {mine, confirm, not_mine: counts, rows: [{id, slug, title, kind, venue,
 * year, name (as printed), weak (initials, or a part of the name), offered (not linked),
 * authors: "A, B", namesakes[{name_latin, name_han}]}]}. Newest first. */
MUST_USE enum result claim_list(json_t **claims, struct db *db, int64_t person,
                                const char *list, int limit, int64_t offset);
MUST_USE enum result claim_waiting(int64_t *count, struct db *db, int64_t person);

enum claim_verdict { CLAIM_MINE, CLAIM_NOT_MINE, CLAIM_UNDO };

/* `actor` says it of the works `ids` of their own `person`. *count: of how many it holds
 * now; the others bear none of the person's names, or are another's by that person's word
 * or an admin's. */
MUST_USE enum result claim_say(int64_t *count, struct db *db, const struct actor *actor,
                               int64_t person, enum claim_verdict verdict, json_t *ids);

/* For admins. Authors who are linked to nobody and may be somebody: {total, rows: [{id
 * (of the work), position, name, slug, title, year, venue, people[{id, slug, name_latin,
 * name_han, weak, work, printed (the row's)}]}]}; and what was said last, [{id,
 * person_id, verdict, at, title, slug, name_latin, name_han, person_slug, email}]. */
MUST_USE enum result claim_open(json_t **open, struct db *db, int limit, int64_t offset);
MUST_USE enum result claim_said(json_t **said, struct db *db);

struct claim_link {
    int64_t publication, position, person;
    const char *name; /* as it was seen */
};

/* CONFLICT: the work has another author there by now, or the person is linked. */
MUST_USE enum result claim_set(struct db *db, const struct actor *actor,
                               const struct claim_link *link, bool linked);
/* Takes back what was said of a person and a work; CONFLICT: nothing was. */
MUST_USE enum result claim_drop(struct db *db, const struct actor *actor,
                                int64_t publication, int64_t person);

/* Submitted works of others that name the account's person: [{id, version (of the
 * change), title, venue, year, authors, author {email, name_latin, name_han} (or null),
 * submitted_at, verdict ("right", "wrong" or null), comment, said_at, altered (since)}].
 */
MUST_USE enum result claim_entered_list(json_t **changes, struct db *db, int64_t account);
/* CONFLICT: altered or decided since, or it does not name them. `right` with or without a
 * comment. */
MUST_USE enum result claim_confirm(struct db *db, const struct actor *actor,
                                   int64_t change, int64_t version, const char *verdict,
                                   const char *comment);
MUST_USE enum result claim_confirm_undo(struct db *db, const struct actor *actor,
                                        int64_t change);
/* [{verdict, comment, at, altered (since), name_latin, name_han, email}] */
MUST_USE enum result claim_confirmed(json_t **said, struct db *db, int64_t change);

/* For change.c: keeps who is named in a proposed work. */
MUST_USE enum result claim_name_authors(struct db *db, int64_t change, json_t *document);

#endif
