/* Percent-encoding (RFC 3986 section 2.1). */
#ifndef LABD_BASE_PERCENT_H
#define LABD_BASE_PERCENT_H

#include "server/base/buf.h"
#include "server/base/result.h"

#include <stdbool.h>

/* The value of a hexadecimal digit, or -1. */
int hex_digit(char c);

/* Decodes into `out` (room for `length` bytes; may be `text` itself). With `plus`, "+" is
 * a space, as in forms. INVALID: a "%" without two hexadecimal digits. */
MUST_USE enum result percent_decode(char *out, size_t *out_length, const char *text,
                                    size_t length, bool plus);

/* Appends `text` with all but unreserved characters (and "/" if `slash`) encoded. */
void percent_encode(struct buf *buf, const char *text, size_t length, bool slash);

/* A string as one path segment or query value. */
const char *percent_text(struct arena *arena, const char *text);

#endif
