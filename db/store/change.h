/* The one door for every write to lab, person, publication and answer.
 *
 * A change is a proposed document against a version of its target. Approving it applies
 * it in one transaction together with its revision and event. States:
 *
 *   draft -> submitted -> approved | returned;  returned -> submitted (proposed again);
 *   draft, submitted, returned -> withdrawn
 *
 * A document has exactly the keys of the entity's form, in the order that its
 * `<entity>_document` query gives them; an answer (its target is an invitation) has those
 * that its form version gave it. Missing, null, "", false, [] and {} mean the same
 * when documents are compared.
 *
 * An account has at most one open (draft, submitted or returned) change of a target;
 * proposing again replaces its text, with its version one higher. Functions that write
 * join the transaction that is open, else make their own. Who may call them is the
 * caller's to decide. Entities: the table in entity.c. */
#ifndef LABD_DB_STORE_CHANGE_H
#define LABD_DB_STORE_CHANGE_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* What is there now: {id, version, slug, document}. NOT_FOUND when it isn't. An id of 0
 * gives the empty document (id, version and slug null): what a new one starts from. */
MUST_USE enum result entity_current(json_t **current, struct db *db, const char *entity,
                                    int64_t id);
MUST_USE enum result entity_by_slug(json_t **current, struct db *db, const char *entity,
                                    const char *slug);

/* Is there an entity of that name? */
bool change_entity(const char *name);

struct proposal {
    const char *entity;   /* "lab" (target 1), "person", "publication", "answer" */
    int64_t target;       /* 0: a new one */
    int64_t base_version; /* of the target, that the author saw; 0: whatever is current */
    int64_t change; /* for a new one: the author's open change to go on with; 0: a first
                       one. Of a target the open change is found by itself */
    int64_t change_version; /* the version of that open change that the author saw; 0:
                               they saw none; -1: whatever there is (an API's or an
                               import's partial document) */
    json_t *document;       /* the keys given replace those of the current document */
    const char *source;     /* "form", "bibtex", "import", "api", "demo" */
    bool draft;     /* kept, not yet submitted; what was returned stays so until it is */
    int64_t author; /* change_save(): whose words the actor approves, beside whatever they
                       have open; 0: the actor's own */
};

/* Proposes. A draft that says what the open change says makes no version.
 * *outcome: {"outcome": "unchanged"} when the document says what is there
 * already (an open change of the author is withdrawn then, but for a draft of a returned
 * one), else {"outcome": "draft",
 * "returned" or "submitted", id, version}; with target_id and slug of the target in each
 * case (null for a new one). CONFLICT: the target is newer than base_version, or the open
 * change has isn't the one that was seen or is decided; *outcome is then entity_current()
 * of the target, with that change {id, version, state, document} as its "change" if there
 * is one. INVALID: *outcome is {"errors": [{field, code}]} of rules that only the store
 * can check ("identifier_taken": another work has it; "person": nobody has that slug), or
 * NULL. NOT_FOUND: no such target, or no such change of this author. */
MUST_USE enum result change_propose(json_t **outcome, struct db *db,
                                    const struct actor *actor,
                                    const struct proposal *proposal);

/* Proposes and approves at once, for those who may: {"outcome": "unchanged" | "created" |
 * "updated", target_id, slug, version; id of the change}. Otherwise as
 * change_propose(). */
MUST_USE enum result change_save(json_t **outcome, struct db *db,
                                 const struct actor *actor,
                                 const struct proposal *proposal);

/* change_save() of many, in one transaction and with few round trips: *outcomes has for
 * each proposal, in order, what change_save() gives; where that is not OK, {"outcome":
 * "refused", "result": "conflict" | "invalid" | "missing", "errors" or "current" as
 * above}. Two new works with one identifier: the later is refused ("identifier_taken").
 * The call itself is OK then; anything else means that nothing of all is written:
 * INVALID, or CONFLICT, that one of them is unfit in a way that only the database sees.
 */
MUST_USE enum result change_save_many(json_t **outcomes, struct db *db,
                                      const struct actor *actor,
                                      const struct proposal *proposals, size_t count);

/* Decisions hold for the version of the change that was seen: CONFLICT when it has been
 * changed or decided since, and for approving also when the target is no longer at the
 * version that the change was written against, or when db->constraint is
 * "publication_identifier_pkey": another work has that identifier. A second decision is
 * never made. */

