/* /publications, /publications/:slug, /publications.bib, /publications/:slug/bibtex, and
 * what other pages show of works. */
#ifndef LABD_SITE_PUBLICATIONS_H
#define LABD_SITE_PUBLICATIONS_H

#include "server/http/request.h"
#include "server/http/response.h"

/* Query arguments: work_filter.h. */
MUST_USE enum result publications_index(struct request *request,
                                        struct response *response);
MUST_USE enum result publications_show(struct request *request,
                                       struct response *response);
/* The same arguments but after. */
MUST_USE enum result publications_bibtex(struct request *request,
                                         struct response *response);
MUST_USE enum result publications_show_bibtex(struct request *request,
                                              struct response *response);

/* Makes the rows of public_works() fit for partials/work.html. */
void works_prepare(json_t *works);
/* The same, grouped: [{year (or null), works[]}]. `person` (a slug or NULL) is marked
 * among the authors. */
json_t *works_by_year(json_t *works, const char *person);

#endif
