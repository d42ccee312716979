/* Collections: what is asked, of whom, in which waves; and each person's invitation.
 * Mails belong to a later layer (server/site/asking.h): here are the rows.
 *
 * Every function that writes joins the open transaction, else makes its own, and adds an
 * event about entity "collection" or "invitation". Who may call is the caller's to
 * decide.
 *
 * A collection as a document: {id, version, kind, title_en, title_zh, words_en, words_zh,
 * thanks_en, thanks_zh, deadline, deadline_zone, deadline_offset "UTC+8", deadline_at
 * (its last second), days_left, state, remind_days [int], remind_most, remind_gap,
 * definition, definition_version, copied_from, created_at, opened_at, closed_at;
 * published (number of the newest form version, null: none), form_version_id (of that),
 * unpublished (the form was changed since); invited (without the withdrawn), pilot,
 * opened, started, submitted, returned, approved, withdrawn, lacking; chosen,
 * chosen_pilot}. Dates are "2026-12-31".
 *
 * An invitation: a row of the view invitation_now (until, accepts, lacking), and
 * {form_number, wave_kind, email, language, person_id, person_slug, name_latin, name_han,
 * kind, collection_state, title_en, title_zh}. */
#ifndef LABD_DB_STORE_COLLECTION_H
#define LABD_DB_STORE_COLLECTION_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

MUST_USE enum result collection_row(json_t **collection, struct db *db, int64_t id);
/* {today}: the day where the lab is. */
MUST_USE enum result collection_today(json_t **today, struct db *db);
/* Open ones first: [{id, kind, title_en, title_zh, deadline, deadline_zone,
 * deadline_offset, days_left, state, created_at, opened_at, invited, submitted, approved,
 * lacking, chosen}]. */
MUST_USE enum result collection_list(json_t **collections, struct db *db);

/* `document`: the keys from title_en to remind_gap. */
MUST_USE enum result collection_create(int64_t *id, struct db *db,
                                       const struct actor *actor, const char *kind,
                                       json_t *document, json_t *definition);
/* The words and settings. CONFLICT: not at `version` any more. */
MUST_USE enum result collection_update(struct db *db, const struct actor *actor,
                                       int64_t id, int64_t version, json_t *document);
/* The form that is being written. CONFLICT: not at `version` any more; *now is the new
 * one. The definition must be one that form_load() takes. */
MUST_USE enum result collection_set_definition(int64_t *now, struct db *db,
                                               const struct actor *actor, int64_t id,
                                               int64_t version, json_t *definition);
/* The form as it is becomes a version that never changes; the newest one when nothing is
 * new. `definition_version` 0: whichever there is; else CONFLICT when it has changed. */
MUST_USE enum result collection_publish(int64_t *form_version_id, struct db *db,
                                        const struct actor *actor, int64_t id,
                                        int64_t definition_version);
/* CONFLICT: it is not in state `from`, or nothing leads from there to `to`. Nobody makes
 * a draft of what was open; a draft opens with its first wave. */
MUST_USE enum result collection_set_state(struct db *db, const struct actor *actor,
                                          int64_t id, const char *from, const char *to);
/* [{to, again: it was open before}]: where that may lead from `state`; nowhere from
 * "draft". */
json_t *collection_moves(const char *state);
/* A draft with the words, form, settings, mails' words and people of another, without
 * deadline and answers. */
MUST_USE enum result collection_duplicate(int64_t *copy, struct db *db,
                                          const struct actor *actor, int64_t id,
                                          const char *title_en, const char *title_zh);
/* CONFLICT: it isn't a draft. */
MUST_USE enum result collection_delete(struct db *db, const struct actor *actor,
                                       int64_t id);

/* Everybody, by name: [{id (of the person), slug, name_latin, name_han, role, starts,
 * ends, year (of the first appointment), current, address, account_id, chosen, pilot,
 * invitation_id, invitation_state, invitation_pilot, reason}]. `reason` is what to know
 * before asking: "no_address", "address_taken" (another person has it), "disabled"
 * (these can't be asked), "bounced", "no_account" (one is made when they are asked), or
 * null. */
