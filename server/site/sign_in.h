/* Signing in and out: /sign-in, /sign-in/link/:token, /sign-in/mail, /sign-in/code,
 * /sign-out. */
#ifndef LABD_SITE_SIGN_IN_H
#define LABD_SITE_SIGN_IN_H

#include "server/http/router.h"

#include "server/form/submission.h"
#include "server/http/request.h"
#include "server/http/response.h"

handler sign_in_show, sign_in_submit, sign_in_link_show, sign_in_link_redeem, sign_out;
handler sign_in_mail_send, sign_in_link_again, sign_in_code_show, sign_in_code_submit;

/* What the two files of it share. */

/* Where the form, or the page before it, wants to go; "/my". */
const char *sign_in_next(const struct request *request);
/* The page /sign-in; of its two forms `sent` is the one that is wrong, if any. */
MUST_USE enum result sign_in_draw(struct request *request, struct response *response,
                                  const char *form, const struct submission *sent);
/* Somebody with a good link, or its code, is signed in and sent on. `hash` is the
 * link's. */
MUST_USE enum result sign_in_by_link(struct request *request, struct response *response,
                                     const char *hash);

#endif
