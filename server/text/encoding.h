/* Bytes of unknown encoding to well-formed UTF-8.
 *
 * In this order: a byte order mark (UTF-8, even written twice; UTF-16, either way round);
 * UTF-16 without a mark, told by its zero bytes; well-formed UTF-8; GB18030, when strict
 * decoding succeeds and gives mostly the everyday characters of GB 2312; otherwise
 * Latin text with CP1252 bytes, among which whole UTF-8 sequences are kept (such files
 * exist: two editors wrote them). Text in none of these (Big5, CP949, binary data) is
 * refused rather than turned into nonsense. */
#ifndef LABD_TEXT_ENCODING_H
#define LABD_TEXT_ENCODING_H

#include "server/base/arena.h"
#include "server/base/result.h"
#include "server/base/slice.h"

#include <stdint.h>

enum encoding {
    ENCODING_UTF8,
    ENCODING_UTF16LE,
    ENCODING_UTF16BE,
    ENCODING_GB18030,
    ENCODING_CP1252,
    ENCODING_UNKNOWN
};

/* "UTF-8", "GB18030", ... */
const char *encoding_name(enum encoding encoding);

struct decoded {
    struct slice text; /* well-formed UTF-8 without a mark in front; may hold NUL */
    enum encoding encoding;
    size_t replaced; /* bytes that became U+FFFD: a file cut inside a character */
};

/* `text` points into `bytes` where nothing had to change, else it lives on the arena.
 * INVALID: none of the encodings above. */
MUST_USE enum result encoding_decode(struct decoded *decoded, struct arena *arena,
                                     const char *bytes, size_t length);

/* The code point of a byte of CP1252; 0 is undefined. */
int32_t encoding_cp1252(unsigned byte);

#endif
