/* A file of JSON items, taken apart so that each is parsed by itself. For csl.c. */
#ifndef LABD_TEXT_CSL_SPLIT_H
#define LABD_TEXT_CSL_SPLIT_H

#include "server/text/bibliography_reader.h"

#include <jansson.h>

struct csl_split;

struct csl_split *csl_split(struct arena *arena, struct slice text);

/* The next item on the current arena, with the entry's line and source; NULL when the
 * entry is refused. NOT_FOUND at the end. */
MUST_USE enum result csl_split_next(json_t **item, struct bibliography_entry *entry,
                                    struct csl_split *split);

#endif
