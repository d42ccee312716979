/* People's pages as members, their advisors and admins see them. */
#ifndef LABD_SITE_SEEN_H
#define LABD_SITE_SEEN_H

#include "server/http/request.h"
#include "server/http/response.h"

/* /members/:slug: a colleague, as whoever is signed in may see them. */
MUST_USE enum result seen_member(struct request *request, struct response *response);
/* /my/page?as=...: one's own page as others see it. */
MUST_USE enum result seen_own(struct request *request, struct response *response);

#endif
