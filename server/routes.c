/* Every URL of the program, one table per family. A route that names no audience is open
 * to nobody. */
#include "server/routes.h"

#include "server/api/api.h"
#include "server/site/admin.h"
#include "server/site/admin_board.h"
#include "server/site/admin_collections.h"
#include "server/site/admin_form.h"
#include "server/site/admin_works.h"
#include "server/site/answers.h"
#include "server/site/documents.h"
#include "server/site/editing.h"
#include "server/site/export.h"
#include "server/site/held.h"
#include "server/site/history.h"
#include "server/site/home.h"
#include "server/site/imports.h"
#include "server/site/mail_stop.h"
#include "server/site/my.h"
#include "server/site/my_data.h"
#include "server/site/my_works.h"
#include "server/site/people.h"
#include "server/site/photos.h"
#include "server/site/publication_page.h"
#include "server/site/publications.h"
#include "server/site/ready.h"
#include "server/site/seen.h"
#include "server/site/sign_in.h"
#include "server/site/work_filter.h"
#include "server/site/works_export.h"

enum { MIB = 1024 * 1024, UPLOAD = 16 * MIB, DOCUMENTS = 40 * MIB };

/* clang-format off */
static const struct route service_routes[] = {
    {GET,   "/healthz",                    ANYONE, healthz},
    {GET,   "/readyz",                     ANYONE, readyz},
    {0},
};

static const struct route public_routes[] = {
    {GET,   "/",                           PUBLIC, home_index, .localized = true, .cache = true},
    {GET,   "/people",                     PUBLIC, people_index, .localized = true, .cache = true},
    {GET,   "/people/:slug",               PUBLIC, people_show, .localized = true, .cache = true},
    {GET,   "/publications",               PUBLIC, publications_index, .localized = true,
                                           .cache = true, .arguments = WORK_FILTER_ARGUMENTS " after"},
    {GET,   "/publications/:slug",         PUBLIC, publications_show, .localized = true, .cache = true},
    {GET,   "/publications/:slug/bibtex",  PUBLIC, works_export_one, .cache = true},
    {GET,   "/publications/:slug/biblatex", PUBLIC, works_export_one, .cache = true},
    {GET,   "/publications/:slug/ris",     PUBLIC, works_export_one, .cache = true},
    {GET,   "/publications/:slug/csl.json", PUBLIC, works_export_one, .cache = true},
    {GET,   "/publications.bib",           PUBLIC, works_export, .cache = true,
                                           .arguments = WORK_FILTER_ARGUMENTS " ids"},
    {GET,   "/publications.biblatex",      PUBLIC, works_export, .cache = true,
                                           .arguments = WORK_FILTER_ARGUMENTS " ids"},
    {GET,   "/publications.ris",           PUBLIC, works_export, .cache = true,
                                           .arguments = WORK_FILTER_ARGUMENTS " ids"},
    {GET,   "/publications.csl.json",      PUBLIC, works_export, .cache = true,
                                           .arguments = WORK_FILTER_ARGUMENTS " ids"},
    {GET,   "/publications.csv",           PUBLIC, works_export},
    {GET,   "/publications.xlsx",          PUBLIC, works_export},
    {GET,   "/publications.atom",          PUBLIC, works_atom, .cache = true,
                                           .arguments = WORK_FILTER_ARGUMENTS " ids"},
    {0},
};

static const struct route photo_routes[] = {
    {GET,   "/photos/:token/:name",        ANYONE, photos_show},
    {GET,   "/files/:token/:name",         ANYONE, documents_show},
    {0},
};

static const struct route sign_in_routes[] = {
    {GET,   "/sign-in",                              ANYONE, sign_in_show},
    {POST,  "/sign-in",                              ANYONE, sign_in_submit},
    {GET,   "/sign-in/link/:token",                  ANYONE, sign_in_link_show},
    {POST,  "/sign-in/link/:token",                  ANYONE, sign_in_link_redeem},
    {POST,  "/sign-in/link/:token/again",            ANYONE, sign_in_link_again},
    {POST,  "/sign-in/mail",                         ANYONE, sign_in_mail_send},
    {GET,   "/sign-in/code",                         ANYONE, sign_in_code_show},
    {POST,  "/sign-in/code",                         ANYONE, sign_in_code_submit},
    {GET,   "/mail/stop/:token",                     ANYONE, mail_stop_show},
    {POST,  "/mail/stop/:token",                     ANYONE, mail_stop_submit, .keyed = true},
    {POST,  "/sign-out",                             MEMBER, sign_out},
    {0},
};

