/* The query part of a target, and the page cache's key. */
#ifndef LABD_HTTP_QUERY_H
#define LABD_HTTP_QUERY_H

#include "server/http/router.h"

/* Fills request->query with the arguments that request->route knows. INVALID: one of them
 * twice, or any one that is not percent-encoded UTF-8 without NUL. */
MUST_USE enum result query_read(struct request *request, const char *query);

/* The one way to write the target of this page: language, path, known arguments sorted,
 * canonically encoded. Itself a target of the page. */
const char *query_page_key(const struct request *request);

#endif
