/* /publications/:slug: a work, how it is cited, and what machines read of it. */
#ifndef LABD_SITE_PUBLICATION_PAGE_H
#define LABD_SITE_PUBLICATION_PAGE_H

#include "server/http/request.h"
#include "server/http/response.h"

MUST_USE enum result publications_show(struct request *request,
                                       struct response *response);

/* For any page of one work, asked for by `slug`: when nothing is there, but the work that
 * was has moved or was merged, answers 301 to the same page of where it is now; `behind`
 * is what follows the slug ("/bibtex", "" for the page itself). NOT_FOUND: there never
 * was one. */
MUST_USE enum result publication_moved(struct request *request, struct response *response,
                                       const char *behind);

#endif
