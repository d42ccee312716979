/* The spellings under which a person may be printed. A name in full is strong: who alone
 * has it is linked by it. Initials and parts of a name are weak: they are asked about. */
#include "db/store/entity.h"
#include "db/store/person.h"
#include "server/base/buf.h"
#include "server/base/utf8.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { VARIANTS = 8 }; /* of a given or a family name */

struct aliases {
    struct arena *arena;
    json_t *list, *seen;
    bool stated; /* those being added are given by a person, not derived */
};

struct variants {
    const char *text[VARIANTS];
    size_t count;
};

/* Has at most one of several words more than a letter? */
static bool initials_alone(const char *folded)
{
    size_t words = 0, longer = 0;
    while (*folded != '\0') {
        size_t length = strcspn(folded, " ");
        words++;
        longer += utf8_length(folded, length) > 1;
        folded += length + (folded[length] == ' ');
    }
    return words > 1 && longer < 2;
}

static void add(struct aliases *a, const char *name, bool weak)
{
    const char *folded = name_folded(a->arena, name);
    if (*folded == '\0' || json_object_get(a->seen, folded) != NULL)
        return;
    json_object_set_new(a->seen, folded, json_true());
    json_array_append_new(a->list, json_pack("{s:s, s:s, s:b, s:b}", "name", name,
                                             "folded", folded, "stated", a->stated,
                                             "weak", weak || initials_alone(folded)));
}

static void add_both_orders(struct aliases *a, const char *given, const char *family,
                            bool weak)
{
    add(a, arena_print(a->arena, "%s %s", given, family), weak);
    add(a, arena_print(a->arena, "%s %s", family, given), weak);
}

static void vary(struct variants *v, const char *text)
{
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->text[i], text) == 0)
            return;
    if (v->count < VARIANTS && *text != '\0')
        v->text[v->count++] = text;
}

/* `text` with each of the ASCII characters `from` as `to`; 0: left out. */
static char *exchanged(struct arena *arena, const char *text, const char *from, char to)
{
    struct buf out = buf_on(arena);
    for (; *text != '\0'; text++)
        if (strchr(from, *text) == NULL)
            buf_char(&out, *text);
        else if (to != '\0')
            buf_char(&out, to);
    return out.data;
}

/* Hyphens may be spaces, and either may be left out. */
static void vary_joints(struct variants *v, struct arena *arena, const char *text)
{
    vary(v, text);
    vary(v, exchanged(arena, text, "-", ' '));
    vary(v, exchanged(arena, text, "- ", '\0'));
}

/* The Chinese surnames of two syllables, which are written together and apart. */
static const char *const compound[][2] = {
    {"ou",    "yang"},
    {"si",    "tu"  },
    {"si",    "ma"  },
    {"shang", "guan"},
    {"zhu",   "ge"  },
    {"huang", "fu"  },
    {"xia",   "hou" },
    {"mu",    "rong"},
    {"yu",    "wen" },
    {"zhang", "sun" },
    {"ling",  "hu"  },
    {"gong",  "sun" },
    {"dong",  "fang"},
    {"xuan",  "yuan"},
    {"duan",  "mu"  },
    {"bai",   "li"  },
    {"nan",   "gong"},
    {"xi",    "men" },
    {"chang", "sun" },
    {"tuo",   "ba"  },
    {"zhong", "li"  },
};

static void vary_family(struct variants *v, struct arena *arena, const char *family)
{
    vary_joints(v, arena, family);
    const char *whole = name_folded(arena, family);
    for (size_t i = 0; i < sizeof compound / sizeof *compound; i++) {
        const char *first = compound[i][0], *second = compound[i][1];
        if (strcmp(arena_print(arena, "%s%s", first, second), whole) == 0)
            vary(v, arena_print(arena, "%s %s", first, second));
    }
}

/* The first letters of the parts of a given name, with `between` between them: "x l" of
 * "Xiao Li", of "Xiao-Li" too. */
static char *initials(struct arena *arena, const char *given, const char *between)
{
    struct buf out = buf_on(arena);
    bool start = true;
    size_t left = strlen(given), size;
    for (; left > 0; given += size, left -= size) {
        int32_t code = utf8_next(given, left, &size);
        bool gap = code == ' ' || code == '.' || code == '-' || code == 0x2010 ||
                   code == 0xB7 || code == 0x2011;
        if (!gap && start) {
            if (out.length > 0)
                buf_string(&out, between);
            buf_append(&out, given, size);
        }
        start = gap;
    }
    return out.data;
}

/* "Gabriel" of "Gabriel José"; "García" of "García Márquez". NULL: it is one word. */
static char *first_word(struct arena *arena, const char *text, const char *ends)
{
    size_t length = strcspn(text, ends);
    return text[length] == '\0' || length == 0 ? NULL : arena_copy(arena, text, length);
}

/* "Beethoven" of "van Beethoven", which sort without their particle in places. */
static const char *without_particle(const char *family)
{
    static const char *const particles[] = {
        "van ", "de ",  "der ", "den ", "von ", "zu ", "la ",   "le ", "du ",
        "da ",  "do ",  "dos ", "di ",  "del ", "el ", "al-",   "al ", "bin ",
        "ibn ", "ten ", "ter ", "zur ", "vom ", "d'",  "della "};
    const char *rest = family;
    for (size_t i = 0; i < sizeof particles / sizeof *particles;) {
        size_t length = strlen(particles[i]);
        bool there = strncasecmp(rest, particles[i], length) == 0 && rest[length] != '\0';
        rest += there ? length : 0;
        i = there ? 0 : i + 1;
    }
    return rest == family ? NULL : rest;
}

