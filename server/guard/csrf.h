/* Forged requests. Every form carries a token in its field `csrf`, derived from the
 * session's token by keyed BLAKE2b, so nothing is stored; and the browser's word on where
 * a request comes from must name this site. Both are asked of every unsafe request that a
 * cookie authenticates. A form for somebody without a session (signing in, redeeming a
 * link) uses a cookie made for it, `labd_form`, in the session's place. */
#ifndef LABD_GUARD_CSRF_H
#define LABD_GUARD_CSRF_H

#include "server/http/request.h"
#include "server/http/response.h"

/* The token of this browser's forms; "" when there is neither session nor form cookie. */
const char *csrf_token(const struct request *request);
/* The same, but makes the form cookie when there is neither. */
const char *csrf_token_new(const struct request *request, struct response *response);
/* The token of the forms of a session with this token. */
const char *csrf_of(struct arena *arena, const char *secret);
/* Does the browser say that the request comes from a page of this site? */
bool csrf_own_page(const struct request *request);
/* DENIED, with the reason logged, unless token and origin are right. */
MUST_USE enum result csrf_check(const struct request *request);
/* scheme://host[:port] of this site: config.base_url, or by the Host field when empty. */
const char *site_origin(const struct request *request);

#endif
