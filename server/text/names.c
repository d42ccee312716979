/* Splitting and taking apart lists of names; the rules are in names.h. First the list is
 * cut into the sources of single names, then each into parts, still LaTeX; the text of
 * the parts is made last, so that braces can do their work until then. */
#include "server/text/names.h"

#include "server/base/buf.h"
#include "server/base/utf8.h"
#include "server/text/latex.h"
#include "server/text/names_han.h"
#include "server/text/names_marks.h"
#include "server/text/names_split.h"

#include <utf8proc.h>

struct parse {
    struct arena *arena;
    struct names names;
    size_t capacity;
};

static struct name *add(struct parse *p)
{
    struct names *names = &p->names;
    if (names->count == p->capacity) {
        size_t capacity = p->capacity == 0 ? 8 : p->capacity * 2;
        struct name *larger = ARENA_ARRAY(p->arena, struct name, capacity);
        if (names->count > 0)
            memcpy(larger, names->list, names->count * sizeof *larger);
        names->list = larger;
        p->capacity = capacity;
    }
    static const struct slice none = {"", 0};
    struct name *name = &names->list[names->count++];
    *name =
        (struct name){.given = none, .particle = none, .family = none, .suffix = none};
    return name;
}

/* Is there room for one more? Who has none counts among the others. */
static bool room(struct parse *p)
{
    bool left = p->names.count < NAMES_MOST;
    p->names.others = p->names.others || !left;
    return left;
}

/* From the first of some words to the last of them. */
static struct slice words_from(const struct words *words, size_t from, size_t to)
{
    if (from >= to)
        return (struct slice){"", 0};
    const struct slice *last = &words->list[to - 1];
    return slice_between(words->list[from].bytes, last->bytes + last->length);
}

/* The von part of words[from..to) ends behind its last small word, but a family name is
 * left over: gives where the family starts. */
static size_t family_start(const struct words *words, size_t from, size_t to)
{
    for (size_t i = to - 1; i > from; i--)
        if (word_is_small(words->list[i - 1]))
            return i;
    return from;
}

/* "First von Last". */
static void without_comma(struct name *name, const struct words *words)
{
    size_t count = words->count;
    size_t von = 0;
    while (von + 1 < count && !word_is_small(words->list[von]))
        von++;
    size_t family = von + 1 < count ? family_start(words, von, count) : count - 1;
    name->given = words_from(words, 0, von);
    name->particle = words_from(words, von, family);
    name->family = words_from(words, family, count);
}

/* Some exports escape the braces of a name, \{de Croon\}: nobody has braces in one. */
static struct slice part_text(struct parse *p, struct name *name, struct slice source)
{
    struct slice text = latex_text(p->arena, source);
    if (memchr(text.bytes, '{', text.length) != NULL ||
        memchr(text.bytes, '}', text.length) != NULL) {
        char *copy = arena_copy(p->arena, text.bytes, text.length);
        size_t used = 0;
        for (size_t i = 0; i < text.length; i++)
            if (text.bytes[i] != '{' && text.bytes[i] != '}')
                copy[used++] = text.bytes[i];
        text = slice_trim((struct slice){copy, used});
    }
    return name_without_marks(name, text);
}

/* Chinese names that came without a comma: one word, or two of one character or more. */
static void divide_han(struct name *name)
{
    if (name->given.length == 0) {
        size_t family = han_family(name->family);
        if (family > 0) {
            name->given =
                (struct slice){name->family.bytes + family, name->family.length - family};
            name->family.length = family;
        }
    } else if (han_length(name->given) > 0 && han_length(name->family) > 0 &&
               (han_surname(name->given) || !han_surname(name->family))) {
        struct slice family = name->given; /* 林 晓, in Chinese order */
        name->given = name->family;
        name->family = family;
    }
}

static void finish(struct parse *p, struct name *name, bool may_divide)
{
    name->given = part_text(p, name, name->given);
    name->particle = part_text(p, name, name->particle);
    name->family = part_text(p, name, name->family);
    name->suffix = part_text(p, name, name->suffix);
    if (name->family.length == 0) {
        name->family = name->given.length > 0 ? name->given : name->particle;
        name->given = (struct slice){"", 0};
    }
    if (name->family.length == 0)
        p->names.count--;
    else if (may_divide)
        divide_han(name);
}

static void add_words(struct parse *p, struct slice source)
{
    struct words words;
    words_of(&words, p->arena, source);
    if (words.count == 0)
        return;
    struct name *name = add(p);
    without_comma(name, &words);
    finish(p, name,
           source.length > 0 && memchr(source.bytes, '{', source.length) == NULL);
}

