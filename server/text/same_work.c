/* Whether two documents are one work: each thing that both say is judged, and a short
 * list of rules weighs the judgements. */
#include "server/text/same_work.h"

#include "server/base/document.h"
#include "server/text/same_work_private.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, 64 bits. */
static uint64_t hash_on(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

static const uint64_t hash_start = UINT64_C(14695981039346656037);

/* What a key is made of; part of its hash. */
enum key { KEY_EXACT, KEY_WHOLE, KEY_MAIN, KEY_START, KEY_END, KEY_LONGEST, KEY_OPENING };

static void add_key(json_t *keys, enum key kind, uint64_t hash, const char *family)
{
    hash = hash_on((hash ^ (uint64_t)kind) * UINT64_C(1099511628211), family);
    hash ^= hash >> 31;
    json_int_t key = (json_int_t)(hash & INT64_MAX);
    for (size_t i = 0; i < json_array_size(keys); i++)
        if (json_integer_value(json_array_get(keys, i)) == key)
            return;
    json_array_append_new(keys, json_integer(key));
}

static uint64_t hash_words(const struct title *title, size_t from, size_t to)
{
    uint64_t hash = hash_start;
    for (size_t i = from; i < to; i++)
        hash = hash_on(hash, title->words[i]);
    return hash;
}

/* The two longest words, the first of them if there are several, in either order. */
static uint64_t hash_longest(const struct title *title)
{
    size_t best[2] = {0, 0}, length[2] = {0, 0};
    for (size_t i = 0; i < title->count; i++) {
        size_t n = strlen(title->words[i]);
        if (n > length[0]) {
            best[1] = best[0];
            length[1] = length[0];
            best[0] = i;
            length[0] = n;
        } else if (n > length[1]) {
            best[1] = i;
            length[1] = n;
        }
    }
    return hash_on(hash_start, title->words[best[0]]) ^
           hash_on(hash_start, title->words[best[1]]);
}

/* Of all that tells works with the same words apart. */
static uint64_t hash_exact(const json_t *document, const struct title *title)
{
    static const char *const facts[] = {"kind",  "venue",  "volume",
                                        "issue", "number", "pages"};
    uint64_t hash = hash_on(
        hash_start, title->count > 0 ? title->squeezed : text_at(document, "title", ""));
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        hash = hash_on(hash_on(hash, "\n"), text_at(document, facts[i], ""));
    return (hash ^ (uint64_t)integer_at(document, "year")) * UINT64_C(1099511628211);
}

json_t *same_work_keys(struct arena *arena, const json_t *document)
{
    enum { SHORT = 12, OPENING = 5 };
    json_t *keys = json_array();
    struct title title = title_of(arena, text_of(document, "title"));
    const char *family = authors_first(arena, document);
    size_t n = title.count, length = strlen(title.squeezed);
    if (filled_of(document, "title") == NULL)
        return keys;
    add_key(keys, KEY_EXACT, hash_exact(document, &title), family);
    if (n == 0)
        return keys;
    bool common = length < SHORT || title_generic(&title);
    add_key(keys, KEY_WHOLE, hash_on(hash_start, title.squeezed), common ? family : "");
    add_key(keys, KEY_MAIN, hash_on(hash_start, title.squeezed_main), family);
    add_key(keys, KEY_MAIN, hash_on(hash_start, title.squeezed), family);
    if (n < 4)
        return keys;
    add_key(keys, KEY_START, hash_words(&title, 0, n / 2), family);
    add_key(keys, KEY_END, hash_words(&title, n - n / 2, n), family);
    add_key(keys, KEY_LONGEST, hash_longest(&title), family);
    if (n > OPENING)
        add_key(keys, KEY_OPENING, hash_words(&title, 0, OPENING), family);
    return keys;
}

static bool is_kind(const json_t *document, const char *kind)
{
    return strcmp(text_at(document, "kind", "other"), kind) == 0;
}

/* Registrants of servers for preprints and of Zenodo, whose works may have another DOI.
 */
static bool preprint_doi(const char *value)
{
    static const char *const prefixes[] = {
        "10.48550/", "10.1101/",  "10.5281/", "10.21203/", "10.26434/", "10.31234/",
        "10.31219/", "10.20944/", "10.2139/", "10.36227/", "10.33774/", "10.22541/",
        "10.31223/", "10.12688/", "10.6084/", "10.14293/", "10.7287/",  NULL};
    for (size_t i = 0; prefixes[i] != NULL; i++)
        if (strncasecmp(value, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static const char *identifier(const json_t *document, const char *scheme)
{
    const json_t *list = json_object_get(document, "identifiers");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *row = json_array_get(list, i);
        if (strcmp(text_at(row, "scheme", ""), scheme) == 0)
            return filled_of(row, "value");
    }
    return NULL;
}

static bool is_preprint(const json_t *document)
{
    const char *doi = identifier(document, "doi");
    const char *venue = text_at(document, "venue", "");
    if (is_kind(document, "preprint") || (doi != NULL && preprint_doi(doi)))
        return true;
    if (strcasestr(venue, "arxiv") != NULL || strcasestr(venue, "biorxiv") != NULL ||
        strcasestr(venue, "preprint") != NULL || strncasecmp(venue, "corr", 5) == 0)
        return true;
    return *venue == '\0' && identifier(document, "arxiv") != NULL && doi == NULL;
}

/* All that is known of two documents, each by each. */
struct weighing {
    const json_t *a, *b;
    struct title a_title, b_title;
    enum title_likeness title;
    int shared;
    enum authors_likeness authors;
    enum venue_likeness venue;
    bool a_preprint, b_preprint;
    bool identifier;   /* they share one */
    bool other_number; /* they have different ones of a kind */
    int years;         /* apart; -1: not known of one */
    bool exact;        /* they say the same of all that tells works apart */
    int place;         /* volume and first page: 1 agree, -1 differ, 0 not known */
};

static bool one_preprint(const struct weighing *w)
{
    return w->a_preprint != w->b_preprint;
}

static void weigh_identifiers(struct weighing *w)
{
    static const char *const schemes[] = {"doi", "arxiv", "pmid", "isbn"};
    for (size_t i = 0; i < 4; i++) {
        const char *a = identifier(w->a, schemes[i]), *b = identifier(w->b, schemes[i]);
        if (a == NULL || b == NULL)
            continue;
        bool same = strcasecmp(a, b) == 0;
        if (i == 3 && !(is_kind(w->a, "book") && is_kind(w->b, "book")))
            continue; /* chapters have their book's */
        if (same)
            w->identifier = true;
        else if (i != 0 || preprint_doi(a) == preprint_doi(b))
            w->other_number = true;
    }
}

/* "e1234", "12" of "12--19" or "12:3". */
static size_t first_page(char page[24], const json_t *document)
{
    const char *text = text_at(document, "pages", "");
    if (*text == '\0')
        text = text_at(document, "number", "");
    size_t length = 0;
    while (*text == ' ' || *text == '0')
        text++;
    for (; length < 23 && ((*text >= '0' && *text <= '9') || (*text | 32) >= 'a') &&
           (unsigned char)*text < 0x80;
         text++)
        page[length++] = (char)(*text | 32);
    page[length] = '\0';
    return length;
}

static void weigh_place(struct weighing *w)
{
    char a[24], b[24];
    const char *x = filled_of(w->a, "volume"), *y = filled_of(w->b, "volume");
    int volume = x == NULL || y == NULL ? 0 : strcasecmp(x, y) == 0 ? 1 : -1;
    int page = first_page(a, w->a) == 0 || first_page(b, w->b) == 0 ? 0
               : strcmp(a, b) == 0                                  ? 1
                                                                    : -1;
    bool book = is_kind(w->a, "book") || is_kind(w->b, "book");
    if (page == 1 && (volume == 1 || (volume == 0 && w->years == 0)))
        w->place = 1;
    else if ((page == -1 && !book) || (volume == -1 && w->years != 0))
        w->place = -1; /* the same column of another issue */
}

static void weigh(struct weighing *w, struct arena *arena)
{
    int64_t x = integer_at(w->a, "year"), y = integer_at(w->b, "year");
    w->a_title = title_of(arena, text_of(w->a, "title"));
    w->b_title = title_of(arena, text_of(w->b, "title"));
    w->title = title_compare(&w->shared, &w->a_title, &w->b_title);
    w->years = x == 0 || y == 0 ? -1 : abs((int)(x - y));
    w->a_preprint = is_preprint(w->a);
    w->b_preprint = is_preprint(w->b);
    w->exact =
        hash_exact(w->a, &w->a_title) == hash_exact(w->b, &w->b_title) && w->years == 0;
    weigh_identifiers(w);
    weigh_place(w);
    w->authors = authors_compare(arena, w->a, w->b);
    w->venue = venue_compare(arena, filled_of(w->a, "venue"), filled_of(w->b, "venue"));
}

/* May works of these kinds be one? "other" says nothing. */
static bool kinds_agree(const struct weighing *w)
{
    const char *a = text_at(w->a, "kind", "other"), *b = text_at(w->b, "kind", "other");
    if (strcmp(a, b) == 0 || strcmp(a, "other") == 0 || strcmp(b, "other") == 0)
        return true;
    if (one_preprint(w))
        return !is_kind(w->a, "book") && !is_kind(w->b, "book") &&
               !is_kind(w->a, "thesis") && !is_kind(w->b, "thesis");
    if ((is_kind(w->a, "conference") && is_kind(w->b, "chapter")) ||
        (is_kind(w->a, "chapter") && is_kind(w->b, "conference")))
        return true;
    return (w->venue == VENUE_SAME && (w->years == 0 || w->place > 0)) || w->place > 0;
}

/* What speaks against it; NULL: nothing. */
static const char *against(const struct weighing *w)
{
    bool generic = title_generic(&w->a_title) || title_generic(&w->b_title);
    if (w->other_number)
        return "identifiers";
    if (w->authors == AUTHORS_OTHER)
        return "authors";
    if (!kinds_agree(w))
        return "kind";
    if (w->years > (one_preprint(w) ? 2 : generic ? 0 : 1) && w->place <= 0)
        return "year";
    if (one_preprint(w))
        return NULL;
    if (w->place < 0)
        return "place";
    if (w->years == 1 && w->venue == VENUE_OTHER)
        return "year";
    return generic && !w->exact && w->place <= 0 ? "title" : NULL;
}

/* With nothing against it, is there enough for it? */
static bool enough(const struct weighing *w)
{
    size_t words =
        w->a_title.count < w->b_title.count ? w->a_title.count : w->b_title.count;
    if (w->exact)
        return true;
    bool firm = w->place > 0 || w->venue == VENUE_SAME || one_preprint(w);
    if (w->title == TITLE_FAR && w->place > 0 && w->venue == VENUE_SAME &&
        w->authors == AUTHORS_GOOD && w->years == 0)
        return true; /* it stands in one place: a typing error */
    if (w->authors == AUTHORS_WEAK)
        return w->title == TITLE_EXACT && w->years == 0 && w->place > 0;
    if (w->authors == AUTHORS_UNKNOWN)
        return w->title == TITLE_EXACT && w->years == 0 && words >= 3 &&
               (w->place > 0 || w->venue == VENUE_SAME);
    if (w->years < 0)
        return w->title == TITLE_EXACT && (words >= 4 || firm);
    if (w->title == TITLE_EXACT)
        return words >= 3 || w->years == 0;
    if (w->title == TITLE_NEAR)
        return (w->years == 0 || w->place > 0) && (firm || words >= 6);
    return w->title == TITLE_SUB && (w->years == 0 || w->place > 0 || one_preprint(w)) &&
           (firm || w->venue == VENUE_UNKNOWN);
}

/* How like, if nothing is decided otherwise. */
static int likeness(const struct weighing *w)
{
    static const int of_title[] = {
        [TITLE_OTHER] = 0, [TITLE_PART] = 30, [TITLE_ERRATUM] = 30, [TITLE_FAR] = 45,
        [TITLE_SUB] = 50,  [TITLE_NEAR] = 55, [TITLE_EXACT] = 60};
    static const int of_authors[] = {[AUTHORS_OTHER] = 0,
                                     [AUTHORS_WEAK] = 8,
                                     [AUTHORS_UNKNOWN] = 8,
                                     [AUTHORS_GOOD] = 20};
    int score = of_title[w->title] + of_authors[w->authors];
    if (w->title == TITLE_OTHER)
        score += w->shared * 30 / 100;
    score += w->years == 0 ? 10 : w->years == 1 || w->years < 0 ? 5 : 0;
    score += w->venue == VENUE_SAME ? 5 : w->venue == VENUE_UNKNOWN ? 2 : 0;
    return score + (w->place > 0 ? 5 : 0);
}

static struct same_work verdict(int score, const char *reason)
{
    return (struct same_work){score, score >= 90, score >= 60, reason};
}

static int bounded(int score, int least, int most)
{
    return score < least ? least : score > most ? most : score;
}

/* A number that both have; unless the titles say that one of them has it wrongly. */
static struct same_work same_number(const struct weighing *w)
{
    bool doubtful = w->title == TITLE_PART || w->title == TITLE_ERRATUM ||
                    (w->title == TITLE_OTHER && w->shared < 50) ||
                    (w->authors == AUTHORS_OTHER && w->title != TITLE_EXACT);
    return verdict(doubtful ? 75 : bounded(likeness(w), 95, 100), "identifier");
}

struct same_work same_work_compare(const json_t *a, const json_t *b)
{
    struct weighing w = {.a = a, .b = b};
    weigh(&w, arena_current());
    int score = likeness(&w);
    if (w.identifier)
        return same_number(&w);
    if (w.title == TITLE_OTHER)
        return verdict(bounded(score, 0, 40), "title");
    if (w.title == TITLE_PART)
        return verdict(bounded(score, 0, 50), "part");
    if (w.title == TITLE_ERRATUM)
        return verdict(bounded(score, 0, 50), "erratum");
    const char *objection = against(&w);
    if (objection != NULL)
        return verdict(bounded(score - 20, 0, w.other_number ? 55 : 75), objection);
    const char *reason = one_preprint(&w) ? "preprint" : "title";
    return enough(&w) ? verdict(bounded(score, 90, 100), reason)
                      : verdict(bounded(score, 0, 89), reason);
}
