/* Identifiers of works, found in whatever people put into such a field and brought to one
 * form, so that equal ones compare equal. Each function gives an empty slice when there
 * is none; results live on the arena, a NUL behind them. */
#ifndef LABD_BASE_IDENTIFIER_H
#define LABD_BASE_IDENTIFIER_H

#include "server/base/arena.h"
#include "server/base/slice.h"

/* Bare and in small letters, "10.1234/abc": from a DOI, "doi:...", an address at doi.org
 * (DOI Handbook 2.2). */
struct slice identifier_doi(struct arena *arena, struct slice text);

/* "2301.00001" or "hep-th/9901001", without version: from an identifier, "arXiv:...", an
 * address at arxiv.org, arXiv's DOI (info.arxiv.org/help/arxiv_identifier.html). */
struct slice identifier_arxiv(struct arena *arena, struct slice text);

/* The first ISBN in the text, without hyphens, its check digit right (ISO 2108). */
struct slice identifier_isbn(struct arena *arena, struct slice text);

/* A PubMed number, 1 to 8 digits: bare, "PMID: ...", an address at PubMed. */
struct slice identifier_pmid(struct arena *arena, struct slice text);

/* "0000-0002-1825-0097", its check digit right (ISO 7064 MOD 11-2): bare, "ORCID: ...",
 * an address at orcid.org. */
struct slice identifier_orcid(struct arena *arena, struct slice text);

/* By the name of the scheme: doi, arxiv, isbn, pmid; false for any other. */
bool identifier_of(struct slice *found, struct arena *arena, const char *scheme,
                   struct slice text);

#endif
