/* Works, for members and admins (visitors' pages read public.h). They are written through
 * change.h alone.
 *
 * The document, in this order: slug, kind, title, authors[{name, family, given, person
 * (a slug), equal, corresponding}], venue, year, month, day, volume, issue, pages,
 * publisher, abstract, note, url, identifiers[{scheme, value}], links[{kind, url}],
 * bibtex, bibtex_key, bibtex_type. year, month, day are integers; title and abstract are
 * plain text.
 *
 * An author without `person` is linked to the person who alone has exactly that name,
 * folded; namesakes are never linked by name. */
#ifndef LABD_DB_STORE_PUBLICATION_H
#define LABD_DB_STORE_PUBLICATION_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdint.h>

struct db;

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

/* The works that a document may stand for already: one of its identifiers, else the same
 * folded title, year and first author's family name. [{id, slug, version, by:
 * "identifier" | "title", last_source, imported}]: last_source is the source of the last
 * change applied, imported the document of the last change by import, or null. */
MUST_USE enum result publication_match(json_t **works, struct db *db, json_t *document);

#endif
