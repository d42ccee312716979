/* Works looked up by their identifier. Every source speaks CSL-JSON or plain JSON over a
 * host that the options name: Crossref and DataCite know DOIs (arXiv's too), NCBI knows
 * PubMed numbers, ORCID knows which works a person names. Answers are kept for a week and
 * then asked for again with their entity tag; each host is asked a few times a second at
 * most, by all instances together. */
#ifndef LABD_LOOKUP_LOOKUP_H
#define LABD_LOOKUP_LOOKUP_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>

struct db;

struct lookup {
    const char *scheme;           /* "doi", "arxiv", "pmid" or "orcid" */
    const char *value;            /* as identifier_of() gives it */
    int most_ms;                  /* to wait for a turn at the host */
    bool (*stopping)(void *data); /* NULL: never */
    void *data;
};

/* *found: {documents: [as csl_document()], identifiers: [{scheme, value}] that an ORCID
 * record names, to be looked up themselves}.
 * NOT_FOUND: no source knows it. BUSY: ask again in *seconds. FAILED: the other side did;
 * *error is "host", "refused", "timeout", "tls", "private", "too_large", "broken",
 * "status" or "off" (no such source is set). INVALID: the identifier is none. */
MUST_USE enum result lookup_find(json_t **found, const char **error, int *seconds,
                                 struct db *db, const struct lookup *lookup);

/* One English sentence on what is wrong with the options, or NULL. */
const char *lookup_options_fault(void);

#endif
