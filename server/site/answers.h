/* A member's answers to collections: /my/collections/:id and what is below. */
#ifndef LABD_SITE_ANSWERS_H
#define LABD_SITE_ANSWERS_H

#include "server/http/router.h"
#include "server/site/answering.h"

/* answers.c */
handler answers_show, answers_section_show, answers_section_save;

/* answer_typing.c */
handler answers_autosave, answers_session;

/* answers_send.c */
handler answers_check, answers_submit, answers_confirm, answers_reopen, answers_receipt;

/* answer_feedback.c */
handler answers_feedback;

/* For /my: null, or {rows: [{collection_id, title_en, title_zh, state, state_class,
 * until, again, accepts, lacking, complete}]}. */
MUST_USE enum result answers_asked(json_t **asked, struct request *request);

/* Adds `feedback`: null, or to people of the pilot the form about section `section` (-1:
 * about the whole): {section, comment, unclear, questions [{name, label, chosen}], said,
 * whole, error}. */
MUST_USE enum result answers_add_feedback(json_t *document,
                                          const struct answering *answering, int section,
                                          struct request *request);

#endif
