/* What an ORCID record says of a person's works (ORCID API 3.0, /works). */
#ifndef LABD_LOOKUP_ORCID_H
#define LABD_LOOKUP_ORCID_H

#include "server/base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/* "0000-0002-1825-0097", its check digit right? */
bool orcid_fits(const char *value);

/* {documents, identifiers: [{scheme, value}]}: a work with an identifier that can be
 * looked up is named by it alone; of others the record's own words make a document. */
json_t *orcid_works(struct arena *arena, json_t *record);

#endif
