/* The policy for addresses in Markdown; see markdown_link.h. It decides on the very bytes
 * that go out: backslashes, control characters and quotes are encoded before. */
#include "server/text/markdown_link.h"

#include "server/text/latex_symbol.h"

enum { LONGEST = 2000 }; /* bytes of an address; also what makes refused ones cheap */

void markdown_escape(struct buf *out, struct slice text)
{
    for (size_t i = 0; i < text.length; i++) {
        switch (text.bytes[i]) {
        case '&':
            buf_string(out, "&amp;");
            break;
        case '<':
            buf_string(out, "&lt;");
            break;
        case '>':
            buf_string(out, "&gt;");
            break;
        case '"':
            buf_string(out, "&quot;");
            break;
        case '\0':
            buf_string(out, "\xEF\xBF\xBD");
            break;
        default:
            buf_char(out, text.bytes[i]);
        }
    }
}

/* The attribute's text. An entity we do not know stays as written, & and all. */
static struct slice attribute_text(struct arena *arena, const MD_ATTRIBUTE *attribute)
{
    struct buf out = buf_on(arena);
    for (size_t i = 0;
         attribute->text != NULL && attribute->substr_offsets[i] < attribute->size; i++) {
        MD_OFFSET from = attribute->substr_offsets[i];
        struct slice part = {attribute->text + from,
                             attribute->substr_offsets[i + 1] - from};
        char bytes[8];
        size_t length = 0;
        if (attribute->substr_types[i] == MD_TEXT_ENTITY && part.length > 2)
            length = latex_entity(bytes, (struct slice){part.bytes + 1, part.length - 2});
        if (length > 0)
            buf_append(&out, bytes, length);
        else
            buf_append(&out, part.bytes, part.length);
    }
    return (struct slice){out.data, out.length};
}

static void encode(struct buf *out, unsigned char c)
{
    static const char digits[] = "0123456789ABCDEF";
    if (c <= ' ' || c >= 0x7F || strchr("\"<>\\^`{|}", c) != NULL) {
        buf_char(out, '%');
        buf_char(out, digits[c >> 4]);
        buf_char(out, digits[c & 15]);
    } else if (c == '&') {
        buf_string(out, "&amp;");
    } else if (c == '\'') {
        buf_string(out, "&#39;");
    } else {
        buf_char(out, (char)c);
    }
}

static bool begins(struct slice text, const char *scheme)
{
    size_t length = strlen(scheme);
    return text.length > length && strncasecmp(text.bytes, scheme, length) == 0;
}

struct slice markdown_address(struct arena *arena, const MD_ATTRIBUTE *attribute,
                              bool image)
{
    if (attribute->size > LONGEST)
        return (struct slice){"", 0};
    struct slice text = attribute_text(arena, attribute);
    struct buf out = buf_on(arena);
    for (size_t i = 0; i < text.length; i++)
        encode(&out, (unsigned char)text.bytes[i]);
    struct slice address = {out.data, out.length};
    bool own = address.length > 0 && address.bytes[0] == '/' && address.bytes[1] != '/';
    bool other = begins(address, "http://") || begins(address, "https://") ||
                 begins(address, "mailto:") || begins(address, "#");
    return own || (other && !image) ? address : (struct slice){"", 0};
}
