/* Two works that are one. The survivor gets the merged document through the change
 * engine; the loser stays as a row that leads to it (publication.merged_into), keeps its
 * history and gives its identifiers away. What people said of either is the survivor's.
 */
#ifndef LABD_DB_STORE_MERGE_H
#define LABD_DB_STORE_MERGE_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* Of the keys that two documents differ in, whose value a merged one has when nobody says
 * otherwise: {"key": "into" | "from" | "both"}. What was published stands before a
 * preprint, the longer list of authors and abstract before the shorter, dates go
 * together; identifiers, links, topics and files are joined. The slug is always the
 * survivor's. */
json_t *merge_choices(json_t *into, json_t *from);

/* Can a key have "both"? */
bool merge_joins(const char *key);

/* The merged document; keys that `choices` leaves out are as merge_choices() says.
 * Authors keep whom they are linked to in either. */
json_t *merge_document(json_t *into, json_t *from, json_t *choices);

struct merge {
    const char *into, *from;            /* slugs */
    int64_t into_version, from_version; /* that were seen */
    json_t *choices;
};

/* *outcome: {id (of the merge), slug}. CONFLICT: either is newer than was seen, or merged
 * by now; INVALID: {"errors": [...]} as of change_save(), or both are the same work;
 * NOT_FOUND: no such work. */
MUST_USE enum result merge_works(json_t **outcome, struct db *db,
                                 const struct actor *actor, const struct merge *merge);

/* Both are as they were, when the survivor has not changed since: {whole: true}; else
 * only the loser is back, and `left` has those of its identifiers that stay with the
 * survivor: {whole: false, left[{scheme, value}]}. CONFLICT: undone already, or the
 * survivor was merged on (that is undone first). */
MUST_USE enum result merge_undo(json_t **outcome, struct db *db,
                                const struct actor *actor, int64_t id);

/* Newest first: [{id, at, actor, undone_at, undone_by, left_over (fields are to be put
 * right by hand), left_identifiers, into_title, from_title, from_year, into_slug,
 * from_slug, into_id, from_id, whole (it can be undone whole), merged_on}]. */
MUST_USE enum result merge_list(json_t **merges, struct db *db, int limit,
                                int64_t offset);

/* Pairs that may be one work, from the newest work before `before` (0: the newest):
 * {pairs:
 * [{newer, older: {id, slug, title, year, kind, venue}, score, same, reason}], next:
 * where to go on, or null}. Best first. At most MERGE_LOOKED works are looked at. */
enum { MERGE_LOOKED = 4000, MERGE_PAIRS = 400 };
MUST_USE enum result merge_duplicates(json_t **found, struct db *db, int64_t before);

/* Two works are not one, and are not proposed again; or may be after all. */
MUST_USE enum result merge_dismiss(struct db *db, const struct actor *actor, int64_t one,
                                   int64_t other, bool dismissed);
/* [{one, other, at, one_title, other_title}], the last 30. */
MUST_USE enum result merge_dismissed(json_t **pairs, struct db *db);

/* Where the address of a work that was merged or renamed leads; NOT_FOUND: nowhere. */
MUST_USE enum result merge_leads_to(const char **slug, struct db *db, const char *former);

#endif
