/* The audit: what happened and who did it. Rows are only ever added; the database refuses
 * anything else. */
#ifndef LABD_DB_STORE_EVENT_H
#define LABD_DB_STORE_EVENT_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* Who does something, from where. */
struct actor {
    int64_t account;        /* 0: the command line */
    const char *name;       /* the account's address, or "command line" */
    const char *request_id; /* NULL outside requests */
};

extern const struct actor command_line;

/* What an event is about; zero members are left out. */
struct event {
    const char
        *action; /* "change.approved", "sign_in.redeemed", "account.created", ... */
    const char *entity; /* "person", "account", ...; or NULL */
    int64_t target, change;
    json_t *detail; /* or NULL; never a secret */
};

MUST_USE enum result event_add(struct db *db, const struct actor *actor,
                               const struct event *event);

/* Newest first, those before `before` (0: from the newest), at most `limit`:
 * [{id, at, account_id, actor, action, entity, target_id, change_id, request_id,
 * detail, peer}]; `peer`, the client's address, is for admins alone. */
MUST_USE enum result event_list(json_t **events, struct db *db, int64_t before,
                                int limit);
/* Those about one thing, newest first. */
MUST_USE enum result event_of(json_t **events, struct db *db, const char *entity,
                              int64_t target, int limit);

#endif
