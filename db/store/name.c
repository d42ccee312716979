/* Names as they are compared: one folded form. */
#include "db/store/entity.h"
#include "db/store/person.h"
#include "server/base/buf.h"
#include "server/base/utf8.h"

#include <string.h>

/* What stands for a code point: itself, a space, or nothing. */
static int32_t plain(int32_t code)
{
    switch (code) {
    case '.':
    case ',':
    case '(':
    case ')':
    case 0x3001: /* ideographic comma */
        return ' ';
    case 0xF8: /* letters that are no letter with an accent to Unicode */
        return 'o';
    case 0x142:
        return 'l';
    case 0x111:
        return 'd';
    case 0x131:
        return 'i';
    case '-':
    case '\'':
    case '`':
    case '~':
    case 0xB7:   /* middle dot, between the parts of a name written in Chinese */
    case 0x30FB: /* its Japanese form */
    case 0x2019:
        return 0;
    default:
        return code >= 0x2010 && code <= 0x2015 ? 0 : code;
    }
}

static bool is_han(int32_t code)
{
    char bytes[4];
    return utf8_has_han(bytes, utf8_put(bytes, code));
}

/* Between Han characters there is no space. */
static char *plain_text(struct arena *arena, const char *text, size_t length)
{
    struct buf out = buf_on(arena);
    bool gap = false;
    int32_t last = 0;
    for (size_t size; length > 0; text += size, length -= size) {
        char bytes[4];
        int32_t code = plain(utf8_next(text, length, &size));
        gap = gap || code == ' ';
        if (code == 0 || code == ' ')
            continue;
        if (gap && out.length > 0 && !(is_han(last) && is_han(code)))
            buf_char(&out, ' ');
        buf_append(&out, bytes, utf8_put(bytes, code));
        last = code;
        gap = false;
    }
    return out.data;
}

char *name_folded(struct arena *arena, const char *name)
{
    char *folded = utf8_fold(arena, name, strlen(name));
    const char *comma = strrchr(folded, ',');
    if (comma != NULL && comma[1] != '\0' && !utf8_has_han(folded, strlen(folded)))
        folded = arena_print(arena, "%s %.*s", comma + 1, (int)(comma - folded), folded);
    return plain_text(arena, folded, strlen(folded));
}

/* The names that an advisor's text may give: the whole, and the parts of a list. A comma
 * parts a list only where each part is a whole name, for "Wang, Xiaoling" is one. */
static const char *const between_names[] = {";", "；", "、", "/", "&", " and ", "，"};

static bool whole_names(const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        const char *start = text + strspn(text, " ");
        const char *gap = memchr(start, ' ', (size_t)(text + length - start));
        bool han = (unsigned char)*start >= 0xE3;
        if (!han && (gap == NULL || gap + 1 >= text + length))
            return false;
        text += length + (text[length] == ',');
    }
    return true;
}

static json_t *advisor_names(struct arena *arena, const char *advisor)
{
    json_t *names = json_array();
    json_array_append_new(names, json_string(name_folded(arena, advisor)));
    char *text = arena_string(arena, advisor);
    for (size_t i = 0; i < sizeof between_names / sizeof *between_names; i++)
        for (char *at; (at = strstr(text, between_names[i])) != NULL;)
            memset(at, '\n', strlen(between_names[i]));
    for (char *c = text; *c != '\0' && whole_names(advisor); c++)
        if (*c == ',')
            *c = '\n';
    char *rest = text;
    for (char *part; (part = strsep(&rest, "\n")) != NULL;) {
        const char *folded = name_folded(arena, part);
        if (*folded != '\0')
            json_array_append_new(names, json_string(folded));
    }
    return names;
}

static void add_advisors(json_t *appointments, struct arena *arena)
{
    size_t index;
    json_t *appointment;
    json_array_foreach(appointments, index, appointment)
    {
        const char *advisor = text_of(appointment, "advisor");
        if (advisor != NULL)
            json_object_set_new(appointment, "advisors", advisor_names(arena, advisor));
    }
}

void person_derive(json_t *document, struct arena *arena)
{
    json_object_set_new(document, "aliases", person_aliases(arena, document));
    add_advisors(json_object_get(document, "appointments"), arena);
}

/* A mark that journals put behind a name: what it says of the author, or "". NULL: none.
 */
static const char *mark_of(int32_t code)
{
    switch (code) {
    case '*':
    case 0x2217:
    case 0xFF0A:
        return "equal";
    case 0x2020: /* dagger, double dagger, envelopes */
    case 0x2021:
    case 0x2709:
    case 0x1F4E7:
        return "corresponding";
    case 0xA7:
    case 0xB6:
    case 0xFE0F: /* how an envelope is drawn */
        return "";
    default:
        return NULL;
    }
}

/* Bytes of `name` before its marks; what they say is set in `author`. */
static size_t before_marks(json_t *author, const char *name)
{
    size_t length = strlen(name), size;
    while (length > 0) {
        size_t last = length - 1;
        while (last > 0 && ((unsigned char)name[last] & 0xC0) == 0x80)
            last--;
        const char *mark = mark_of(utf8_next(name + last, length - last, &size));
        if (mark == NULL && name[last] != ' ')
            break;
        if (mark != NULL && *mark != '\0')
            json_object_set_new(author, mark, json_true());
        length = last;
    }
    return length;
}

/* A copy of the authors, where one of them has a mark; else the same. */
json_t *authors_without_marks(struct arena *arena, json_t *authors)
{
    static const char *const keys[] = {"name", "family", "given"};
    json_t *copy = json_deep_copy(authors), *author;
    bool marked = false;
    size_t index;
    json_array_foreach(copy, index, author)
    {
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            const char *text = text_of(author, keys[i]);
            size_t length = text != NULL ? before_marks(author, text) : 0;
            if (length == 0 || text[length] == '\0')
                continue;
            json_object_set_new(author, keys[i],
                                json_string(arena_copy(arena, text, length)));
            marked = true;
        }
    }
    return marked ? copy : authors;
}

char *person_slug(struct arena *arena, json_t *document)
{
    const char *given = text_of(document, "given_latin");
    const char *family = text_of(document, "family_latin");
    const char *han = text_of(document, "name_han");
    char *slug = slug_from(
        arena, arena_print(arena, "%s %s", given ? given : "", family ? family : ""), 12,
        60);
    if (*slug == '\0' && han != NULL)
        slug = slug_from(arena, han, 12, 60);
    return *slug == '\0' ? arena_string(arena, "person") : slug;
}
