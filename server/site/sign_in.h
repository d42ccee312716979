/* Signing in and out: /sign-in, /sign-in/link/:token, /sign-out. */
#ifndef LABD_SITE_SIGN_IN_H
#define LABD_SITE_SIGN_IN_H

#include "server/http/router.h"

extern const struct route sign_in_routes[];

#endif