/* "von Last, First" and "von Last, Jr, First". */
static void add_commas(struct parse *p, const struct slice *parts, size_t count)
{
    struct words words;
    words_of(&words, p->arena, parts[0]);
    struct name *name = add(p);
    if (words.count > 0) {
        size_t family = family_start(&words, 0, words.count);
        name->particle = words_from(&words, 0, family);
        name->family = words_from(&words, family, words.count);
    }
    if (count > 2)
        name->suffix = parts[1];
    name->given = slice_between(parts[count > 2 ? 2 : 1].bytes,
                                parts[count - 1].bytes + parts[count - 1].length);
    finish(p, name, false);
}

/* "given={John R.}" in quotes of its own, as biblatex writes what has a comma. */
static struct slice unquoted(struct slice part)
{
    if (part.length >= 2 && part.bytes[0] == '"' && part.bytes[part.length - 1] == '"')
        return (struct slice){part.bytes + 1, part.length - 2};
    return part;
}

/* biblatex: "given=Johann, prefix=von, family=Goethe". */
static bool add_keyed(struct parse *p, const struct slice *parts, size_t count)
{
    static const char *const keys[] = {"given", "prefix", "family", "suffix"};
    struct slice values[4] = {
        {"", 0},
        {"", 0},
        {"", 0},
        {"", 0}
    };
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        struct slice part = unquoted(parts[i]);
        const char *equals = memchr(part.bytes, '=', part.length);
        if (equals == NULL)
            return false;
        struct slice key = slice_trim(slice_between(part.bytes, equals));
        for (size_t k = 0; k < 4; k++)
            if (slice_like(key, keys[k])) {
                values[k] = slice_between(equals + 1, part.bytes + part.length);
                known++;
            }
    }
    if (known == 0)
        return false;
    struct name *name = add(p);
    name->given = values[0];
    name->particle = values[1];
    name->family = values[2];
    name->suffix = values[3];
    finish(p, name, false);
    return true;
}

/* What a pair of braces around the whole of it holds; else empty. */
static struct slice braced(struct slice source)
{
    size_t depth = 0;
    if (source.length < 2 || source.bytes[0] != '{')
        return (struct slice){"", 0};
    for (size_t i = 0; i < source.length; i++) {
        depth += source.bytes[i] == '{';
        depth -= source.bytes[i] == '}';
        if (depth == 0)
            return i + 1 == source.length
                       ? slice_trim((struct slice){source.bytes + 1, source.length - 2})
                       : (struct slice){"", 0};
    }
    return (struct slice){"", 0};
}

static bool add_braced_keyed(struct parse *p, struct slice source)
{
    struct words parts;
    struct slice inside = braced(source);
    if (memchr(inside.bytes, '=', inside.length) == NULL)
        return false;
    commas_of(&parts, p->arena, inside);
    return add_keyed(p, parts.list, parts.count);
}

static size_t word_count(struct parse *p, struct slice source)
{
    struct words words;
    words_of(&words, p->arena, source);
    return words.count;
}

/* R. L. or KK: nothing but initials? */
static bool initials(struct slice text)
{
    size_t run = 0;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.bytes[i];
        bool capital = c >= 'A' && c <= 'Z';
        run = capital ? run + 1 : 0;
        if (run > 2 || (!capital && c != '.' && c != '-' && c != ' ' && c != '~'))
            return false;
    }
    return text.length > 0 && text_letter(text.bytes[0]);
}

/* Is it "A B, C D, E F": every part a whole name? Chinese ones have no space. */
static bool whole_names(struct parse *p, const struct slice *parts, size_t count)
{
    if (han_length(parts[0]) >= 2 && !han_compound_surname(parts[0]))
        return han_length(parts[1]) >= 2;
    if (word_is_small(
            parts[0])) /* "d' Aubignac, abbé d', François": von Last, Jr, First */
        return false;
    for (size_t i = 0; i < count; i++)
        if (count < 3 || word_count(p, parts[i]) < 2 || initials(parts[i]))
            return false;
    return true;
}

/* "Smith, J., Jones, K. L., & Li, M."? */
static bool name_pairs(const struct slice *parts, size_t count)
{
    if (count < 4 || count % 2 != 0)
        return false;
    if (count >= 8) /* no name has so many parts */
        return true;
    for (size_t i = 1; i < count; i += 2)
        if (!initials(parts[i]) || initials(parts[i - 1]))
            return false;
    return true;
}

