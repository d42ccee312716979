/* Authors and venues as they are compared: names in any order, shortened or accented;
 * journals by title, abbreviation or acronym. */
#include "server/text/same_work_private.h"

#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/utf8.h"

#include <string.h>

enum { NAMES_MOST = 40, PARTS_MOST = 12 };

/* A name: its words folded, ae, oe and ue as a, o and u; a Han name is one word. */
struct name {
    const char *family, *initial;
    const char *parts[PARTS_MOST];
    size_t count;
    bool han;
};

struct names {
    struct name list[NAMES_MOST];
    size_t count;
};

static char *plain(struct arena *arena, const char *text, size_t length)
{
    char *folded = utf8_fold(arena, text, length), *out = folded;
    for (const char *in = folded; *in != '\0'; in++) {
        if (*in == '\'' || *in == '`' ||
            (*in == 'e' && out > folded && strchr("aou", out[-1]) != NULL &&
             in[1] != '\0'))
            continue;
        *out++ = (*in >= 'a' && *in <= 'z') || (unsigned char)*in >= 0x80 ? *in : ' ';
    }
    *out = '\0';
    return folded;
}

static char *without_spaces(struct arena *arena, const char *text)
{
    char *copy = arena_string(arena, text), *out = copy;
    for (const char *in = copy; *in != '\0'; in++)
        if (*in != ' ')
            *out++ = *in;
    *out = '\0';
    return copy;
}

static void read_name(struct name *name, struct arena *arena, const json_t *author)
{
    const char *family = filled_of(author, "family"), *given = filled_of(author, "given");
    const char *whole = text_at(author, "name", "");
    if (family != NULL)
        whole = arena_print(arena, "%s %s", given != NULL ? given : "", family);
    name->han = utf8_has_han(whole, strlen(whole));
    if (name->han && family != NULL)
        whole = arena_print(arena, "%s%s", family, given != NULL ? given : "");
    char *words = plain(arena, whole, strlen(whole)), *word;
    if (name->han) {
        name->family = name->parts[name->count++] = without_spaces(arena, words);
        name->initial = "";
        return;
    }
    while ((word = strsep(&words, " ")) != NULL)
        if (*word != '\0' && name->count < PARTS_MOST)
            name->parts[name->count++] = word;
    if (name->count == 0)
        name->parts[name->count++] = "";
    name->family = name->parts[name->count - 1];
    if (family != NULL)
        name->family = without_spaces(arena, plain(arena, family, strlen(family)));
    name->initial = family != NULL && given == NULL ? "" : name->parts[0];
}

static const json_t *people(const json_t *document)
{
    const json_t *authors = json_object_get(document, "authors");
    return json_array_size(authors) > 0 ? authors : json_object_get(document, "editors");
}

static void read_names(struct names *names, struct arena *arena, const json_t *document)
{
    const json_t *authors = people(document);
    names->count = 0;
    for (size_t i = 0; i < json_array_size(authors) && i < NAMES_MOST; i++) {
        struct name *name = &names->list[names->count];
        *name = (struct name){.count = 0};
        read_name(name, arena, json_array_get(authors, i));
        names->count += *name->family != '\0' && strcmp(name->family, "others") != 0;
    }
}

const char *authors_first(struct arena *arena, const json_t *document)
{
    struct name name = {.count = 0};
    const json_t *authors = people(document);
    if (json_array_size(authors) == 0)
        return "";
    read_name(&name, arena, json_array_get(authors, 0));
    return name.family;
}

/* "van der Berg" and "Berg", "Garcia Marquez" and "Garcia". */
static bool same_family(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n < m)
        return same_family(b, a);
    if (strcmp(a, b) == 0 || word_mistyped(a, b))
        return true;
    return m >= 4 && (strcmp(a + n - m, b) == 0 || strncmp(a, b, m) == 0);
}

static bool same_words(const struct name *a, const struct name *b)
{
    size_t found = 0;
    if (a->count != b->count || a->count < 2)
        return false;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (strcmp(a->parts[i], b->parts[j]) == 0) {
                found++;
                break;
            }
    return found == a->count;
}

static bool has_initial(const struct name *name, char initial)
{
    for (size_t i = 0; i < name->count; i++)
        if (name->parts[i][0] == initial)
            return true;
    return false;
}