static const struct route member_routes[] = {
    {GET,   "/my",                                   MEMBER, my_overview},
    {GET,   "/my/profile",                           MEMBER, my_profile},
    {GET,   "/my/page",                              MEMBER, seen_own},
    {GET,   "/members/:slug",                        MEMBER, seen_member},
    {POST,  "/my/profile",                           MEMBER, my_profile, .body_bytes = UPLOAD},
    {GET,   "/my/changes/:id",                       MEMBER, my_change_show},
    {GET,   "/my/changes/:id/edit",                  MEMBER, my_change_edit},
    {POST,  "/my/changes/:id/edit",                  MEMBER, my_change_edit, .body_bytes = DOCUMENTS},
    {POST,  "/my/changes/:id/withdraw",              MEMBER, my_change_withdraw},
    {GET,   "/my/password",                          MEMBER, my_password_edit},
    {POST,  "/my/password",                          MEMBER, my_password_update},
    {POST,  "/my/language",                          MEMBER, my_language_update},
    {GET,   "/my/publications",                      MEMBER, my_works_index},
    {POST,  "/my/publications",                      MEMBER, my_works_say},
    {GET,   "/my/entered",                           MEMBER, my_entered_index},
    {POST,  "/my/entered/:id",                       MEMBER, my_entered_say},
    {GET,   "/my/publications/new",                  MEMBER, entity_edit, .entity = "publication"},
    {POST,  "/my/publications/new",                  MEMBER, entity_edit, .entity = "publication",
                                                             .body_bytes = DOCUMENTS},
    {POST,  "/my/publications/new/look-up",          MEMBER, look_up_answer},
    {GET,   "/my/imports",                           MEMBER, imports_new},
    {POST,  "/my/imports",                           MEMBER, imports_read, .body_bytes = UPLOAD},
    {GET,   "/my/imports/:id",                       MEMBER, imports_show},
    {POST,  "/my/imports/:id",                       MEMBER, imports_choose},
    {POST,  "/my/imports/:id/discard",               MEMBER, imports_discard},
    {POST,  "/my/imports/:id/retry",                 MEMBER, imports_retry},
    {GET,   "/my/publications/:slug",                MEMBER, entity_edit, .entity = "publication"},
    {POST,  "/my/publications/:slug",                MEMBER, entity_edit, .entity = "publication",
                                                             .body_bytes = DOCUMENTS},
    {0},
};

static const struct route review_routes[] = {
    {GET,   "/admin/changes",                        ADMIN,  admin_change_index},
    {GET,   "/admin/changes/:id",                    ADMIN,  admin_change_show},
    {POST,  "/admin/changes/:id/approve",            ADMIN,  admin_change_approve},
    {POST,  "/admin/changes/:id/return",             ADMIN,  admin_change_return},
    {POST,  "/admin/changes/approve",                ADMIN,  admin_change_approve_many},
    {GET,   "/admin/changes/:id/edit",               ADMIN,  admin_change_edit},
    {POST,  "/admin/changes/:id/edit",               ADMIN,  admin_change_save, .body_bytes = DOCUMENTS},
    {POST,  "/admin/changes/:id/claim",              ADMIN,  admin_change_claim},
    {POST,  "/admin/changes/:id/release",            ADMIN,  admin_change_release},
    {GET,   "/admin/history/:entity/:id",            ADMIN,  admin_history_show},
    {POST,  "/admin/history/:entity/:id/restore",    ADMIN,  admin_history_restore},
    {0},
};

static const struct route data_routes[] = {
    {GET,   "/my/history",                           MEMBER, my_history_show},
    {GET,   "/my/data",                              MEMBER, my_data_show},
    {GET,   "/my/data/export",                       MEMBER, my_data_export},
    {POST,  "/my/data/leaving",                      MEMBER, my_data_leave},
    {POST,  "/my/data/lasting/drop",                 MEMBER, my_lasting_drop},
    {GET,   "/my/data/lasting/:token",               MEMBER, my_lasting_show},
    {POST,  "/my/data/lasting/:token",               MEMBER, my_lasting_confirm},
    {POST,  "/my/data/deletion",                     MEMBER, my_data_delete},
    {POST,  "/my/data/deletion/withdraw",            MEMBER, my_data_keep},
    {GET,   "/admin/deletions/:id",                  ADMIN,  admin_deletion_show},
    {POST,  "/admin/deletions/:id",                  ADMIN,  admin_deletion_erase},
    {0},
};

