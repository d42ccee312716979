/* UTF-8 checks, normalisation and folding; see utf8.h. */
#include "server/base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

int32_t utf8_next(const char *text, size_t length, size_t *size)
{
    utf8proc_int32_t code;
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, &code);
    if (used <= 0) {
        *size = 1;
        return 0xFFFD;
    }
    *size = (size_t)used;
    return code;
}

size_t utf8_put(char *out, int32_t code)
{
    return (size_t)utf8proc_encode_char(code, (utf8proc_uint8_t *)out);
}

/* How many bytes at the start are ASCII. */
static size_t ascii_run(const char *bytes, size_t length)
{
    size_t at = 0;
    uint64_t word;
    while (length - at >= sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        if ((word & UINT64_C(0x8080808080808080)) != 0)
            break;
        at += sizeof word;
    }
    while (at < length && (unsigned char)bytes[at] < 0x80)
        at++;
    return at;
}

bool utf8_valid(const char *bytes, size_t length)
{
    size_t at = 0;
    while (at < length) {
        at += ascii_run(bytes + at, length - at);
        if (at >= length)
            break;
        utf8proc_int32_t code;
        utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)bytes + at,
                                                 (utf8proc_ssize_t)(length - at), &code);
        if (used <= 0)
            return false;
        at += (size_t)used;
    }
    return true;
}

static bool invisible(int32_t code)
{
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0x200B || code == 0x200E || code == 0x200F || code == 0x061C ||
           code == 0x2060 || code == 0xFEFF || code == 0x2028 || code == 0x2029 ||
           (code >= 0xE0000 && code <= 0xE007F) || code == 0x00AD;
}

static bool control(int32_t code, bool multiline)
{
    if (code == '\t' || (multiline && code == '\n'))
        return false;
    return code < 0x20 || (code >= 0x7F && code < 0xA0) ||
           (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
}

enum utf8_fault utf8_fault(const char *bytes, size_t length, bool multiline)
{
    if (!utf8_valid(bytes, length))
        return UTF8_MALFORMED;
    enum utf8_fault fault = UTF8_FINE;
    size_t size;
    for (size_t at = 0; at < length; at += size) {
        int32_t code = utf8_next(bytes + at, length - at, &size);
        if (control(code, multiline))
            return UTF8_CONTROL;
        if (invisible(code))
            fault = UTF8_INVISIBLE;
    }
    return fault;
}

size_t utf8_length(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length; at++)
        count += ((unsigned char)text[at] & 0xC0) != 0x80;
    return count;
}

static char *mapped(struct arena *arena, const char *text, size_t length, int options)
{
    utf8proc_uint8_t *result = NULL;
    utf8proc_ssize_t size =
        utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, &result,
                     (utf8proc_option_t)options);
    if (size < 0) /* malformed, against the contract: nothing is lost */
        return arena_copy(arena, text, length);
    char *copy = arena_copy(arena, (const char *)result, (size_t)size);
    free(result);
    return copy;
}

char *utf8_nfc(struct arena *arena, const char *text, size_t length)
{
    if (ascii_run(text, length) == length)
        return arena_copy(arena, text, length);
    return mapped(arena, text, length, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

char *utf8_fold(struct arena *arena, const char *text, size_t length)
{
    char *folded = mapped(arena, text, length,
                          UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE |
                              UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK | UTF8PROC_IGNORE);
    char *out = folded;
    bool gap = false;
    for (const char *in = folded; *in != '\0'; in++) {
        if (*in == ' ' || *in == '\t' || *in == '\n' || *in == '\r') {
            gap = out > folded;
            continue;
        }
        if (gap)
            *out++ = ' ';
        gap = false;
        *out++ = *in;
    }
    *out = '\0';
    return folded;
}

bool utf8_has_han(const char *text, size_t length)
{
    size_t size;
    for (size_t at = 0; at < length; at += size) {
        int32_t code = utf8_next(text + at, length - at, &size);
        if ((code >= 0x3400 && code <= 0x9FFF) || (code >= 0xF900 && code <= 0xFAFF) ||
            (code >= 0x20000 && code <= 0x3FFFF) || code == 0x3007)
            return true;
    }
    return false;
}
