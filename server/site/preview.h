/* A form as the people see it who answer it, from a definition that may not be whole. */
#ifndef LABD_SITE_PREVIEW_H
#define LABD_SITE_PREVIEW_H

#include "server/base/result.h"
#include "server/http/request.h"
#include "server/http/response.h"

/* The drawing alone, in the language, as HTML on the request's arena; null when there is
 * nothing to draw. Its inputs belong to no form; their ids begin with "p-". */
MUST_USE enum result preview_html(json_t **html, const struct request *request,
                                  json_t *definition, enum language language);
/* That as the whole answer, for scripts. */
MUST_USE enum result preview_fragment(struct request *request, struct response *response,
                                      json_t *definition, enum language language);

#endif
