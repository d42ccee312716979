/* What was asked of Crossref and others, whose turn it is to ask a host, and links that
 * lead nowhere. */
#ifndef LABD_DB_STORE_LOOKUP_H
#define LABD_DB_STORE_LOOKUP_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>

struct db;

/* {body (null: the source knows none), etag, fresh: asked within a week}. */
MUST_USE enum result lookup_read(json_t **kept, struct db *db, const char *scheme,
                                 const char *value);
/* body NULL: the source knows none. */
MUST_USE enum result lookup_write(struct db *db, const char *scheme, const char *value,
                                  const char *body, const char *etag);
MUST_USE enum result lookup_unchanged(struct db *db, const char *scheme,
                                      const char *value);

/* Takes the next turn at a host, `gap_ms` after the one before; *wait_ms until it comes.
 * BUSY: that would be more than `most_ms`; no turn was taken. */
MUST_USE enum result lookup_take_turn(int *wait_ms, struct db *db, const char *host,
                                      int gap_ms, int most_ms);
/* Nobody asks the host for so long. */
MUST_USE enum result lookup_take_pause(struct db *db, const char *host, int seconds);

/* The lab's mail address, for the User-Agent; NULL when it has none. */
MUST_USE enum result lookup_lab_contact(const char **contact, struct db *db);

/* [{url}] that are due. */
MUST_USE enum result links_due(json_t **urls, struct db *db, int most);
/* status 0: no answer, error says why. */
MUST_USE enum result link_note(struct db *db, const char *url, int status,
                               const char *error, bool failed);
/* [{url, status, error, slug, title}] of links that failed twice in a row. */
MUST_USE enum result links_dead(json_t **links, struct db *db);

#endif
