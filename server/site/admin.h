/* The admin's pages: /admin and what is below, one table a file. */
#ifndef LABD_SITE_ADMIN_H
#define LABD_SITE_ADMIN_H

#include "server/http/router.h"

extern const struct route admin_routes[];        /* admin.c */
extern const struct route admin_people_routes[]; /* admin_people.c */
extern const struct route admin_change_routes[]; /* admin_changes.c */
extern const struct route admin_import_routes[]; /* admin_import.c */
extern const struct route admin_token_routes[];  /* admin_tokens.c */

#endif
