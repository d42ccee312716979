/* Who may ask what: the one call between router and handler. It finds out who asks
 * (request->account: by bearer token on TOKEN routes, by cookie elsewhere) and compares
 * with route->audience; unsafe requests that a cookie authenticates, and those of ANYONE,
 * must also pass csrf_check().
 *
 *   OK         go on with the handler, unless *answered: the response is complete (303
 *              to the sign-in page)
 *   DENIED     response->status says which: 401 (nobody is signed in, or no good bearer
 *              token) or 403
 *   NOT_FOUND  a member asked for a page of the admins
 *   BUSY, FAILED
 */
#ifndef LABD_GUARD_AUDIENCE_H
#define LABD_GUARD_AUDIENCE_H

#include "server/http/router.h"

MUST_USE enum result guard_admit(struct request *request, struct response *response,
                                 bool *answered);

#endif
