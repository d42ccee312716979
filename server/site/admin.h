/* The admin's pages: /admin and what is below. */
#ifndef LABD_SITE_ADMIN_H
#define LABD_SITE_ADMIN_H

#include "server/http/router.h"

/* admin.c */
handler admin_overview, admin_lab, admin_event_index;

/* admin_bulk.c */
handler admin_publication_index, admin_bulk_edit, admin_bulk_undo;

/* admin_changes.c */
handler admin_change_index, admin_change_claim, admin_change_release,
    admin_change_approve_many;

/* admin_change.c */
handler admin_change_show, admin_change_approve, admin_change_return, admin_change_edit,
    admin_change_save;

/* admin_people.c */
handler admin_person_index, admin_person_new, admin_person_create, admin_person_show,
    admin_account_create, admin_link_create, admin_link_withdraw, admin_account_disable,
    admin_account_promote;

/* admin_health.c */
handler admin_health_show;

/* admin_venues.c */
handler admin_venue_index, admin_venue_new, admin_venue_edit, admin_venue_add,
    admin_venue_merge, admin_venue_delete, admin_venue_import;

/* admin_topics.c */
handler admin_topic_index, admin_topic_new, admin_topic_edit, admin_topic_merge,
    admin_topic_delete;

/* admin_tokens.c */
handler admin_token_index, admin_token_create, admin_token_revoke;

/* admin_outbox.c, admin_mail_texts.c */
handler admin_outbox_index, admin_outbox_act, admin_outbox_show, admin_outbox_edit,
    admin_outbox_retry, admin_outbox_resend, admin_outbox_test, admin_mail_text_index,
    admin_mail_text_edit;

/* admin_import.c */
handler admin_import_show, admin_import_try_out, admin_import_apply;

#endif
