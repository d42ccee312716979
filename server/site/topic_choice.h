/* The topics of a work as boxes to tick, in place of a group of texts. */
#ifndef LABD_SITE_TOPIC_CHOICE_H
#define LABD_SITE_TOPIC_CHOICE_H

#include "server/base/result.h"
#include "server/http/request.h"

/* Changes the field `topics` of a form_page(), if it has one: its options are the lab's
 * topics and projects; without any it is left out. */
MUST_USE enum result topic_choice(json_t *form_document, struct request *request);

#endif