/* *applied: {entity, target_id, slug, version (of the target), created: bool}. */
MUST_USE enum result change_approve(json_t **applied, struct db *db,
                                    const struct actor *actor, int64_t change,
                                    int64_t version);
MUST_USE enum result change_return(struct db *db, const struct actor *actor,
                                   int64_t change, int64_t version, const char *comment);
/* The reviewer's text in place of the author's, approved in one step: `document` is
 * whole, and written against the version `base` of the target. What was sent in is kept
 * beside it. INVALID: *applied is {"errors": [...]} as of change_propose(), or NULL. */
MUST_USE enum result change_approve_edited(json_t **applied, struct db *db,
                                           const struct actor *actor, int64_t change,
                                           int64_t version, int64_t base,
                                           json_t *document);
/* With comments on fields, {"field": "text"}; may be NULL. */
MUST_USE enum result change_return_with(struct db *db, const struct actor *actor,
                                        int64_t change, int64_t version,
                                        const char *comment, json_t *comments);

/* Takes a submitted change into one's review, which only tells the other admins; `seen`
 * is the account that had it in review when that was seen, 0: nobody. CONFLICT: another
 * has it by now, or it is decided. */
MUST_USE enum result change_claim(struct db *db, const struct actor *actor,
                                  int64_t change, int64_t seen);
MUST_USE enum result change_release(struct db *db, const struct actor *actor,
                                    int64_t change);

/* A change and its target have both moved on from `base`: *merged takes each key from
 * whoever altered it, the proposal where both did; *clashes says where they did
 * differently, [{field, before (current), after (proposed)}]. */
void change_merge(json_t **merged, json_t **clashes, json_t *base, json_t *current,
                  json_t *proposed);

/* By its author; NOT_FOUND for anybody else's. */
MUST_USE enum result change_withdraw(struct db *db, const struct actor *actor,
                                     int64_t change, int64_t version);

/* Rows of the lists: {id, version, entity, target_id, slug, title, title_other, state,
 * source, comment, author_id, author_email, author_name_latin, author_name_han,
 * author {email, name_latin, name_han} (null: the command line),
 * collection {title_en, title_zh} (of an answer, or null),
 * decided_by_email, decided_by_name_latin, decided_by_name_han, comments (of fields, or
 * null), edited (by the reviewer, on approving), reviewer_id, reviewer_email,
 * reviewer_name_latin, reviewer_name_han, collection_id (of an answer), created_at,
 * updated_at, submitted_at, decided_at}. `title` is the work's title, the person's Latin
 * or Han name (then title_other has the Han one), or the collection's. */

/* Submitted ones, the longest waiting first. */
MUST_USE enum result change_queue(json_t **changes, struct db *db);
/* An account's own: the open ones first, then the decided, newest first; at most 100. */
MUST_USE enum result change_mine(json_t **changes, struct db *db, int64_t account);

/* One: a row as above, with
 *   document     what is proposed
 *   current      entity_current() of the target; of a new one: the empty document
 *   base         what it was written against
 *   proposed     what was sent in, when `edited`; else null
 *   stale        the target has moved on since the change was written (while open)
 *   differences  [{field, before, after}] of the top-level fields that the change alters,
 *                in the document's order; groups and objects as JSON values. A first
 *                answer is held against the profile that it goes into, if it is one */
MUST_USE enum result change_show(json_t **change, struct db *db, int64_t id);
/* The account's open change of a target, as change_show(); NOT_FOUND: it has none. */
MUST_USE enum result change_open(json_t **change, struct db *db, int64_t account,
                                 const char *entity, int64_t target);

/* [{field, before, after}] between any two documents, in the order of `after`. */
json_t *change_differences(json_t *before, json_t *after);
/* Do two documents (or values in them) say the same? */
bool change_same(json_t *one, json_t *other);

/* Newest first: [{version, document, change_id, source, comment, author_email,
 * author_name_latin, author_name_han, decided_by_email, decided_by_name_latin,
 * decided_by_name_han, reviewed (by another than the author), edited (by the reviewer),
 * submitted_at, created_at, peer, sent_peer}]; the two peers, from where it was approved
 * and sent in, are for admins alone. */
MUST_USE enum result change_revisions(json_t **revisions, struct db *db,
                                      const char *entity, int64_t target);

#endif
