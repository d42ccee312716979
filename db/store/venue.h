/* The list of venues: where works appear, by what names, and how they rank. */
#ifndef LABD_DB_STORE_VENUE_H
#define LABD_DB_STORE_VENUE_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>

struct db;

/* The most used first: [{slug, name, short_name, kind: "journal" | "conference" | "book"
 * | "other", rank, count}], 500 at most; with all words of `text` in one of their names
 * (NULL: all). */
MUST_USE enum result venue_list(json_t **venues, struct db *db, const char *text);
/* What works say and no venue has: [{name, count, kind}], 100 at most. */
MUST_USE enum result venue_unknown(json_t **texts, struct db *db);
/* {id, slug, name, short_name, kind, rank, version, aliases["..."], count}. */
MUST_USE enum result venue_find(json_t **venue, struct db *db, const char *slug);

/* `document`: {name, short_name, kind, rank, aliases["..."]}. `current`: venue_find(), or
 * NULL for a new one. *outcome: {id, slug}. INVALID: *outcome is {"errors": [{field,
 * code}]}: "venue_taken" (a name is another venue's; `venue` and `slug` say whose) or
 * "venue_empty" (nothing is left of a name). CONFLICT: changed meanwhile. */
MUST_USE enum result venue_save(json_t **outcome, struct db *db,
                                const struct actor *actor, const json_t *current,
                                json_t *document);

/* `from` goes, its names are `into`'s. */
MUST_USE enum result venue_merge(struct db *db, const struct actor *actor,
                                 const json_t *into, const json_t *from);
MUST_USE enum result venue_delete(struct db *db, const struct actor *actor,
                                  const json_t *venue);

/* A list with rows as `document` of venue_save(), in one transaction. A row one of whose
 * names is known is that venue: what the row says replaces what it had, its names are
 * added. *report: {added, updated, refused: [index]}: a row without a name, or with
 * names of two venues. */
MUST_USE enum result venue_import(json_t **report, struct db *db,
                                  const struct actor *actor, json_t *rows);

#endif