/* "Zhang, Linqi, Ann Lee, Bo Li": the first name turned round, the others not? */
static bool first_turned(struct parse *p, const struct slice *parts, size_t count)
{
    for (size_t i = 2; i < count; i++)
        if (count < 4 || word_count(p, parts[i]) < 2 || initials(parts[i]))
            return false;
    return count >= 4;
}

static struct slice without_ampersand(struct slice part)
{
    size_t front = 0;
    while (front < part.length && (part.bytes[front] == '\\' || part.bytes[front] == '&'))
        front++;
    return slice_trim((struct slice){part.bytes + front, part.length - front});
}

static void add_name(struct parse *p, struct slice source)
{
    struct words parts;
    commas_of(&parts, p->arena, source);
    if (parts.count == 0 || add_keyed(p, parts.list, parts.count) ||
        add_braced_keyed(p, source))
        return;
    if (parts.count == 1) {
        add_words(p, parts.list[0]);
    } else if (whole_names(p, parts.list, parts.count)) {
        for (size_t i = 0; i < parts.count && room(p); i++)
            add_words(p, parts.list[i]);
    } else if (first_turned(p, parts.list, parts.count)) {
        add_commas(p, parts.list, 2);
        for (size_t i = 2; i < parts.count && room(p); i++)
            add_words(p, parts.list[i]);
    } else if (name_pairs(parts.list, parts.count)) {
        for (size_t i = 0; i < parts.count && room(p); i += 2) {
            parts.list[i] = without_ampersand(parts.list[i]);
            add_commas(p, parts.list + i, 2);
        }
    } else {
        add_commas(p, parts.list, parts.count);
    }
}

/* Takes an "et al." or 等 from the end. */
static struct slice without_others(struct parse *p, struct slice source)
{
    static const char *const endings[] = {"et al.", "et al", "等", "et. al."};
    source = slice_trim(source);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t length = strlen(endings[i]);
        if (source.length < length ||
            strncasecmp(source.bytes + source.length - length, endings[i], length) != 0)
            continue;
        bool apart = source.length == length || i == 2 ||
                     strchr(" ,\t\n", source.bytes[source.length - length - 1]) != NULL;
        if (!apart)
            continue;
        p->names.others = true;
        source.length -= length;
        return slice_trim(source);
    }
    return source;
}

struct names names_parse(struct arena *arena, struct slice source)
{
    struct parse p = {.arena = arena};
    struct words list;
    names_of(&list, arena, without_others(&p, source));
    for (size_t i = 0; i < list.count; i++) {
        struct slice one = list.list[i];
        struct slice inside = braced(one);
        if (slice_like(one, "others") || slice_like(inside, "et al.") ||
            slice_like(inside, "et al"))
            p.names.others = true;
        else if (room(&p))
            add_name(&p, one);
    }
    return p.names;
}

static void append_part(struct buf *text, struct slice part, bool space)
{
    if (space && text->length > 0 && part.length > 0 &&
        !(part.bytes[0] == '-' || text->data[text->length - 1] == '\''))
        buf_char(text, ' ');
    buf_append(text, part.bytes, part.length);
}

struct slice name_family(struct arena *arena, const struct name *name)
{
    if (name->particle.length == 0)
        return name->family;
    struct buf text = buf_on(arena);
    append_part(&text, name->particle, false);
    append_part(&text, name->family, true);
    return (struct slice){text.data, text.length};
}

struct slice name_display(struct arena *arena, const struct name *name)
{
    struct buf text = buf_on(arena);
    struct slice family = name_family(arena, name);
    bool han = han_length(family) > 0 &&
               (name->given.length == 0 || han_length(name->given) > 0);
    append_part(&text, han ? family : name->given, false);
    append_part(&text, han ? name->given : family, !han);
    append_part(&text, name->suffix, true);
    return (struct slice){text.data, text.length};
}

struct name name_of_parts(struct slice given, struct slice particle, struct slice family,
                          struct slice suffix)
{
    struct name name = {
        .family = {"", 0}
    };
    name.given = name_without_marks(&name, given);
    name.particle = name_without_marks(&name, particle);
    name.family = name_without_marks(&name, family);
    name.suffix = name_without_marks(&name, suffix);
    if (name.family.length == 0) {
        name.family = name.given.length > 0 ? name.given : name.particle;
        name.given = (struct slice){"", 0};
    }
    if (name.given.length == 0)
        divide_han(&name);
    return name;
}
