/* Who was asked in a collection and how far each of them is; what an organiser does with
 * many of them at once. */
#ifndef LABD_DB_STORE_BOARD_H
#define LABD_DB_STORE_BOARD_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* Members that are NULL or 0 ask for everybody. */
struct board_filter {
    int64_t collection;
    const char *state; /* of the invitation, or "lacking": has something to do */
    int64_t wave;      /* its number */
    const char *role;  /* "none": without an appointment */
    const char *mail;  /* state of the latest mail: "queued", "held", "sent", "failed",
                          "bounced", "cancelled", "none"; "trouble": failed or bounced */
    const char *text;  /* words that name and address have, all of them */
    json_t *ids;       /* of invitations */
    const char *sort;  /* a column: "name", "role", "state", "complete", "wave", "mail",
                          "reminders", "invited", "opened", "started", "submitted",
                          "decided", "until"; ties and anything else: by name */
    bool descending;   /* empty ones stand last either way */
    int offset, limit;
};

/* [{id, account_id, person_id, person_slug, name_latin, name_han, email, role, disabled,
 * bounced, account_language, state, lacking, late, complete, pilot, invited_at,
 * opened_at, started_at, submitted_at, decided_at, until, extended_until, reminders,
 * reminded_at, mail_id, mail_state, mail_template, mail_at, mail_reason, wave, wave_kind,
 * total}]; `total` counts all that match. */
MUST_USE enum result board_list(json_t **people, struct db *db,
                                const struct board_filter *filter);

/* {all, lacking, invited, opened, started, submitted, returned, approved, withdrawn,
 * trouble}: how many are in each state now. */
MUST_USE enum result board_count(json_t **counts, struct db *db, int64_t collection);

/* [{number, kind, opened_at}] */
MUST_USE enum result board_wave_list(json_t **waves, struct db *db, int64_t collection);

/* [{day, future, invited, opened, submitted}]: one a day where the lab is, each the sum
 * so far. Empty before anybody is asked. */
MUST_USE enum result board_day_list(json_t **days, struct db *db, int64_t collection);

/* What happened with one person, newest first, 200 at most: [{at, kind: "event" | "mail"
 * | "step", what (the event's action, the mail's template, the step's kind), who, state,
 * mail_id, section (from 1)}]; null where there is none. Steps of a kind are one a
 * section and day. */
MUST_USE enum result board_history(json_t **history, struct db *db, int64_t invitation);

/* Within the open transaction: nobody else writes to or about the invitation until its
 * end. *mail: its latest mail, 0 for none. */
MUST_USE enum result board_lock(int64_t *mail, struct db *db, int64_t invitation);

/* Is that day ("2026-12-14") behind us, where the lab is? */
MUST_USE enum result board_day_over(bool *over, struct db *db, const char *day);

#endif
