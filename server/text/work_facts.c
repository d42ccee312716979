/* Dates, pages, identifiers and languages of works; see work_facts.h. */
#include "server/text/work_facts.h"

#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/slice.h"
#include "server/base/utf8.h"

#include <strings.h>

const char *work_identifier(const json_t *work, const char *scheme)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(work, "identifiers"), i, one)
    {
        const char *has = text_of(one, "scheme");
        if (has != NULL && strcmp(has, scheme) == 0)
            return filled_of(one, "value");
    }
    return NULL;
}

const char *identifier_address(struct arena *arena, const char *scheme, const char *value)
{
    static const struct {
        const char *scheme, *prefix;
    } places[] = {
        {"doi",   "https://doi.org/"                },
        {"arxiv", "https://arxiv.org/abs/"          },
        {"pmid",  "https://pubmed.ncbi.nlm.nih.gov/"},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (value == NULL || strcmp(places[i].scheme, scheme) != 0)
            continue;
        struct buf url = buf_on(arena);
        buf_string(&url, places[i].prefix);
        for (; *value != '\0'; value++)
            if (strchr("<>\"#%?[]\\^`{|} ", *value) != NULL ||
                (unsigned char)*value < ' ')
                buf_print(&url, "%%%02X", (unsigned char)*value);
            else
                buf_char(&url, *value);
        return url.data;
    }
    return NULL;
}

static int part(const json_t *work, const char *key, int most)
{
    int64_t number = integer_at(work, key);
    return number > 0 && number <= most ? (int)number : 0;
}

const char *work_date_text(struct arena *arena, const json_t *work)
{
    int year = part(work, "year", 9999), month = part(work, "month", 12),
        day = part(work, "day", 31);
    if (year == 0)
        return NULL;
    if (month == 0)
        return arena_print(arena, "%04d", year);
    return day == 0 ? arena_print(arena, "%04d-%02d", year, month)
                    : arena_print(arena, "%04d-%02d-%02d", year, month, day);
}

/* The length of a dash, or of several hyphens in a row, at `text`; 0: there is none. */
static size_t dash_at(const char *text)
{
    return *text == '-'                           ? strspn(text, "-")
           : strncmp(text, "–", strlen("–")) == 0 ? strlen("–")
                                                  : 0;
}

struct work_pages work_pages(struct arena *arena, const json_t *work)
{
    const char *text = filled_of(work, "pages");
    struct work_pages pages = {.shown = text};
    size_t at = 0, dash = 0;
    if (text == NULL)
        return pages;
    while (text[at] != '\0' && (dash = dash_at(text + at)) == 0)
        at++;
    struct slice first = slice_trim((struct slice){text, at});
    struct slice last = slice_trim(slice_of(text + at + dash));
    bool single = memchr(first.bytes, ',', first.length) == NULL &&
                  memchr(first.bytes, ' ', first.length) == NULL && first.length > 0;
    if (!single)
        return pages;
    pages.first = arena_copy(arena, first.bytes, first.length);
    for (size_t i = 0; i < last.length; i++)
        if (strchr(",; ", last.bytes[i]) != NULL || dash_at(last.bytes + i) > 0)
            return pages;
    if (last.length > 0) {
        pages.last = arena_copy(arena, last.bytes, last.length);
        pages.shown = arena_print(arena, "%s–%s", pages.first, pages.last);
    }
    return pages;
}

const char *text_language(const char *text)
{
    return text != NULL && utf8_has_han(text, strlen(text)) ? "zh" : "en";
}

const char *work_language(const json_t *work)
{
    static const struct {
        const char *name, *tag;
    } names[] = {
        {"english",  "en"},
        {"american", "en"},
        {"british",  "en"},
        {"ngerman",  "de"},
        {"german",   "de"},
        {"french",   "fr"},
        {"spanish",  "es"},
        {"japanese", "ja"},
        {"chinese",  "zh"},
        {"中文",   "zh"},
    };
    const char *said = filled_of(work, "language");
    for (size_t i = 0; said != NULL && i < sizeof names / sizeof names[0]; i++)
        if (strcasecmp(said, names[i].name) == 0)
            return names[i].tag;
    size_t letters = said != NULL ? strspn(said, "abcdefghijklmnopqrstuvwxyz") : 0;
    if (said != NULL && (letters == 2 || letters == 3) &&
        (said[letters] == '\0' || said[letters] == '-') &&
        said[strspn(said, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"
                          "0123456789")] == '\0')
        return said;
    return text_language(filled_of(work, "title"));
}
