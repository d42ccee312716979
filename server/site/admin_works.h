/* The admin's pages about who a work is by, and which works are one. */
#ifndef LABD_SITE_ADMIN_WORKS_H
#define LABD_SITE_ADMIN_WORKS_H

#include "server/http/router.h"

/* admin_authors.c */
handler admin_author_index, admin_author_say;

#endif
