/* What a work's page tells programs: citation_* fields, JSON-LD, COinS. */
#ifndef LABD_SITE_PUBLICATION_META_H
#define LABD_SITE_PUBLICATION_META_H

#include "server/http/request.h"

#include <jansson.h>

/* Adds to the work (public_work_for_page, prepared by publication_page.c):
 *   meta              [{name, value}]: fields of Google Scholar
 *                     (scholar.google.com/intl/en/scholar/inclusion.html), in the form
 *                     that it asks for
 *   published         the date for Open Graph, or null
 *   coins             see text/coins.h
 *   linked_data_html  see text/linked_data.h */
void publication_meta(json_t *work, const struct request *request);

#endif
