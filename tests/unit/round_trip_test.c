/* What is written reads back as the document that was written: every entry of the corpus
 * through each format. What a format cannot say is listed in its header, and here. */
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/text/biblatex_write.h"
#include "server/text/bibliography.h"
#include "server/text/bibtex_write.h"
#include "server/text/csl_write.h"
#include "server/text/ris_write.h"
#include "tests/support/corpus.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void csl_write(struct buf *out, json_t *work)
{
    json_t *list = json_array();
    json_array_append_new(list, csl_item(work));
    buf_string(out, json_dumps(list, 0));
}

/* Keys that the format does not say; a space around each. */
#define OF_THE_LAB " bibtex bibtex_key bibtex_type "

struct format {
    const char *name;
    void (*write)(struct buf *out, json_t *work);
    enum bibliography_format reader;
    const char *unsaid;
};

static const struct format formats[] = {
    {"bibtex",   bibtex_write,   BIBLIOGRAPHY_BIBTEX,   OF_THE_LAB                },
    {"biblatex", biblatex_write, BIBLIOGRAPHY_BIBTEX,   OF_THE_LAB                },
    {"csl-json", csl_write,      BIBLIOGRAPHY_CSL_JSON, OF_THE_LAB                },
    {"ris",      ris_write,      BIBLIOGRAPHY_RIS,      OF_THE_LAB "others award "},
};
enum { FORMATS = sizeof formats / sizeof formats[0], KEYS = 64 };

struct tally {
    size_t files, works, same[FORMATS];
    char keys[FORMATS][KEYS][24];
    size_t count[FORMATS][KEYS];
};

static bool unsaid(const struct format *format, const char *key)
{
    const char *at = strstr(format->unsaid, key);
    return at != NULL && at[-1] == ' ' && at[strlen(key)] == ' ';
}

/* RIS has no links but to PDFs. */
static json_t *as_said(const struct format *format, const char *key, json_t *value)
{
    size_t i;
    json_t *one, *list = json_array();
    if (format->reader != BIBLIOGRAPHY_RIS || strcmp(key, "links") != 0)
        return value;
    json_array_foreach(value, i, one) if (strcmp(text_at(one, "kind", ""), "pdf") == 0)
        json_array_append(list, one);
    return list;
}

static bool markup(const char *text)
{
    return strpbrk(text, "<>") != NULL || strstr(text, "&#") != NULL ||
           strstr(text, "&amp;") != NULL;
}

static bool is_others(json_t *person)
{
    return strcasecmp(text_at(person, "name", ""), "others") == 0;
}

/* A comma within a part, or a suffix in the place of the given name. */
static bool divided_again(json_t *person)
{
    if (markup(text_at(person, "name", "")))
        return true;
    static const char *const suffixes[] = {"Jr.", "II", "3rd"};
    const char *given = text_at(person, "given", "");
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (strcmp(given, suffixes[i]) == 0)
            return true;
    return strchr(given, ',') != NULL ||
           strchr(text_at(person, "family", ""), ',') != NULL;
}

/* Nor has it marks of authors, nor a way to say that a name of several words is one. */
static bool same_people(json_t *written, json_t *read)
{
    size_t others = 0;
    for (size_t i = 0; i < json_array_size(written); i++) {
        json_t *one = json_array_get(written, i), *other = json_array_get(read, i);
        bool whole = filled_of(one, "given") == NULL;
        others += is_others(one);
        if (divided_again(one) || is_others(one))
            continue;
        if (!json_equal(json_object_get(one, "name"), json_object_get(other, "name")) ||
            (!whole && (!json_equal(json_object_get(one, "family"),
                                    json_object_get(other, "family")) ||
                        !json_equal(json_object_get(one, "given"),
                                    json_object_get(other, "given")))))
            return false;
    }
    return json_array_size(written) - others == json_array_size(read);
}

/* "1–1" is read as page 1; dashes of other kinds as one between two pages. */
static bool odd_pages(const char *pages)
{
    const char *dash = strstr(pages, "–");
    return strstr(pages, "—") != NULL || strchr(pages, '-') != NULL ||
           (dash != NULL && strncmp(pages, dash + 3, (size_t)(dash - pages)) == 0);
}

