/* /publications, and what other pages show of works; one work is publication_page.h,
 * files of works are works_export.h. */
#ifndef LABD_SITE_PUBLICATIONS_H
#define LABD_SITE_PUBLICATIONS_H

#include "db/store/public.h"
#include "server/http/request.h"
#include "server/http/response.h"

/* Query arguments: work_filter.h. */
MUST_USE enum result publications_index(struct request *request,
                                        struct response *response);
/* A page of works below `base` as the address filters it: *works of public_works(), and a
 * *document of what partials/work_filters.html and a pager need: base, text, choices,
 * active, filtered, found {count, more} (on a first page), has_works, here, earlier,
 * later, paged, bib. */
MUST_USE enum result works_list(json_t **document, json_t **works,
                                struct public_works_filter *filter,
                                struct request *request, const char *base);
/* Makes the rows of public_works() fit for partials/work.html. */
void works_prepare(json_t *works);
/* The same, grouped: [{year (or null), works[]}]. `person` (a slug or NULL) is marked
 * among the authors. */
json_t *works_by_year(json_t *works, const char *person);

#endif
