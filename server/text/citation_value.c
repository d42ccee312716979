/* The values that templates of citations ask for, each from the keys of a publication
 * document. */
#include "server/base/document.h"
#include "server/base/slice.h"
#include "server/base/utf8.h"
#include "server/text/citation_private.h"
#include "server/text/work_facts.h"

#include <stdlib.h>
#include <strings.h>

const char *citation_clean(struct arena *arena, const char *text)
{
    char *clean = arena_copy(arena, text, strlen(text));
    for (char *at = clean; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7F)
            *at = ' ';
        else if (strncmp(at, "\xC2\xA0", 2) == 0) /* no-break space */
            at[0] = at[1] = ' ';
    struct slice trimmed = slice_trim(slice_of(clean));
    return arena_copy(arena, trimmed.bytes, trimmed.length);
}

static const char *plain(const struct citing *citing, const char *key)
{
    const char *text = filled_of(citing->work, key);
    if (text == NULL)
        return NULL;
    text = citation_clean(citing->arena, text);
    return *text != '\0' ? text : NULL;
}

static const char *title(struct citing *citing)
{
    return plain(citing, "title");
}

static const char *venue(struct citing *citing)
{
    return plain(citing, "venue");
}

static const char *series(struct citing *citing)
{
    return plain(citing, "series");
}

static size_t dashes_at(const char *text)
{
    size_t length = 0;
    while (text[length] == '-' || strncmp(text + length, "–", strlen("–")) == 0)
        length += text[length] == '-' ? 1 : strlen("–");
    return length;
}

/* Is the dash at `at` that of a range? Numbers stand beside it, and no other in its word:
 * the article "plant-080720-090632" is none, nor is "n/a-n/a". */
static bool is_range(const char *text, size_t at, size_t dashes)
{
    if (at == 0 || (!text_digit(text[at - 1]) && !text_digit(text[at + dashes])))
        return false;
    for (size_t i = at; i > 0 && strchr(" ,;&", text[i - 1]) == NULL; i--)
        if (text[i - 1] == '-' || (i >= 3 && dashes_at(text + i - 3) > 0))
            return false;
    for (size_t i = at + dashes; text[i] != '\0' && strchr(" ,;&", text[i]) == NULL; i++)
        if (dashes_at(text + i) > 0)
            return false;
    return true;
}

/* Ranges of numbers with the style's sign. */
static const char *ranged(const struct citing *citing, const char *text)
{
    struct buf out = buf_on(citing->arena);
    for (size_t at = 0; text != NULL && text[at] != '\0';) {
        size_t dashes = dashes_at(text + at);
        if (dashes > 0 && is_range(text, at, dashes))
            buf_string(&out, citing->rules->range);
        else
            buf_append(&out, text + at, dashes > 0 ? dashes : 1);
        at += dashes > 0 ? dashes : 1;
    }
    return out.length > 0 ? out.data : NULL;
}

/* "1 - 8" means 1-8. */
static const char *pages(struct citing *citing)
{
    const char *text = plain(citing, "pages");
    if (text == NULL || text[dashes_at(text)] == '\0')
        return NULL;
    struct buf tight = buf_on(citing->arena);
    for (; *text != '\0'; text++)
        if (*text != ' ' ||
            (strncmp(text, " -", 2) != 0 && strncmp(text, " \xE2\x80\x93", 4) != 0 &&
             (tight.length == 0 || tight.data[tight.length - 1] != '-')))
            buf_char(&tight, *text);
    return ranged(citing, tight.data);
}

static const char *page_term(struct citing *citing)
{
    const char *text = plain(citing, "pages");
    return text == NULL || strpbrk(text, "-,\xE2") == NULL ? "p." : "pp.";
}

static const char *volume(struct citing *citing)
{
    return ranged(citing, plain(citing, "volume"));
}

/* GB/T 7714 has no label for a journal's volume, but one for a book's. */
static const char *book_volume(struct citing *citing)
{
    const char *text = volume(citing);
    if (text == NULL || text[strspn(text, "0123456789")] != '\0')
        return text;
    return arena_print(citing->arena, citing->chinese ? "卷 %s" : "Vol. %s", text);
}

static const char *issue(struct citing *citing)
{
    return ranged(citing, plain(citing, "issue"));
}

static const char *number(struct citing *citing)
{
    return plain(citing, "number");
}

static const char *publisher(struct citing *citing)
{
    return plain(citing, "publisher");
}

static const char *place(struct citing *citing)
{
    return plain(citing, "place");
}

static const char *genre(struct citing *citing)
{
    return plain(citing, "genre");
}

static const char *ordinal(long number)
{
    long ten = number % 100, one = number % 10;
    if (ten >= 11 && ten <= 13)
        return "th";
    return one == 1 ? "st" : one == 2 ? "nd" : one == 3 ? "rd" : "th";
}

/* "2", "2nd", "Second" as "2nd ed.", "Second ed."; what has the word already, as it is.
 */
