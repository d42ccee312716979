/* The outbox: mails that wait, go out, have gone; and the words that an admin wrote for
 * them. Mails are ordered through server/mail/order.h, which makes the words, and sent by
 * server/mail/worker.h.
 *
 * States: waiting -> sending -> sent | failed | cancelled; sending -> waiting (again
 * later); waiting <-> held; waiting, held, failed -> cancelled; failed -> waiting;
 * sent -> bounced. `reason` holds the mail server's words, or a code: "not_needed",
 * "stopped", "disabled", "by_admin". */
#ifndef LABD_DB_STORE_MAIL_H
#define LABD_DB_STORE_MAIL_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* What is known of whom a mail goes to: {id, email, language, disabled, bounced,
 * name_latin, name_han, lab_en, lab_zh, lab_email, zone, title_en, title_zh (of the
 * collection), year, month, day (the last one to answer)}; null where there is none. */
MUST_USE enum result mail_facts(json_t **facts, struct db *db, int64_t account,
                                int64_t collection, int64_t invitation);

struct new_mail {
    const char *message_id, *template, *language;
    int64_t account, collection, invitation;
    const char *to_name, *to_address, *subject, *body;
    const char *secret; /* of its sign-in link; NULL: it has none */
    const char *token_hash, *code_hash, *next;
    int link_hours;
    const char *stop_hash; /* NULL: it can't be stopped */
    const char *reason;    /* cancelled at once, for this; NULL: it waits */
};

/* Writes a mail and its link. Joins the open transaction. */
MUST_USE enum result mail_add(int64_t *id, struct db *db, const struct actor *actor,
                              const struct new_mail *mail);

/* For the worker. */

/* Leases the mail that is due longest: {id, message_id, template, language, to_name,
 * to_address, subject, body, secret, attempts, stoppable, date (RFC 5322), lab_en,
 * lab_zh, lab_email, unwanted: null or the reason}. NOT_FOUND: none is due. */
MUST_USE enum result mail_take(json_t **mail, struct db *db, int lease_seconds);
/* *seconds until something may be due (not negative); -1: nothing waits. */
MUST_USE enum result mail_next(int *seconds, struct db *db);

enum mail_outcome { MAIL_SENT, MAIL_LATER, MAIL_FAILED, MAIL_UNWANTED };

/* Ends the lease of a taken mail; of another's lease nothing changes. `seconds`: until
 * the next try, for MAIL_LATER. */
MUST_USE enum result mail_settle(struct db *db, const json_t *mail,
                                 enum mail_outcome outcome, const char *reason,
                                 int seconds);

/* For bounces, and for who wants no reminders. */

/* NOT_FOUND: no mail of ours. */
MUST_USE enum result mail_bounced(struct db *db, const char *message_id,
                                  const char *reason);
/* What a stop token is about: {title_en, title_zh, stopped}; NOT_FOUND: nothing. */
MUST_USE enum result mail_stop_look(json_t **about, struct db *db, const char *hash);
MUST_USE enum result mail_stop(struct db *db, const char *hash, bool stop);

/* For the admin. */

/* {waiting: 3, held: 0, ...}: every state has its number. */
MUST_USE enum result mail_counts(json_t **counts, struct db *db);
/* Newest first, those before `before` (0: from the newest), of one state or (NULL) all:
 * [{id, version, template, language, to_name, to_address, subject, state, reason,
 * attempts, due_at, created_at, sent_at, collection_id, title_en, title_zh,
 * person_slug}]. */
MUST_USE enum result mail_list(json_t **mails, struct db *db, const char *state,
                               int64_t before, int limit);
/* One in full: besides, {message_id, account_id, body, secret, invitation_id, link_id,
 * stoppable, next, redeemed_at, link_hours}. */
MUST_USE enum result mail_find(json_t **mail, struct db *db, int64_t id);
/* CONFLICT: it is not at that version, or no longer to be changed. */
MUST_USE enum result mail_edit(struct db *db, const struct actor *actor, int64_t id,
                               int64_t version, const char *subject, const char *body);

enum mail_deed { MAIL_HOLD, MAIL_RELEASE, MAIL_CANCEL };

/* For each of the ids (an array of integers) whose state allows it; *done of them. */
MUST_USE enum result mail_do(int64_t *done, struct db *db, const struct actor *actor,
                             enum mail_deed deed, json_t *ids);
/* Now, with its own Message-ID. CONFLICT: it is neither waiting nor failed. */
MUST_USE enum result mail_retry(struct db *db, const struct actor *actor, int64_t id);

/* An admin's own words; collection 0: the lab's. */

/* {subject, body} that stand in place of the program's; NOT_FOUND: none. */
MUST_USE enum result mail_text_best(json_t **text, struct db *db, const char *name,
                                    const char *language, int64_t collection);
/* {id, version, subject, body, updated_at, updated_by_email}; NOT_FOUND: none. */
MUST_USE enum result mail_text_find(json_t **text, struct db *db, const char *name,
                                    const char *language, int64_t collection);
/* [{name, language, version, subject, updated_at, updated_by_email}]. */
MUST_USE enum result mail_text_list(json_t **texts, struct db *db, int64_t collection);
/* CONFLICT: it is not at `version` (0: there is none yet). The caller has checked the
 * words: server/mail/text.h. */
MUST_USE enum result mail_text_save(struct db *db, const struct actor *actor,
                                    const char *name, const char *language,
                                    int64_t collection, int64_t version,
                                    const char *subject, const char *body);
/* Back to the lab's, or the program's, words. CONFLICT: it is not at that version. */
MUST_USE enum result mail_text_drop(struct db *db, const struct actor *actor,
                                    const char *name, const char *language,
                                    int64_t collection, int64_t version);

#endif
