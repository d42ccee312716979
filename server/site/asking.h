/* Asking people: waves with their mails, the move to a newer form, reminders. Each joins
 * the open transaction, so that nothing is said without its mail, and no mail goes out
 * for what did not happen. */
#ifndef LABD_SITE_ASKING_H
#define LABD_SITE_ASKING_H

#include "db/store/event.h"
#include "server/base/result.h"
#include "server/form/definition.h"

#include <jansson.h>
#include <stdint.h>

struct db;

/* Opens a wave for accounts (ids), as wave_insert_invitations(), and orders the mails.
 * Nobody is asked twice. With kind "everyone" those who answer an older form go on to the
 * newest: asked again for what is new or no longer valid, if there is any such thing; who
 * is in the middle of an answer keeps the old one until it is sent in.
 * *wave: {id, number, kind, form_version_id, invitations, again: [{id, account_id,
 * fields}] with a mail, moved: of the others, kept: in the middle of it}. INVALID: the
 * form asks nothing, or is none; CONFLICT: it is closing, closed or over. */
MUST_USE enum result wave_open(json_t **wave, struct db *db, const struct actor *actor,
                               int64_t collection, const char *kind, json_t *account_ids);

/* The accounts of persons (ids) as ids; those without get one, if there is an address.
 * Who can't have one is left out. */
MUST_USE enum result asking_accounts(json_t **accounts, struct db *db,
                                     const struct actor *actor, json_t *persons);

/* The names of the fields that a person, with the form `before` and what
 * invitation_newest() says, is asked for with the form `after`: empty, nothing; NULL, all
 * of it as before. */
MUST_USE enum result asking_again(json_t **names, const json_t *newest,
                                  const struct form *before, const struct form *after);
/* Their labels. */
json_t *asking_labels(const struct form *form, json_t *names, enum language language);

/* After an answer was sent in: on to the form that everyone answers by now, if it is
 * another one. */
MUST_USE enum result invitation_move_on(struct db *db, const struct actor *actor,
                                        int64_t invitation);

/* Hours for which the link of a mail is good: while there is time to answer, 3 to 30
 * days. */
int asking_link_hours(const json_t *collection);

/* By hand: *outcomes is [{id, outcome}], one for each id: "sent", or why not:
 * "not_lacking", "cap", "gap" (of the collection's settings), "closed", "withdrawn",
 * "disabled", "not_found". One transaction each, unless one is open. */
MUST_USE enum result invitation_remind(json_t **outcomes, struct db *db,
                                       const struct actor *actor, json_t *ids);

/* By the schedule: what is due now, at most 200, on this thread's current arena. For any
 * number of instances at once, as often as one likes; *sent (may be NULL): how many were
 * ordered.
 */
MUST_USE enum result reminders_due(int64_t *sent, struct db *db);

/* What the mail "reminder" says is missing: labels of the questions that a begun answer
 * lacks, or that are asked again. */
MUST_USE enum result asking_missing(json_t **labels, struct db *db,
                                    const json_t *invitation);

#endif