static const char *edition(struct citing *citing)
{
    const char *text = plain(citing, "edition");
    if (text == NULL)
        return NULL;
    char *end;
    long number = strtol(text, &end, 10);
    if (*end == '\0' && number > 0 && number < 10000)
        return citing->gbt && citing->chinese
                   ? arena_print(citing->arena, "%ld 版", number)
                   : arena_print(citing->arena, "%ld%s ed.", number, ordinal(number));
    const char *last = strrchr(text, ' ');
    bool said = utf8_has_han(text, strlen(text)) || strcasestr(text, "ed.") != NULL ||
                strcasestr(text, "edition") != NULL || text_digit(end[0]) ||
                strncasecmp(text, "version", 7) == 0 || *text == 'v';
    return said || (last != NULL && strncasecmp(last, " ed", 3) == 0)
               ? text
               : arena_print(citing->arena, "%s ed.", text);
}

static int part(const struct citing *citing, const char *key, int most)
{
    int64_t number = integer_at(citing->work, key);
    return number > 0 && number <= most ? (int)number : 0;
}

static const char *year(struct citing *citing)
{
    int number = part(citing, "year", 9999);
    return number > 0 ? arena_print(citing->arena, "%d", number) : NULL;
}

/* "Jan. 2020", or "January 2020" where the style has long names. */
static const char *month_year(struct citing *citing)
{
    int month = part(citing, "month", 12);
    const char *number = year(citing);
    return number == NULL || month == 0
               ? number
               : arena_print(citing->arena, "%s %s", citing->rules->months[month - 1],
                             number);
}

static const char *long_date(struct citing *citing)
{
    int month = part(citing, "month", 12), day = part(citing, "day", 31);
    const char *number = year(citing);
    return number == NULL || month == 0 || day == 0
               ? month_year(citing)
               : arena_print(citing->arena, "%s %02d, %s",
                             citing->rules->months[month - 1], day, number);
}

static const char *iso_date(struct citing *citing)
{
    int month = part(citing, "month", 12), day = part(citing, "day", 31);
    const char *number = year(citing);
    if (number == NULL || month == 0)
        return number;
    return day == 0 ? arena_print(citing->arena, "%s-%02d", number, month)
                    : arena_print(citing->arena, "%s-%02d-%02d", number, month, day);
}

static const char *identifier(const struct citing *citing, const char *scheme)
{
    const char *value = work_identifier(citing->work, scheme);
    return value != NULL ? citation_clean(citing->arena, value) : NULL;
}

static const char *linked(const struct citing *citing, const char *address,
                          const char *text)
{
    return arena_print(citing->arena, "%c%s%c%s%c", MARK_LINK, address, MARK_LINKED, text,
                       MARK_LINK_END);
}

/* An identifier behind `words`, as a link to where it leads. */
static const char *identified(const struct citing *citing, const char *scheme,
                              const char *words)
{
    const char *value = identifier(citing, scheme);
    return value == NULL
               ? NULL
               : linked(citing, identifier_address(citing->arena, scheme, value),
                        arena_print(citing->arena, "%s%s", words, value));
}

static const char *doi(struct citing *citing)
{
    return identified(citing, "doi", "");
}

static const char *doi_link(struct citing *citing)
{
    return identified(citing, "doi", "https://doi.org/");
}

static const char *eprint(struct citing *citing)
{
    return identified(citing, "arxiv", "arXiv:");
}

static const char *eprint_link(struct citing *citing)
{
    return identified(citing, "arxiv", "https://arxiv.org/abs/");
}

/* An address that says no more than the DOI does is left out. */
static const char *url(struct citing *citing)
{
    const char *value = plain(citing, "url");
    if (value == NULL || strpbrk(value, " \"<>") != NULL ||
        (strncasecmp(value, "https://", 8) != 0 && strncasecmp(value, "http://", 7) != 0))
        return NULL;
    if (identifier(citing, "doi") != NULL && strcasestr(value, "doi.org/") != NULL)
        return NULL;
    return linked(citing, value, value);
}

/* Where a preprint lies: "arXiv" for all that arXiv is called there. */
static const char *repository(struct citing *citing)
{
    const char *text = venue(citing);
    if (text == NULL)
        text = publisher(citing);
    bool arxiv = identifier(citing, "arxiv") != NULL;
    if (text == NULL)
        return arxiv ? "arXiv" : NULL;
    return strncasecmp(text, "arxiv", 5) == 0 || (arxiv && strcasecmp(text, "CoRR") == 0)
               ? "arXiv"
               : text;
}

static const char *online(struct citing *citing)
{
    return identifier(citing, "doi") != NULL || url(citing) != NULL ? "" : NULL;
}

/* "Technical Report": as part of its number a kind has capitals. */
static const char *genre_title(struct citing *citing)
{
    const char *text = genre(citing);
    if (text == NULL)
        return NULL;
    char *title = arena_copy(citing->arena, text, strlen(text));
    for (char *at = title; *at != '\0'; at++)
        if (*at >= 'a' && *at <= 'z' && (at == title || at[-1] == ' ') &&
            strncmp(at, "of ", 3) != 0 && strncmp(at, "and ", 4) != 0 &&
            strncmp(at, "for ", 4) != 0)
            *at = (char)(*at - 'a' + 'A');
    return title;
}