/* The same, or what readers of RIS take for something else (ris_write.h). */
static bool same_in_ris(json_t *work, const char *key, json_t *value, json_t *again)
{
    const char *kind = text_at(work, "kind", ""), *text = json_string_value(value);
    bool untold = filled_of(work, "venue") == NULL;
    if (json_equal(value, again) || !ris_says(kind, key) || strcmp(key, "note") == 0)
        return true;
    if (strcmp(key, "authors") == 0 || strcmp(key, "editors") == 0)
        return same_people(value, again);
    if (strcmp(key, "pages") == 0)
        return text != NULL && odd_pages(text);
    if (strcmp(key, "volume") == 0 || strcmp(key, "issue") == 0)
        return strchr(text_at(work, "volume", ""), '(') != NULL;
    if (untold && (strcmp(key, "venue") == 0 || strcmp(key, "kind") == 0))
        return strcmp(kind, "preprint") == 0 || strcmp(kind, "article") == 0;
    return text != NULL && markup(text);
}

static void count_key(struct tally *tally, size_t format, const char *key)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (tally->keys[format][i][0] == '\0')
            snprintf(tally->keys[format][i], sizeof tally->keys[format][i], "%s", key);
        if (strcmp(tally->keys[format][i], key) == 0) {
            tally->count[format][i]++;
            return;
        }
    }
}

static json_t *read_back(struct slice text)
{
    struct bibliography *b;
    struct bibliography_entry entry;
    struct bibliography_file file = {"", text};
    if (bibliography_open(&b, arena_current(), &file, 1, &bibtex_import_limits) != OK ||
        bibliography_next(&entry, b, arena_current()) != OK)
        return NULL;
    return entry.document;
}

static void compare(struct tally *tally, size_t f, json_t *work, json_t *back,
                    const char *where, const char *written)
{
    const char *key;
    json_t *value;
    bool same = true;
    json_object_foreach(work, key, value)
    {
        json_t *again = json_object_get(back, key);
        if (unsaid(&formats[f], key) ||
            (formats[f].reader == BIBLIOGRAPHY_RIS &&
             same_in_ris(work, key, value, again)) ||
            json_equal(as_said(&formats[f], key, value),
                       as_said(&formats[f], key, again)))
            continue;
        same = false;
        count_key(tally, f, key);
        if (getenv("LABD_CORPUS_VERBOSE") != NULL)
            printf("%s\t%s\t%s\t%s\t%s\t%s\n", formats[f].name, key, where,
                   json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT),
                   json_dumps(again, JSON_ENCODE_ANY | JSON_COMPACT),
                   json_dumps(json_string(written), JSON_ENCODE_ANY));
    }
    tally->same[f] += same;
}

static void through_all(struct tally *tally, json_t *work, const char *where)
{
    tally->works++;
    for (size_t f = 0; f < FORMATS; f++) {
        struct buf text = buf_on(arena_current());
        formats[f].write(&text, work);
        struct slice bytes = {text.data, text.length};
        json_t *back =
            bibliography_sniff("", bytes) == formats[f].reader ? read_back(bytes) : NULL;
        if (back == NULL)
            count_key(tally, f, "(unread)");
        else
            compare(tally, f, work, back, where, text.data);
    }
}

static void through_file(struct tally *tally, const char *name)
{
    struct arena *own = arena_new(), *before = arena_enter(own);
    struct slice bytes = corpus_read(own, name);
    struct bibliography_file file = {name, bytes};
    struct bibliography_entry entry;
    struct bibliography *b;
    tally->files++;
    if (bibliography_open(&b, own, &file, 1, &bibtex_import_limits) == OK)
        for (enum result next = OK; next == OK;) {
            struct arena *one = arena_new();
            arena_enter(one);
            next = bibliography_next(&entry, b, one);
            if (next == OK && entry.document != NULL)
                through_all(tally, entry.document, name);
            arena_enter(own);
            arena_free(one);
        }
    arena_enter(before);
    arena_free(own);
}

static void print(const struct tally *tally)
{
    for (size_t f = 0; f < FORMATS; f++) {
        printf("round trip %-8s  %zu works of %zu files, %zu the same", formats[f].name,
               tally->works, tally->files, tally->same[f]);
        for (size_t i = 0; i < KEYS && tally->count[f][i] > 0; i++)
            printf(", %s %zu", tally->keys[f][i], tally->count[f][i]);
        printf("\n");
    }
}

Test(round_trip, every_work_of_the_corpus_reads_back_as_it_was_written)
{
    static const char *const folders[] = {"bib", "bib-suites"};
    struct tally tally = {0};
    struct arena *arena = arena_new();
    const char **names;
    for (size_t folder = 0; folder < 2; folder++) {
        size_t count = corpus_list(&names, arena, folders[folder]);
        for (size_t i = 0; i < count; i++)
            through_file(&tally, names[i]);
    }
    print(&tally);
    for (size_t f = 0; f < FORMATS; f++)
        cr_expect_eq(tally.same[f], tally.works, "%s: %zu of %zu", formats[f].name,
                     tally.same[f], tally.works);
    arena_free(arena);
}
