/* Marks around the text of a name; see names_marks.h. */
#include "server/text/names_marks.h"

#include "server/base/utf8.h"

/* A mark that journals put at authors, or an affiliation's number. */
static bool is_mark(struct name *name, int32_t code)
{
    bool star = code == '*' || code == 0x2217 || code == 0xFF0A;
    bool dagger = code == 0x2020 || code == 0x2021 || code == 0x2709 || code == 0x1F4E7;
    name->star = name->star || star;
    name->dagger = name->dagger || dagger;
    return star || dagger || code == 0xA7 || code == 0xB6 || code == '#' ||
           code == 0xB9 || code == 0xB2 || code == 0xB3 ||
           (code >= 0x2070 && code <= 0x2079);
}

/* Numbers of affiliations, "Lin1,2": what is left when superscripts have no such form.
 * That a comma is among them tells them from a group's name. */
static struct slice without_numbers(struct slice text)
{
    size_t length = text.length;
    bool comma = false;
    while (length > 0 && (text_digit(text.bytes[length - 1]) ||
                          strchr(", ", text.bytes[length - 1]) != NULL)) {
        comma = comma || text.bytes[length - 1] == ',';
        length--;
    }
    return comma && length > 0 ? (struct slice){text.bytes, length} : text;
}

struct slice name_without_marks(struct name *name, struct slice text)
{
    size_t size;
    bool marked = true;
    while (text.length > 0 && marked) {
        marked = is_mark(name, utf8_next(text.bytes, text.length, &size));
        text.bytes += marked ? size : 0;
        text.length -= marked ? size : 0;
    }
    marked = true;
    text = without_numbers(text);
    while (text.length > 0 && marked) {
        size_t last = text.length - 1;
        while (last > 0 && ((unsigned char)text.bytes[last] & 0xC0) == 0x80)
            last--;
        marked = is_mark(name, utf8_next(text.bytes + last, text.length - last, &size));
        text.length = marked ? last : text.length;
        text = without_numbers(slice_trim(text));
    }
    return slice_trim(text);
}
