/* Who is signed in. The cookie `labd` (`__Host-labd` under https) carries a token; its
 * hash x
 *
 * request->account is then {id, email, admin, language, person_id, person_slug,
 * name_latin, name_han, ...}; NULL when nobody is signed in: a cookie that names no live
 * session of an enabled account means nothing. */
#ifndef LABD_GUARD_SESSION_H
#define LABD_GUARD_SESSION_H

#include "server/http/request.h"
#include "server/http/response.h"

/* Fills request->account from the cookie. */
MUST_USE enum result guard_session_find(struct request *request);
/* Signs in: the browser's old session, if any, is deleted, a new token is made and set.
 */
MUST_USE enum result guard_sign_in(struct request *request, struct response *response,
                                   json_int_t account_id);
/* Signs out. */
MUST_USE enum result guard_sign_out(struct request *request, struct response *response);
/* The session token that the browser sent, or NULL; it may be of no session. */
const char *session_cookie(const struct request *request);

#endif