static const struct route held_routes[] = {
    {GET,   "/my/held/:id",                          MEMBER, my_held_show},
    {POST,  "/my/held/:id/discard",                  MEMBER, my_held_discard},
    {0},
};

static const struct route answer_routes[] = {
    {POST,  "/my/session",                           MEMBER, answers_session},
    {GET,   "/my/collections/:id",                   MEMBER, answers_show},
    {GET,   "/my/collections/:id/sections/:number",  MEMBER, answers_section_show},
    {POST,  "/my/collections/:id/sections/:number",  MEMBER, answers_section_save, .body_bytes = UPLOAD},
    {POST,  "/my/collections/:id/autosave",          MEMBER, answers_autosave},
    {GET,   "/my/collections/:id/check",             MEMBER, answers_check},
    {POST,  "/my/collections/:id/submit",            MEMBER, answers_submit},
    {POST,  "/my/collections/:id/confirm",           MEMBER, answers_confirm},
    {POST,  "/my/collections/:id/reopen",            MEMBER, answers_reopen},
    {GET,   "/my/collections/:id/receipt",           MEMBER, answers_receipt},
    {POST,  "/my/collections/:id/feedback",          MEMBER, answers_feedback},
    {0},
};

static const struct route admin_routes[] = {
    {GET,   "/admin",                                ADMIN,  admin_overview},
    {GET,   "/admin/publications",                   ADMIN,  admin_publication_index},
    {POST,  "/admin/publications/new/look-up",       ADMIN,  look_up_answer},
    {GET,   "/admin/authors",                        ADMIN,  admin_author_index},
    {POST,  "/admin/authors",                        ADMIN,  admin_author_say},
    {GET,   "/admin/duplicates",                     ADMIN,  admin_duplicate_index},
    {POST,  "/admin/duplicates",                     ADMIN,  admin_duplicate_say},
    {GET,   "/admin/merge",                          ADMIN,  admin_merge_show},
    {POST,  "/admin/merge",                          ADMIN,  admin_merge_submit},
    {GET,   "/admin/merges",                         ADMIN,  admin_merges_index},
    {POST,  "/admin/merges/:id/undo",                ADMIN,  admin_merges_undo},
    {POST,  "/admin/publications/bulk",              ADMIN,  admin_bulk_edit},
    {POST,  "/admin/publications/bulk/undo",         ADMIN,  admin_bulk_undo},
    {GET,   "/admin/health",                         ADMIN,  admin_health_show},
    {GET,   "/admin/publications/new",               ADMIN,  entity_edit, .entity = "publication"},
    {POST,  "/admin/publications/new",               ADMIN,  entity_edit, .entity = "publication",
                                                             .body_bytes = DOCUMENTS},
    {GET,   "/admin/publications/:slug",             ADMIN,  entity_edit, .entity = "publication"},
    {POST,  "/admin/publications/:slug",             ADMIN,  entity_edit, .entity = "publication",
                                                             .body_bytes = DOCUMENTS},
    {GET,   "/admin/lab",                            ADMIN,  admin_lab},
    {POST,  "/admin/lab",                            ADMIN,  admin_lab},
    {GET,   "/admin/events",                         ADMIN,  admin_event_index},
    {GET,   "/admin/people",                         ADMIN,  admin_person_index},
    {GET,   "/admin/people/new",                     ADMIN,  admin_person_new},
    {POST,  "/admin/people/new",                     ADMIN,  admin_person_create},
    {GET,   "/admin/people/:slug",                   ADMIN,  admin_person_show},
    {GET,   "/admin/people/:slug/edit",              ADMIN,  entity_edit, .entity = "person"},
    {POST,  "/admin/people/:slug/edit",              ADMIN,  entity_edit, .entity = "person",
                                                             .body_bytes = UPLOAD},
    {POST,  "/admin/people/:slug/account",           ADMIN,  admin_account_create},
    {POST,  "/admin/people/:slug/links",             ADMIN,  admin_link_create},
    {POST,  "/admin/people/:slug/links/:id/withdraw",ADMIN,  admin_link_withdraw},
    {POST,  "/admin/people/:slug/disabled",          ADMIN,  admin_account_disable},
    {POST,  "/admin/people/:slug/admin",             ADMIN,  admin_account_promote},
    {GET,   "/admin/import",                         ADMIN,  admin_import_show},
    {POST,  "/admin/import",                         ADMIN,  admin_import_try_out, .body_bytes = UPLOAD},
    {POST,  "/admin/import/apply",                   ADMIN,  admin_import_apply, .body_bytes = UPLOAD},
    {GET,   "/admin/tokens",                         ADMIN,  admin_token_index},
    {POST,  "/admin/tokens",                         ADMIN,  admin_token_create},
    {POST,  "/admin/tokens/:id/revoke",              ADMIN,  admin_token_revoke},
    {0},
};

