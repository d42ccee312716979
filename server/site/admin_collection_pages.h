/* Handlers of a collection's pages, for the table in admin_collections.c. */
#ifndef LABD_SITE_ADMIN_COLLECTION_PAGES_H
#define LABD_SITE_ADMIN_COLLECTION_PAGES_H

#include "server/http/router.h"

/* admin_collection_people.c */
handler collection_people_page, collection_people_choose;

/* admin_waves.c */
handler collection_waves_page, collection_wave_page, collection_wave_open;

/* admin_collection_mails.c */
handler collection_mails_page, collection_mail_page;

#endif
