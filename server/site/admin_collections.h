/* The organiser's pages: /admin/collections and what is below, but for the board, the
 * form builder, the pilot's page and the export. */
#ifndef LABD_SITE_ADMIN_COLLECTIONS_H
#define LABD_SITE_ADMIN_COLLECTIONS_H

#include "server/http/router.h"

/* admin_collections.c */
handler collection_index, collection_new, collection_new_submit, collection_settings,
    collection_settings_save, collection_state_set, collection_duplicate_submit,
    collection_draft_delete;

/* admin_collection_people.c */
handler collection_people_page, collection_people_choose;

/* admin_waves.c */
handler collection_waves_page, collection_wave_page, collection_wave_open;

/* admin_collection_mails.c */
handler collection_mails_page, collection_mail_page;

#endif