static const struct route venue_routes[] = {
    {GET,   "/admin/venues",                         ADMIN,  admin_venue_index},
    {GET,   "/admin/venues/new",                     ADMIN,  admin_venue_new},
    {POST,  "/admin/venues/new",                     ADMIN,  admin_venue_new},
    {POST,  "/admin/venues/add",                     ADMIN,  admin_venue_add},
    {GET,   "/admin/venues/import",                  ADMIN,  admin_venue_import},
    {POST,  "/admin/venues/import",                  ADMIN,  admin_venue_import, .body_bytes = 2 * MIB},
    {GET,   "/admin/venues/:slug",                   ADMIN,  admin_venue_edit},
    {POST,  "/admin/venues/:slug",                   ADMIN,  admin_venue_edit},
    {POST,  "/admin/venues/:slug/merge",             ADMIN,  admin_venue_merge},
    {POST,  "/admin/venues/:slug/delete",            ADMIN,  admin_venue_delete},
    {GET,   "/admin/topics",                         ADMIN,  admin_topic_index},
    {GET,   "/admin/topics/new",                     ADMIN,  admin_topic_new},
    {POST,  "/admin/topics/new",                     ADMIN,  admin_topic_new},
    {GET,   "/admin/topics/:slug",                   ADMIN,  admin_topic_edit},
    {POST,  "/admin/topics/:slug",                   ADMIN,  admin_topic_edit},
    {POST,  "/admin/topics/:slug/merge",             ADMIN,  admin_topic_merge},
    {POST,  "/admin/topics/:slug/delete",            ADMIN,  admin_topic_delete},
    {0},
};

static const struct route collection_routes[] = {
    {GET,   "/admin/collections",                    ADMIN,  collection_index},
    {GET,   "/admin/collections/new",                ADMIN,  collection_new},
    {POST,  "/admin/collections/new",                ADMIN,  collection_new_submit},
    {GET,   "/admin/collections/:id/settings",       ADMIN,  collection_settings},
    {POST,  "/admin/collections/:id/settings",       ADMIN,  collection_settings_save},
    {POST,  "/admin/collections/:id/state",          ADMIN,  collection_state_set},
    {POST,  "/admin/collections/:id/duplicate",      ADMIN,  collection_duplicate_submit},
    {POST,  "/admin/collections/:id/delete",         ADMIN,  collection_draft_delete},
    {GET,   "/admin/collections/:id/people",         ADMIN,  collection_people_page},
    {POST,  "/admin/collections/:id/people",         ADMIN,  collection_people_choose},
    {GET,   "/admin/collections/:id/waves",          ADMIN,  collection_waves_page},
    {GET,   "/admin/collections/:id/waves/:kind",    ADMIN,  collection_wave_page},
    {POST,  "/admin/collections/:id/waves/:kind",    ADMIN,  collection_wave_open},
    {GET,   "/admin/collections/:id/mails",          ADMIN,  collection_mails_page},
    {GET,   "/admin/collections/:id/mails/:kind/:language", ADMIN, collection_mail_page},
    {POST,  "/admin/collections/:id/mails/:kind/:language", ADMIN, collection_mail_page},
    {0},
};

