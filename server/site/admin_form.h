/* The form builder's handlers: /admin/collections/:id/form and what is below. */
#ifndef LABD_SITE_ADMIN_FORM_H
#define LABD_SITE_ADMIN_FORM_H

#include "server/http/router.h"

/* admin_form.c */
handler admin_form_show, admin_form_change, admin_form_publish;

/* admin_form_question.c */
handler admin_form_question, admin_form_question_new, admin_form_question_preview;

/* admin_form_section.c */
handler admin_form_section, admin_form_section_new;

/* admin_form_preview.c */
handler admin_form_preview, admin_form_versions, admin_form_version;

/* admin_pilot.c */
handler admin_pilot_show;

#endif
