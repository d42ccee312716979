/* multipart/form-data (RFC 7578, RFC 2046 section 5.1), in one pass over a small window.
 */
#ifndef LABD_HTTP_MULTIPART_H
#define LABD_HTTP_MULTIPART_H

#include "server/http/form_fields.h"
#include "server/http/spool.h"

struct multipart;

/* `type`: the Content-Type field. NULL: it has no usable boundary. */
struct multipart *multipart_new(struct arena *arena, const char *type,
                                struct form_fields *fields);
/* 0, or the status to refuse with: 400, 413, 507. */
int multipart_feed(struct multipart *parser, const char *bytes, size_t length);
/* Also gives the files, in order. */
int multipart_finish(struct multipart *parser, struct upload **uploads);
void multipart_release(struct multipart *parser);

#endif
