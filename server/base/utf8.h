/* What labd asks of text: well-formed UTF-8 (RFC 3629), NFC, without the characters that
 * make a text read other than it is stored. Normalisation and folding are utf8proc's. */
#ifndef LABD_BASE_UTF8_H
#define LABD_BASE_UTF8_H

#include "server/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Why a text is not fit to be stored. */
enum utf8_fault {
    UTF8_FINE,
    UTF8_MALFORMED, /* not RFC 3629: overlong, surrogate, truncated, beyond U+10FFFF */
    UTF8_CONTROL,   /* NUL or another control character (tab, and LF in a multi-line
                       text, are allowed) or a noncharacter */
    UTF8_INVISIBLE  /* bidi overrides and isolates, zero-width space, BOM inside a text */
};

bool utf8_valid(const char *bytes, size_t length);
enum utf8_fault utf8_fault(const char *bytes, size_t length, bool multiline);

/* The code point at `text` (of `length` bytes, > 0) and how many bytes it takes;
 * malformed bytes give U+FFFD and 1. */
int32_t utf8_next(const char *text, size_t length, size_t *size);

/* Writes a code point; `out` has room for 4 bytes; returns how many were used. */
size_t utf8_put(char *out, int32_t code);

size_t utf8_length(const char *text, size_t length); /* in code points */

/* NFC of well-formed text. */
char *utf8_nfc(struct arena *arena, const char *text, size_t length);

/* The form in which names, addresses and titles are compared: NFKC, case folded, accents
 * stripped, runs of white space as one space, ends trimmed. "Müller", "MULLER" and
 * "ＭＵＬＬＥＲ" are equal; "müller" and "mueller" are not. */
char *utf8_fold(struct arena *arena, const char *text, size_t length);

/* Has the text a Han character (a Chinese name rather than a Latin one)? */
bool utf8_has_han(const char *text, size_t length);

#endif
