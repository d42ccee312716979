/* What a member was asked in a collection, and what they answer. The answer itself is
 * written through the change engine, as entity "answer" whose target is the invitation;
 * here is what its pages need beside that. */
#ifndef LABD_DB_STORE_ANSWER_H
#define LABD_DB_STORE_ANSWER_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* One invitation with all that its pages need: {id, collection_id, state, complete,
 * until, accepts, pilot, form_version_id, asked, submitted_at, decided_at,
 * collection_state, kind, title_en, title_zh, copied_from, time_zone, version and answer
 * (approved; version 1: none yet), person_version (that the draft was laid over),
 * change_id, change_version, change_state, draft, comment, comments {field: text} and
 * saved_at (of the open change), saved (sections that were saved by hand, of this form
 * version), corrected (those saved since it was returned), person_id (null in a custom
 * collection), person_now (the person's version, in a profile collection)}. NOT_FOUND:
 * not asked. */
MUST_USE enum result answer_state(json_t **state, struct db *db, int64_t collection,
                                  int64_t account);
/* What is asked of an account now: [{collection_id, state, complete, until, accepts,
 * lacking, again, title_en, title_zh, time_zone}], what lacks something first. */
MUST_USE enum result answer_asked(json_t **asked, struct db *db, int64_t account);
/* {words_en, words_zh, thanks_en, thanks_zh} of a collection. */
MUST_USE enum result answer_words(json_t **words, struct db *db, int64_t collection);
/* What the account's answer of another collection was: NOT_FOUND when none was approved.
 */
MUST_USE enum result answer_previous(json_t **document, struct db *db, int64_t collection,
                                     int64_t account);

/* `document` with those keys that are as they were in version `from` of the person set to
 * what the person's current document says: what others changed meanwhile. */
MUST_USE enum result answer_rebase(json_t **document, struct db *db, int64_t person,
                                   int64_t from);

struct answer_saving {
    json_t *state;          /* answer_state() */
    json_t *document;       /* whole */
    int64_t person_version; /* of the person, that it is laid over; 0: the state's */
    int64_t change_version; /* of the open change that was seen; 0: none was */
    int complete;           /* percent */
    bool draft;
};

/* Proposes the document, as change_propose(); together with what the invitation and the
 * answer keep beside it. "unchanged" of a document that is no draft ends the invitation:
 * what was approved holds. */
MUST_USE enum result answer_save(json_t **outcome, struct db *db,
                                 const struct actor *actor,
                                 const struct answer_saving *saving);
/* The member confirms what was approved before: as change_save(). */
MUST_USE enum result answer_confirm(json_t **outcome, struct db *db,
                                    const struct actor *actor,
                                    const struct answer_saving *saving);
/* One statement in place of answer_save() for a draft that there is already and that is
 * laid over the same person: *kept is {version, saved_at}. NOT_FOUND: the draft is not
 * the one that was seen, or nothing is taken any more. */
MUST_USE enum result answer_keep(json_t **kept, struct db *db, const struct actor *actor,
                                 const struct answer_saving *saving);

/* The member has looked at what is asked. */
MUST_USE enum result answer_opened(struct db *db, int64_t invitation);

/* "seen", "saved" or "refused", then with field and code. */
MUST_USE enum result answer_step_add(struct db *db, const json_t *state, int section,
                                     const char *kind, const char *field,
                                     const char *code);

/* What a member of the pilot says of a section (-1: of the whole form). */
struct answer_feedback {
    int section;
    const char *field; /* or NULL */
    bool unclear;
    const char *comment; /* or NULL */
};
MUST_USE enum result answer_feedback_save(struct db *db, const json_t *state,
                                          const struct answer_feedback *feedback);
/* [{section, field, unclear, comment}] of this form version. */
MUST_USE enum result answer_feedback_rows(json_t **rows, struct db *db,
                                          const json_t *state);

#endif
