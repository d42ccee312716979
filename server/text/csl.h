/* CSL-JSON (the schema csl-data.json 1.0.2) as documents (work.h), and the works that
 * Crossref and DataCite answer with: nearly the same, with lists for titles and types of
 * their own. csl_reader reads files: a list of items, one item, {"items": [...]}, or an
 * answer of Crossref's interface ({"message": ...}).
 *
 * A broken item costs itself alone: the next begins where one can be seen to begin. */
#ifndef LABD_TEXT_CSL_H
#define LABD_TEXT_CSL_H

#include "server/base/arena.h"
#include "server/text/bibliography_reader.h"

#include <jansson.h>

/* `arena` is the current one; any JSON may come: what does not fit is passed over. NULL:
 * it is no object. */
json_t *csl_document(struct arena *arena, json_t *item);

#endif
