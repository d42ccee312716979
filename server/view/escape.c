/* Values on their way into a page; the rules are in escape.h. */
#include "server/view/escape.h"

#include <ctype.h>
#include <strings.h>

struct entity {
    const char *text;
    size_t length;
};

static const struct entity entities[256] = {
    ['&'] = {"&amp;",  5},
      ['<'] = {"&lt;",   4},
      ['>'] = {"&gt;",   4},
    ['"'] = {"&quot;", 6},
      ['\''] = {"&#39;",  5},
};

void escape_html(struct buf *out, const char *text, size_t length)
{
    const char *end = text + length;
    const char *run = text;
    buf_reserve(out, length);
    for (const char *c = text; c < end; c++) {
        const struct entity *entity = &entities[(unsigned char)*c];
        if (entity->text == NULL)
            continue;
        buf_append(out, run, (size_t)(c - run));
        buf_append(out, entity->text, entity->length);
        run = c + 1;
    }
    buf_append(out, run, (size_t)(end - run));
}

static bool unreserved(unsigned char c)
{
    return (c < 0x80 && isalnum(c)) || c == '-' || c == '.' || c == '_' || c == '~';
}

void escape_component(struct buf *out, const char *text, size_t length, bool keep_at)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (unreserved(c) || (keep_at && c == '@')) {
            buf_char(out, (char)c);
        } else {
            char code[] = {'%', digits[c >> 4], digits[c & 15]};
            buf_append(out, code, sizeof code);
        }
    }
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
