/* A member's own pages: /my and what is below. */
#ifndef LABD_SITE_MY_H
#define LABD_SITE_MY_H

#include "server/http/router.h"

/* my.c */
handler my_overview, my_profile, my_change_show, my_change_edit, my_change_withdraw,
    my_password_edit, my_password_update, my_language_update;

#endif
