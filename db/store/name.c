/* Names as they are compared: one folded form, and the spellings under which a person may
 * be printed. */
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
    case 0x3001: /* ideographic comma */
        return ' ';
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

static char *plain_text(struct arena *arena, const char *text, size_t length)
{
    struct buf out = buf_on(arena);
    while (length > 0) {
        size_t size;
        char bytes[4];
        int32_t code = plain(utf8_next(text, length, &size));
        bool space = code == ' ';
        if (code != 0 && !(space && (out.length == 0 || out.data[out.length - 1] == ' ')))
            buf_append(&out, bytes, utf8_put(bytes, code));
        text += size;
        length -= size;
    }
    if (out.length > 0 && out.data[out.length - 1] == ' ')
        out.data[--out.length] = '\0';
    return out.data;
}

char *name_folded(struct arena *arena, const char *name)
{
    char *folded = utf8_fold(arena, name, strlen(name));
    const char *comma = strrchr(folded, ',');
    if (comma != NULL && comma[1] != '\0')
        folded = arena_print(arena, "%s %.*s", comma + 1, (int)(comma - folded), folded);
    return plain_text(arena, folded, strlen(folded));
}

/* "x l" of "Xiao Li"; of "Xiao-Li" too. */
static char *initials(struct arena *arena, const char *given)
{
    struct buf out = buf_on(arena);
    bool start = true;
    size_t left = strlen(given);
    while (left > 0) {
        size_t size;
        int32_t code = utf8_next(given, left, &size);
        bool gap = plain(code) == ' ' || plain(code) == 0 || code == ' ';
        if (!gap && start) {
            if (out.length > 0)
                buf_char(&out, ' ');
            buf_append(&out, given, size);
        }
        start = gap && code != '\'' && code != 0x2019;
        given += size;
        left -= size;
    }
    return out.data;
}

static void add(json_t *aliases, json_t *seen, struct arena *arena, const char *name,
                bool stated)
{
    char *folded = name_folded(arena, name);
    if (*folded == '\0' || json_object_get(seen, folded) != NULL)
        return;
    json_object_set_new(seen, folded, json_true());
    json_array_append_new(aliases, json_pack("{s:s, s:s, s:b}", "name", name, "folded",
                                             folded, "stated", stated));
}

static void add_latin(json_t *aliases, json_t *seen, struct arena *arena,
                      const char *given, const char *family)
{
    char *first = initials(arena, given);
    char *apart = arena_string(arena, given);
    for (char *c = apart; *c != '\0'; c++)
        if (*c == '-')
            *c = ' ';
    const char *forms[] = {given, apart, first};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        add(aliases, seen, arena, arena_print(arena, "%s %s", forms[i], family), false);
        add(aliases, seen, arena, arena_print(arena, "%s %s", family, forms[i]), false);
    }
    if (strlen(first) > 1) { /* "X. Wang" of Xiao-Ling Wang */
        size_t size;
        utf8_next(first, strlen(first), &size);
        add(aliases, seen, arena, arena_print(arena, "%.*s %s", (int)size, first, family),
            false);
    }
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
    json_t *aliases = json_array(), *seen = json_object();
    json_t *stated = json_object_get(document, "other_names");
    const char *given = text_of(document, "given_latin");
    const char *family = text_of(document, "family_latin");
    for (size_t i = 0; i < json_array_size(stated); i++)
        if (text_of(json_array_get(stated, i), "name") != NULL)
            add(aliases, seen, arena, text_of(json_array_get(stated, i), "name"), true);
    if (text_of(document, "name_han") != NULL)
        add(aliases, seen, arena, text_of(document, "name_han"), false);
    if (given != NULL && family != NULL)
        add_latin(aliases, seen, arena, given, family);
    else if (given != NULL || family != NULL)
        add(aliases, seen, arena, given != NULL ? given : family, false);
    json_object_set_new(document, "aliases", aliases);
    add_advisors(json_object_get(document, "appointments"), arena);
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
