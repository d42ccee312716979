/* Which of the two languages an answer is in. */
#ifndef LABD_SITE_LANGUAGE_H
#define LABD_SITE_LANGUAGE_H

#include "server/http/request.h"
#include "server/http/response.h"

/* Sets request->language from, in falling order: the path's prefix, ?lang= (kept in the
 * cookie labd_language from then on), that cookie, Accept-Language (RFC 9110 12.5.4).
 * What the page cache keeps under a target without a prefix has ?lang= or English. */
void language_choose(struct request *request, struct response *response);

/* A localized page asked for without a prefix: answers with a redirect to the language
 * chosen. */
MUST_USE enum result language_redirect(struct request *request, struct response *response,
                                       bool *answered);

#endif