static bool same_name(const struct name *a, const struct name *b)
{
    if (a->han != b->han)
        return false;
    if (same_words(a, b))
        return true;
    if (!same_family(a->family, b->family))
        return false;
    return *a->initial == '\0' || *b->initial == '\0' || has_initial(a, *b->initial) ||
           has_initial(b, *a->initial);
}

static bool comparable(const struct names *a, const struct names *b)
{
    return a->count > 0 && b->count > 0 && a->list[0].han == b->list[0].han;
}

enum authors_likeness authors_compare(struct arena *arena, const json_t *a,
                                      const json_t *b)
{
    struct names *x = ARENA_NEW(arena, struct names), *y = ARENA_NEW(arena, struct names);
    read_names(x, arena, a);
    read_names(y, arena, b);
    if (!comparable(x, y))
        return AUTHORS_UNKNOWN;
    size_t found = 0, least = x->count < y->count ? x->count : y->count;
    for (size_t i = 0; i < x->count; i++)
        for (size_t j = 0; j < y->count; j++)
            if (same_name(&x->list[i], &y->list[j])) {
                found++;
                break;
            }
    bool first = same_name(&x->list[0], &y->list[0]);
    if (found > least)
        found = least;
    if (found == 0)
        return AUTHORS_OTHER;
    if (first ? 2 * found >= least : found == least && least >= 2)
        return AUTHORS_GOOD;
    return AUTHORS_WEAK;
}

/* Words that a name of a journal or conference may lack. */
static bool empty_word(const char *word)
{
    static const char *const words[] = {"the",
                                        "of",
                                        "and",
                                        "on",
                                        "in",
                                        "for",
                                        "a",
                                        "an",
                                        "to",
                                        "de",
                                        "der",
                                        "et",
                                        "und",
                                        "fur",
                                        "la",
                                        "proceedings",
                                        "proc",
                                        "annual",
                                        "international",
                                        "int",
                                        "intl",
                                        "conference",
                                        "conf",
                                        "ieee",
                                        "acm",
                                        "th",
                                        "st",
                                        "nd",
                                        "rd",
                                        NULL};
    for (const char *c = word; *c != '\0'; c++)
        if (*c >= '0' && *c <= '9')
            return true;
    for (size_t i = 0; words[i] != NULL; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static void drop_empty(struct title *title)
{
    size_t kept = 0;
    for (size_t i = 0; i < title->count; i++)
        if (!empty_word(title->words[i]))
            title->words[kept++] = title->words[i];
    if (kept > 0)
        title->count = kept;
}

static bool abbreviates(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > m)
        return abbreviates(b, a);
    return strncmp(a, b, n) == 0 || (n >= 3 && a[0] == b[0] && a[n - 1] == b[m - 1] &&
                                     a[1] != '\0' && strchr(b + 1, a[1]) != NULL);
}

static bool words_in_order(const struct title *a, const struct title *b)
{
    size_t j = 0, found = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = j; k < b->count; k++)
            if (abbreviates(a->words[i], b->words[k])) {
                found++;
                j = k + 1;
                break;
            }
    return found == a->count && 2 * a->count >= b->count;
}

static bool acronym(const struct title *a, const struct title *b)
{
    for (size_t i = 0; i < a->count; i++) {
        size_t length = strlen(a->words[i]), k = 0;
        if (length < 3)
            continue;
        for (size_t j = 0; j < b->count && k < length; j++)
            k += b->words[j][0] == a->words[i][k];
        if (k == length || (b->count > 1 && strstr(b->squeezed, a->words[i]) != NULL))
            return true;
    }
    return false;
}

enum venue_likeness venue_compare(struct arena *arena, const char *a, const char *b)
{
    if (a == NULL || b == NULL || *a == '\0' || *b == '\0')
        return VENUE_UNKNOWN;
    struct title x = title_of(arena, a), y = title_of(arena, b);
    if (strcmp(x.squeezed, y.squeezed) == 0)
        return VENUE_SAME;
    struct title all_x = x, all_y = y;
    drop_empty(&x);
    drop_empty(&y);
    bool same =
        words_in_order(x.count <= y.count ? &x : &y, x.count <= y.count ? &y : &x);
    return same || acronym(&x, &all_y) || acronym(&y, &all_x) ? VENUE_SAME : VENUE_OTHER;
}
