/* The strict reading of a request head (RFC 9110, RFC 9112): what is not plainly well
 * formed is refused, so that no two programs can understand it differently. Pure. */
#ifndef LABD_HTTP_HEAD_H
#define LABD_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HEAD_BYTES_MAX = 16 * 1024,
    HEAD_TARGET_MAX = 8 * 1024,
    HEAD_FIELDS_MAX = 100,
    HEAD_ARGUMENTS_MAX = 100,
    HEAD_COOKIES_MAX = 100,
    /* What libmicrohttpd needs of its connection's memory, which it clears after each
       request: the head, the cookies a second time, a record each for fields, cookies
       and arguments. */
    HEAD_WEIGHT_MAX = 16 * 1024,
    HEAD_RECORD = 64
};

struct head {
    int status; /* 0: good; otherwise the status of the refusal */
    bool chunked;
    uint64_t content_length; /* 0 without the field */
};

/* Looks for the end of a head in bytes[0..length), of which *scanned were looked at
 * before. 0: not there yet (*scanned has moved on); otherwise its length, up to and with
 * the empty line. *status is set when it is malformed or too long already. */
size_t head_end(const char *bytes, size_t length, size_t *scanned, int *status);

/* Judges a whole head. */
struct head head_read(const char *bytes, size_t length);

#endif
