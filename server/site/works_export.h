/* Files of works for visitors: /publications.bib and its like, with every filter of the
 * list (work_filter.h), and /publications/:slug/bibtex and its like. */
#ifndef LABD_SITE_WORKS_EXPORT_H
#define LABD_SITE_WORKS_EXPORT_H

#include "db/store/public.h"
#include "server/http/request.h"
#include "server/http/response.h"

/* The format is what stands behind the first dot of the route's pattern: bib, biblatex,
 * ris, csl.json, csv, xlsx. At most 5,000 works: a BibTeX file says in a comment that
 * there are more; in place of another, which could not, comes a page (422) that says it.
 */
MUST_USE enum result works_export(struct request *request, struct response *response);

/* RFC 4287, the newest 50. */
MUST_USE enum result works_atom(struct request *request, struct response *response);

/* One work; the format is the pattern's last segment: bibtex, biblatex, ris, csl.json. */
MUST_USE enum result works_export_one(struct request *request, struct response *response);

/* The entry that the work came from, where visitors may see it (`bibtex_shown`) and no
 * other work has its key, else one that is written. */
void works_bibtex(struct buf *out, json_t *work);

/* "ferry-lab-publications-2024": a name for a file of these works; it may hold any
 * letters.
 */
MUST_USE enum result works_file_name(const char **name, const struct request *request,
                                     const struct public_works_filter *filter);

/* {bib, biblatex, ris, csl, csv, xlsx, atom}: the addresses of the files of the works
 * that a query ("?kind=article", or "") lists. */
json_t *works_files(const char *query);

#endif
