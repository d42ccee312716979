/* Works, for members and admins (visitors' pages read public.h). They are written through
 * change.h alone.
 *
 * The document has the keys of templates/forms/publication.json: year, month, day and
 * weight are integers, selected a boolean, all else text or lists of rows; title and
 * abstract are plain text.
 *
 * An author without `person` is linked to the person who alone has exactly that name,
 * folded; namesakes are never linked by name. */
#ifndef LABD_DB_STORE_PUBLICATION_H
#define LABD_DB_STORE_PUBLICATION_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdint.h>

struct arena;
struct db;

/* What visitors may see of a document's `bibtex`, or NULL; judged whenever a work is
 * written. Set once at start (bibtex_original_shown(), of a layer that this one does not
 * know); while it is NULL no entry is shown. */
extern const char *(*publication_shown)(struct arena *arena, json_t *document);

struct publication_filter {
    const char *text; /* words that must all occur; NULL: any */
    int64_t person;   /* 0: anybody's */
    int64_t offset;
    int limit;
};

/* Newest first: {total, rows: [{id, slug, version, kind, title, authors: "A, B", venue,
 * year, updated_at}]}. */
MUST_USE enum result publication_list(json_t **found, struct db *db,
                                      const struct publication_filter *filter);

/* The works that each of some documents may stand for already, in one go: *matches has
 * for each an array, best first, of at most PUBLICATION_MATCHES
 *
 *   {id, slug, version, title, year, kind, by: "identifier" | "title", score, same,
 * likely, reason, last_source, imported}
 *
 * whose score, same, likely and reason are of same_work_compare(); those of a low score
 * are left out, but not one that shares an identifier. last_source is the source of the
 * last change applied to the work, imported the document of its last change by import, or
 * null. Merged works are nobody's. */
enum { PUBLICATION_MATCHES = 8 };
MUST_USE enum result publication_match_many(json_t **matches, struct db *db,
                                            json_t *documents);
/* Of one document. */
MUST_USE enum result publication_match(json_t **works, struct db *db, json_t *document);

#endif
