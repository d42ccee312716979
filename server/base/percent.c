/* Percent-encoding; see percent.h. */
#include "server/base/percent.h"

int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

enum result percent_decode(char *out, size_t *out_length, const char *text, size_t length,
                           bool plus)
{
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '%') {
            int high = length - i > 2 ? hex_digit(text[i + 1]) : -1;
            int low = length - i > 2 ? hex_digit(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                return INVALID;
            c = (char)(high * 16 + low);
            i += 2;
        } else if (c == '+' && plus) {
            c = ' ';
        }
        out[used++] = c;
    }
    *out_length = used;
    return OK;
}

static bool unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '.' || c == '_' || c == '~';
}

void percent_encode(struct buf *buf, const char *text, size_t length, bool slash)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < length; i++) {
        if (unreserved(text[i]) || (slash && text[i] == '/')) {
            buf_char(buf, text[i]);
            continue;
        }
        buf_char(buf, '%');
        buf_char(buf, digits[(unsigned char)text[i] >> 4]);
        buf_char(buf, digits[(unsigned char)text[i] & 15]);
    }
}

const char *percent_text(struct arena *arena, const char *text)
{
    struct buf buf = buf_on(arena);
    percent_encode(&buf, text, strlen(text), false);
    return buf.data;
}