static const struct route builder_routes[] = {
    {GET,   "/admin/collections/:id/form",                  ADMIN, admin_form_show},
    {POST,  "/admin/collections/:id/form",                  ADMIN, admin_form_change},
    {POST,  "/admin/collections/:id/form/publish",          ADMIN, admin_form_publish},
    {GET,   "/admin/collections/:id/form/new-question",     ADMIN, admin_form_question_new},
    {POST,  "/admin/collections/:id/form/new-question",     ADMIN, admin_form_question_new},
    {POST,  "/admin/collections/:id/form/preview-question", ADMIN, admin_form_question_preview},
    {GET,   "/admin/collections/:id/form/questions/:path",  ADMIN, admin_form_question},
    {POST,  "/admin/collections/:id/form/questions/:path",  ADMIN, admin_form_question},
    {GET,   "/admin/collections/:id/form/new-section",      ADMIN, admin_form_section_new},
    {POST,  "/admin/collections/:id/form/new-section",      ADMIN, admin_form_section_new},
    {GET,   "/admin/collections/:id/form/sections/:number", ADMIN, admin_form_section},
    {POST,  "/admin/collections/:id/form/sections/:number", ADMIN, admin_form_section},
    {GET,   "/admin/collections/:id/form/preview",          ADMIN, admin_form_preview},
    {GET,   "/admin/collections/:id/form/versions",         ADMIN, admin_form_versions},
    {GET,   "/admin/collections/:id/form/versions/:number", ADMIN, admin_form_version},
    {GET,   "/admin/collections/:id/pilot",                 ADMIN, admin_pilot_show},
    {0},
};

static const struct route board_routes[] = {
    {GET,   "/admin/collections/:id",                ADMIN,  admin_board_show},
    {GET,   "/admin/collections/:id/live",           ADMIN,  admin_board_live},
    {POST,  "/admin/collections/:id/act",            ADMIN,  admin_board_act},
    {GET,   "/admin/collections/:id/invitations/:invitation", ADMIN, admin_board_person},
    {GET,   "/admin/collections/:id/export",         ADMIN,  export_show},
    {POST,  "/admin/collections/:id/export",         ADMIN,  export_write},
    {GET,   "/admin/export/people",                  ADMIN,  export_people_show},
    {POST,  "/admin/export/people",                  ADMIN,  export_people_write},
    {0},
};

static const struct route mail_routes[] = {
    {GET,   "/admin/outbox",                         ADMIN,  admin_outbox_index},
    {POST,  "/admin/outbox",                         ADMIN,  admin_outbox_act},
    {POST,  "/admin/outbox/test",                    ADMIN,  admin_outbox_test},
    {GET,   "/admin/outbox/:id",                     ADMIN,  admin_outbox_show},
    {POST,  "/admin/outbox/:id",                     ADMIN,  admin_outbox_edit},
    {POST,  "/admin/outbox/:id/retry",               ADMIN,  admin_outbox_retry},
    {POST,  "/admin/outbox/:id/resend",              ADMIN,  admin_outbox_resend},
    {GET,   "/admin/mail-texts",                     ADMIN,  admin_mail_text_index},
    {GET,   "/admin/mail-texts/:kind/:language",     ADMIN,  admin_mail_text_edit},
    {POST,  "/admin/mail-texts/:kind/:language",     ADMIN,  admin_mail_text_edit},
    {0},
};

static const struct route api_routes[] = {
    {GET,   "/api/v1/people",              PUBLIC, api_person_index, .cache = true,
                                           .arguments = "role current after limit"},
    {GET,   "/api/v1/people/:slug",        PUBLIC, api_person_show, .cache = true},
    {POST,  "/api/v1/people",              TOKEN,  api_create, .body_bytes = MIB,
                                           .entity = "person"},
    {PATCH, "/api/v1/people/:slug",        TOKEN,  api_update, .body_bytes = MIB,
                                           .entity = "person"},
    {GET,   "/api/v1/publications",        PUBLIC, api_publication_index, .cache = true,
                                           .arguments = "kind year person q after limit"},
    {GET,   "/api/v1/publications/:slug",  PUBLIC, api_publication_show, .cache = true},
    {POST,  "/api/v1/publications",        TOKEN,  api_create, .body_bytes = MIB,
                                           .entity = "publication"},
    {PATCH, "/api/v1/publications/:slug",  TOKEN,  api_update, .body_bytes = MIB,
                                           .entity = "publication"},
    {GET,   "/api/v1/schema/:form",        PUBLIC, api_schema, .cache = true,
                                           .arguments = "lang"},
    {0},
};

const struct route *const all_routes[] = {
    service_routes,
    public_routes,
    photo_routes,
    sign_in_routes,
    member_routes,
    answer_routes,
    admin_routes,
    venue_routes,
    collection_routes,
    builder_routes,
    board_routes,
    mail_routes,
    review_routes,
    data_routes,
    held_routes,
    api_routes,
    NULL,
};
/* clang-format on */