MUST_USE enum result collection_people(json_t **people, struct db *db, int64_t id);
/* Of the people `shown` (ids of persons), `asked` and `pilot` are meant to be asked, the
 * latter first; the others shown are not. Who isn't shown stays as is. */
MUST_USE enum result collection_choose(struct db *db, const struct actor *actor,
                                       int64_t id, json_t *shown, json_t *asked,
                                       json_t *pilot);
/* Adds up to `count` of those chosen, who can be asked and were not, to the pilot. */
MUST_USE enum result collection_choose_random(int64_t *chosen, struct db *db,
                                              const struct actor *actor, int64_t id,
                                              int count);

/* [{id, number, kind, opened_at, form_number, opened_by_email, invitations}]. */
MUST_USE enum result collection_waves(json_t **waves, struct db *db, int64_t id);

/* {id, form_version_id} of the latest wave that asked everyone. NOT_FOUND: none did. */
MUST_USE enum result collection_latest_wave(json_t **wave, struct db *db, int64_t id);

/* Opens a wave: locks the collection, publishes the form when it has changed, opens the
 * collection when it is a draft, invites `accounts` (ids; who has an invitation keeps it,
 * a disabled account gets none). *wave: {id, number, kind, form_version_id, invitations:
 * [{id, account_id}] new ones, older: [{id, account_id, form_version_id, state}] those
 * who answer an older form}. CONFLICT: it is closing or closed, or its deadline is over.
 * Mails nobody: wave_open() of server/site/asking.h is what pages call. */
MUST_USE enum result wave_insert_invitations(json_t **wave, struct db *db,
                                             const struct actor *actor, int64_t id,
                                             const char *kind, json_t *accounts);

MUST_USE enum result invitation_row(json_t **invitation, struct db *db, int64_t id);
/* The account's one in a collection. */
MUST_USE enum result collection_invitation(json_t **invitation, struct db *db,
                                           int64_t collection, int64_t account);
/* By name: [{id, account_id, state, pilot, complete, until, extended_until, accepts,
 * lacking, form_version_id, form_number, invited_at, reminders, reminded_at, email,
 * language, person_slug, name_latin, name_han}]. */
MUST_USE enum result invitation_list(json_t **invitations, struct db *db, int64_t id);
/* {id, state, account_id, collection_id, form_version_id, asked, kind, person_id,
 * document: the newest text of the answer}. */
MUST_USE enum result invitation_newest(json_t **answer, struct db *db, int64_t id);

/* Another last day for one person; NULL: the collection's. NOT_FOUND: withdrawn. */
MUST_USE enum result invitation_extend(struct db *db, const struct actor *actor,
                                       int64_t id, const char *until);
/* Mails that wait are cancelled, links in mails withdrawn. NOT_FOUND: it is already. */
MUST_USE enum result invitation_withdraw(struct db *db, const struct actor *actor,
                                         int64_t id);
/* Back to where the answer had come to. NOT_FOUND: it is not withdrawn. */
MUST_USE enum result invitation_reinstate(struct db *db, const struct actor *actor,
                                          int64_t id);
/* To another form version. `asked`: names of the fields that are asked for again; empty:
 * nothing, the state stays. `wave`: 0 when no wave does it. */
MUST_USE enum result invitation_move(struct db *db, const struct actor *actor, int64_t id,
                                     int64_t form_version, int64_t wave, json_t *asked);

/* By the schedule, of all collections or for one invitation (0: all), at most 200: [{id,
 * days, until}]. */
MUST_USE enum result reminder_list_due(json_t **due, struct db *db, int64_t invitation);
/* Takes that day's reminder for oneself: NOT_FOUND when another did. */
MUST_USE enum result reminder_take(struct db *db, json_t *due);
/* Notes the mail that was ordered; it goes out in the lab's morning. */
MUST_USE enum result reminder_set_mail(struct db *db, json_t *due, int64_t mail);
/* Locks the invitation: {id, account_id, collection_id, refusal: null or "withdrawn",
 * "not_lacking", "closed", "disabled", "cap", "gap"}. */
MUST_USE enum result invitation_may_remind(json_t **answer, struct db *db, int64_t id);
/* Counts a reminder. */
MUST_USE enum result invitation_reminded(struct db *db, const struct actor *actor,
                                         int64_t id);

#endif
