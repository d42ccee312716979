/* What is held of a person: a copy of it, leaving, deletion. */
#ifndef LABD_SITE_MY_DATA_H
#define LABD_SITE_MY_DATA_H

#include "server/http/router.h"

/* my_data.c */
handler my_data_show, my_data_leave, my_data_delete, my_data_keep, my_lasting_show,
    my_lasting_confirm, my_lasting_drop;

/* my_data_export.c */
handler my_data_export;

/* admin_deletions.c */
handler admin_deletion_show, admin_deletion_erase;

#endif
