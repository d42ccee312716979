/* Signing in and out: /sign-in, /sign-in/link/:token, /sign-out. */
#ifndef LABD_SITE_SIGN_IN_H
#define LABD_SITE_SIGN_IN_H

#include "server/http/router.h"

handler sign_in_show, sign_in_submit, sign_in_link_show, sign_in_link_redeem, sign_out;

#endif