/* An edition of software and data: "Version 2.1". */
static const char *version(struct citing *citing)
{
    const char *text = plain(citing, "edition");
    return text != NULL && text_digit(*text)
               ? arena_print(citing->arena, "Version %s", text)
               : text;
}

/* Conditions: an empty value when they hold. */
static const char *unnumbered(struct citing *citing)
{
    return number(citing) == NULL ? "" : NULL;
}

static const char *published(struct citing *citing)
{
    return place(citing) != NULL || publisher(citing) != NULL || pages(citing) != NULL
               ? ""
               : NULL;
}

/* Nature gives the DOI of what has no volume. */
static const char *unvolumed(struct citing *citing)
{
    return volume(citing) == NULL ? "" : NULL;
}

/* The mark of GB/T 7714-2015, annex B: what kind of thing and whether it is online. */
static const char *mark(struct citing *citing)
{
    static const struct {
        const char *kind, *mark;
    } marks[] = {
        {"article",    "J" },
        {"conference", "C" },
        {"book",       "M" },
        {"chapter",    "M" },
        {"thesis",     "D" },
        {"report",     "R" },
        {"preprint",   "EB"},
        {"software",   "CP"},
        {"dataset",    "DS"},
    };
    static const struct {
        const char *word, *mark;
    } genres[] = {
        {"patent",    "P"},
        {"专利",    "P"},
        {"standard",  "S"},
        {"标准",    "S"},
        {"newspaper", "N"},
        {"报纸",    "N"},
    };
    const char *kind = text_at(citing->work, "kind", ""), *found = NULL;
    const char *said = genre(citing), *type = plain(citing, "bibtex_type");
    bool web = url(citing) != NULL || identifier(citing, "doi") != NULL;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strcmp(kind, marks[i].kind) == 0)
            found = marks[i].mark;
    for (size_t i = 0; found == NULL && i < sizeof genres / sizeof genres[0]; i++)
        if ((said != NULL && strcasestr(said, genres[i].word) != NULL) ||
            (type != NULL && strcasecmp(type, genres[i].word) == 0))
            found = genres[i].mark;
    if (found == NULL)
        found = web ? "EB" : "Z";
    web = web || (strcmp(found, "EB") == 0 && identifier(citing, "arxiv") != NULL);
    return web ? arena_print(citing->arena, "%s/OL", found) : found;
}

/* Editors stand for authors where there are none; those of a volume do not for the
 * chapter or paper in it. */
static const char *authors(struct citing *citing)
{
    const struct citation_rules *rules = citing->rules;
    const char *names =
        citation_people(citing, json_object_get(citing->work, "authors"), &rules->authors,
                        truth_at(citing->work, "others"));
    if (names != NULL || citing->part)
        return names;
    const json_t *people = json_object_get(citing->work, "editors");
    names = citation_people(citing, people, &rules->authors, false);
    if (names == NULL)
        return NULL;
    citing->editors_taken = true;
    return arena_print(citing->arena, "%s%s", names,
                       rules->as_authors[json_array_size(people) > 1]);
}

static const char *editors(struct citing *citing)
{
    return citing->editors_taken
               ? NULL
               : citation_people(citing, json_object_get(citing->work, "editors"),
                                 &citing->rules->editors, false);
}

static const char *editor_term(struct citing *citing)
{
    size_t count = json_array_size(json_object_get(citing->work, "editors"));
    return citing->rules->editor_of[count > 1];
}

const char *citation_value(struct citing *citing, const char *name, size_t length,
                           bool *decoration)
{
    static const struct {
        const char *name;
        const char *(*value)(struct citing *);
        bool decoration;
    } values[] = {
        {"authors",    authors,     false},
        {"bookvolume", book_volume, false},
        {"doi",        doi,         false},
        {"doilink",    doi_link,    false},
        {"edition",    edition,     false},
        {"editors",    editors,     false},
        {"eds",        editor_term, true },
        {"eprint",     eprint,      false},
        {"eprintlink", eprint_link, false},
        {"genre",      genre,       false},
        {"genretitle", genre_title, false},
        {"isodate",    iso_date,    false},
        {"issue",      issue,       false},
        {"longdate",   long_date,   false},
        {"mark",       mark,        true },
        {"monthyear",  month_year,  false},
        {"number",     number,      false},
        {"online",     online,      false},
        {"p",          page_term,   true },
        {"pages",      pages,       false},
        {"place",      place,       false},
        {"published",  published,   false},
        {"publisher",  publisher,   false},
        {"repository", repository,  false},
        {"series",     series,      false},
        {"title",      title,       false},
        {"unnumbered", unnumbered,  false},
        {"unvolumed",  unvolumed,   false},
        {"url",        url,         false},
        {"version",    version,     false},
        {"venue",      venue,       false},
        {"volume",     volume,      false},
        {"year",       year,        false},
    };
    struct slice asked = {name, length};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (slice_is(asked, values[i].name)) {
            *decoration = values[i].decoration;
            return values[i].value(citing);
        }
    *decoration = false;
    return NULL;
}
