/* application/x-www-form-urlencoded (WHATWG URL, section 5.1), but a "%" that encodes
 * nothing is an error. */
#ifndef LABD_HTTP_URLENCODED_H
#define LABD_HTTP_URLENCODED_H

#include "server/base/buf.h"
#include "server/http/form_fields.h"

struct urlencoded {
    struct form_fields *fields;
    struct buf pair; /* the one that has begun */
};

/* 0, or the status to refuse with. */
int urlencoded_feed(struct urlencoded *parser, const char *bytes, size_t length);
int urlencoded_finish(struct urlencoded *parser);

#endif
