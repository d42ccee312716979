/* The admin's pages about who a work is by, and which works are one. */
#ifndef LABD_SITE_ADMIN_WORKS_H
#define LABD_SITE_ADMIN_WORKS_H

#include "server/http/router.h"

/* admin_authors.c */
handler admin_author_index, admin_author_say;

/* admin_duplicates.c */
handler admin_duplicate_index, admin_duplicate_say;

/* admin_merge.c */
handler admin_merge_show, admin_merge_submit, admin_merges_index, admin_merges_undo;

#endif
