/* Values on their way into a page; the rules are in escape.h. */
#include "server/view/escape.h"

#include <strings.h>

/* 1: has an entity. */
static const unsigned char special[256] = {
    ['&'] = 1, ['<'] = 1, ['>'] = 1, ['"'] = 1, ['\''] = 1};

static void entity(struct buf *out, char c)
{
    switch (c) {
    case '&':
        buf_append(out, "&amp;", 5);
        break;
    case '<':
        buf_append(out, "&lt;", 4);
        break;
    case '>':
        buf_append(out, "&gt;", 4);
        break;
    case '"':
        buf_append(out, "&quot;", 6);
        break;
    default:
        buf_append(out, "&#39;", 5);
        break;
    }
}

void escape_html(struct buf *out, const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        const char *run = text;
        buf_reserve(out, length);
        char *to = out->data + out->length;
        while (text < end && !special[(unsigned char)*text])
            *to++ = *text++;
        *to = '\0';
        out->length += (size_t)(text - run);
        if (text < end)
            entity(out, *text++);
    }
}

static bool unreserved(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '.' || c == '_' || c == '~';
}

void escape_component(struct buf *out, const char *text, size_t length, bool keep_at)
{
    static const char digits[] = "0123456789ABCDEF";
    buf_reserve(out, length * 3);
    char *to = out->data + out->length;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (unreserved(c) || (keep_at && c == '@')) {
            *to++ = (char)c;
        } else {
            *to++ = '%';
            *to++ = digits[c >> 4];
            *to++ = digits[c & 15];
        }
    }
    *to = '\0';
    out->length = (size_t)(to - out->data);
}

static bool starts(const char *text, size_t length, const char *prefix)
{
    size_t n = strlen(prefix);
    return length >= n && strncasecmp(text, prefix, n) == 0;
}

bool url_allowed(const char *url, size_t length, bool mailto)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)url[i] < 0x20 || url[i] == 0x7f)
            return false;
    if (length == 0)
        return false;
    if (url[0] == '#' || url[0] == '?')
        return true;
    if (url[0] == '/')
        return length == 1 || (url[1] != '/' && url[1] != '\\');
    return starts(url, length, "https://") || starts(url, length, "http://") ||
           (mailto && starts(url, length, "mailto:"));
}

void escape_value(struct buf *out, enum escape escape, const char *text, size_t length)
{
    switch (escape) {
    case ESCAPE_HTML:
        escape_html(out, text, length);
        break;
    case ESCAPE_NONE:
        buf_append(out, text, length);
        break;
    case ESCAPE_URL:
    case ESCAPE_HREF:
        if (url_allowed(text, length, escape == ESCAPE_HREF))
            escape_html(out, text, length);
        else
            buf_char(out, '#');
        break;
    case ESCAPE_COMPONENT:
    case ESCAPE_ADDRESS:
        escape_component(out, text, length, escape == ESCAPE_ADDRESS);
        break;
    }
}