static void add_weak(struct aliases *a, const char *given,
                     const struct variants *families)
{
    struct variants v = {0};
    const char *apart = exchanged(a->arena, given, "-", ' ');
    const char *first = first_word(a->arena, given, " ");
    const char *letters = initials(a->arena, given, " ");
    vary(&v, letters);
    vary(&v, initials(a->arena, given, ""));
    if (*letters != '\0') { /* "X. Wang" of Xiao-Ling Wang */
        size_t size;
        utf8_next(letters, strlen(letters), &size);
        vary(&v, arena_copy(a->arena, letters, size));
    }
    if (first != NULL) { /* "John Public", "John Q. Public" */
        vary(&v, first);
        vary(&v, arena_print(a->arena, "%s %s", first,
                             initials(a->arena, apart + strlen(first), " ")));
    }
    for (size_t i = 0; i < families->count; i++)
        for (size_t j = 0; j < v.count; j++)
            add_both_orders(a, v.text[j], families->text[i], true);
}

static void add_latin(struct aliases *a, const char *given, const char *family)
{
    struct variants givens = {0}, families = {0}, parts = {0};
    vary_joints(&givens, a->arena, given);
    vary_family(&families, a->arena, family);
    for (size_t i = 0; i < families.count; i++)
        for (size_t j = 0; j < givens.count; j++)
            add_both_orders(a, givens.text[j], families.text[i], false);
    add_weak(a, given, &families);
    const char *short_family = without_particle(family);
    if (short_family == NULL)
        short_family = first_word(a->arena, family, " -");
    if (short_family == NULL)
        return;
    vary(&parts, short_family);
    for (size_t j = 0; j < givens.count; j++)
        add_both_orders(a, givens.text[j], short_family, true);
    add_weak(a, given, &parts);
}

/* Letters that are also written as two, or in passports as others. */
static const struct {
    const char *letters[10][2];
} written[] = {
    {{{"ä", "ae"},
      {"ö", "oe"},
      {"ü", "ue"},
      {"ø", "oe"},
      {"å", "aa"},
      {"Ä", "Ae"},
      {"Ö", "Oe"},
      {"Ü", "Ue"},
      {"Ø", "Oe"},
      {"Å", "Aa"}}},
    {{{"ü", "yu"}, {"Ü", "Yu"}, {"ǚ", "yu"}, {"ǜ", "yu"}, {"ǘ", "yu"}, {"ǖ", "yu"}}},
    {{{"ü", "v"}, {"Ü", "V"}, {"ǚ", "v"}, {"ǜ", "v"}, {"ǘ", "v"}, {"ǖ", "v"}}},
};

static const char *written_as(struct arena *arena, const char *text, size_t way)
{
    struct buf out = buf_on(arena);
    while (*text != '\0') {
        const char *as = NULL;
        size_t length = 1;
        for (size_t i = 0; i < 10 && as == NULL && written[way].letters[i][0]; i++) {
            length = strlen(written[way].letters[i][0]);
            if (strncmp(text, written[way].letters[i][0], length) == 0)
                as = written[way].letters[i][1];
        }
        if (as != NULL) {
            buf_string(&out, as);
            text += length;
        } else {
            buf_char(&out, *text++);
        }
    }
    return out.data;
}

static void add_name(struct aliases *a, const char *given, const char *family)
{
    add_latin(a, given, family);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        const char *other_given = written_as(a->arena, given, i);
        const char *other_family = written_as(a->arena, family, i);
        if (strcmp(other_given, given) != 0 || strcmp(other_family, family) != 0)
            add_latin(a, other_given, other_family);
    }
}

/* A stated name is one as it stands; what follows of it is derived. "Zhang, Mei" says
 * which the family name is; else it is the last word. */
static void add_stated(struct aliases *a, const char *name)
{
    const char *comma = strrchr(name, ','), *gap = strrchr(name, ' ');
    a->stated = true;
    add(a, name, false);
    a->stated = false;
    if (utf8_has_han(name, strlen(name)))
        return;
    if (comma != NULL && comma > name && comma[1 + strspn(comma + 1, " ")] != '\0')
        add_name(a, comma + 1 + strspn(comma + 1, " "),
                 arena_copy(a->arena, name, (size_t)(comma - name)));
    else if (comma == NULL && gap != NULL && gap > name && gap[1] != '\0')
        add_name(a, arena_copy(a->arena, name, (size_t)(gap - name)), gap + 1);
}

json_t *person_aliases(struct arena *arena, json_t *document)
{
    struct aliases a = {.arena = arena, .list = json_array(), .seen = json_object()};
    json_t *other_names = json_object_get(document, "other_names"), *other;
    size_t index;
    const char *given = text_of(document, "given_latin");
    const char *family = text_of(document, "family_latin");
    const char *han = text_of(document, "name_han");
    /* What is stated first, then names in full, so that nothing weak stands before. */
    json_array_foreach(other_names, index, other)
    {
        a.stated = true;
        if (text_of(other, "name") != NULL)
            add(&a, text_of(other, "name"), false);
    }
    a.stated = false;
    if (han != NULL)
        add(&a, han, false);
    if (given != NULL && family != NULL) {
        const char *latin = arena_print(arena, "%s %s", given, family);
        if (han != NULL) { /* "Xiao Lin (林晓)" */
            add(&a, arena_print(arena, "%s %s", latin, han), false);
            add(&a, arena_print(arena, "%s %s", han, latin), false);
        }
        add_name(&a, given, family);
    } else if (given != NULL || family != NULL) {
        add(&a, given != NULL ? given : family, false);
    }
    json_array_foreach(other_names, index, other)
    {
        if (text_of(other, "name") != NULL)
            add_stated(&a, text_of(other, "name"));
    }
    return a.list;
}
