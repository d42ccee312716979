/* The page that explains why there is no other. */
#ifndef LABD_SITE_ERROR_H
#define LABD_SITE_ERROR_H

#include "server/http/request.h"
#include "server/http/response.h"

/* The status for a result that a handler gave back; for OK the response's own. */
int error_status(enum result result, int status);

/* Fills the response with templates/error/show.html, in the request's language. */
MUST_USE enum result error_page(struct request *request, struct response *response,
                                enum result result);

#endif
