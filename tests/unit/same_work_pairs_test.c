/* Duplicates are told from near misses: pairs of the corpus that people read and judged
 * (same_work_pairs.tsv), and works of our own in many dresses. */
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/file.h"
#include "server/text/bibliography.h"
#include "server/text/bibtex.h"
#include "server/text/same_work.h"
#include "tests/support/corpus.h"
#include "tests/support/json.h"

#include <stdio.h>

struct tally {
    int found, missed, wrong,
        right; /* same and found, same and not; different and so on */
};

static double ratio(int part, int rest)
{
    return part + rest == 0 ? 1 : (double)part / (part + rest);
}

static void print(const char *name, const struct tally *t)
{
    printf(
        "duplicates, %s: %d pairs, %d of them near misses; precision %.3f, recall %.3f\n",
        name, t->found + t->missed + t->wrong + t->right, t->wrong + t->right,
        ratio(t->found, t->wrong), ratio(t->found, t->missed));
}

static void count(struct tally *t, bool same, bool found)
{
    *(same ? found ? &t->found : &t->missed : found ? &t->wrong : &t->right) += 1;
}

/* {key: document} of a file of the corpus, read once. */
static json_t *entries_of(json_t *files, const char *name)
{
    struct arena *arena = arena_current();
    json_t *entries = json_object_get(files, name);
    if (entries != NULL)
        return entries;
    const struct bibliography_file file = {name, corpus_read(arena, name)};
    struct bibliography *b;
    struct bibliography_entry entry;
    entries = json_object();
    cr_assert_eq(bibliography_open(&b, arena, &file, 1, &bibtex_import_limits), OK);
    while (bibliography_next(&entry, b, arena) == OK)
        if (entry.document != NULL)
            json_object_set(entries, entry.key, entry.document);
    json_object_set(files, name, entries);
    return entries;
}

/* As the database finds it: they must share a key, or an identifier, to be compared. */
static bool is_found(const json_t *a, const json_t *b)
{
    struct arena *arena = arena_current();
    json_t *one = same_work_keys(arena, a), *other = same_work_keys(arena, b);
    struct same_work verdict = same_work_compare(a, b);
    bool shared = strcmp(verdict.reason, "identifier") == 0;
    for (size_t i = 0; i < json_array_size(one); i++)
        for (size_t j = 0; j < json_array_size(other); j++)
            shared |= json_equal(json_array_get(one, i), json_array_get(other, j));
    return shared && verdict.same;
}

static json_t *without_identifiers(json_t *document)
{
    json_t *copy = json_copy(document);
    json_object_set_new(copy, "identifiers", json_array());
    return copy;
}

static void judge(struct tally *tally, json_t *files, char *line, size_t number)
{
    char *field[7], *rest = line;
    for (size_t i = 0; i < 7; i++) {
        field[i] = strsep(&rest, "\t");
        cr_assert_not_null(field[i], "line %zu", number);
    }
    json_t *a = json_object_get(entries_of(files, field[0]), field[1]);
    json_t *b = json_object_get(entries_of(files, field[2]), field[3]);
    cr_assert(a != NULL && b != NULL, "line %zu: no such entry", number);
    if (strcmp(field[5], "blind") == 0) {
        a = without_identifiers(a);
        b = without_identifiers(b);
    }
    bool same = strcmp(field[4], "same") == 0, found = is_found(a, b);
    count(tally, same, found);
    if (same != found) {
        struct same_work verdict = same_work_compare(a, b);
        printf("  %s, but %d (%s): %s | %s (%s)\n", field[4], verdict.score,
               verdict.reason, text_at(a, "title", ""), text_at(b, "title", ""),
               field[6]);
    }
}

Test(same_work_pairs, of_the_corpus)
{
    arena_enter(arena_new());
    struct buf list = buf_on(arena_current());
    struct tally tally = {0};
    json_t *files = json_object();
    size_t number = 0;
    corpus_read(arena_current(),
                "bib/acl-anthology-233.bib"); /* or the test is skipped */
    cr_assert_null(file_read(&list, "tests/unit/same_work_pairs.tsv", 1 << 20));
    for (char *rest = list.data, *line; (line = strsep(&rest, "\n")) != NULL;)
        if (*line != '#' && *line != '\0')
            judge(&tally, files, line, ++number);
    print("corpus", &tally);
    cr_assert_geq(number, 300);
    cr_expect_geq(ratio(tally.found, tally.wrong), 0.99);
    cr_expect_geq(ratio(tally.found, tally.missed), 0.95);
}

static const char *const titles[] = {
    "Ferry: Moving Pages Before They Are Missed",
    "A Cost Model for Warp-Level Stalls",
    "Twelve Weeks of Memory Traces from a Storage Cluster",
    "The Tides of a Shared Cache: Measurement and Control",
    "Delay as a Test Input for Consensus Implementations",
    "On the Persistence of Étale Groupoids in Distributed Logs",
    "缓存一致性协议的形式化验证与测试",
    "Learning When to Forget: Eviction under Changing Load",
    "Bounded Staleness in Geo-Replicated Key-Value Stores",
    "What Broke in 2024? Incidents of a Research Cluster",
};

static json_t *work(const char *title, const char *kind, int year)
{
    return json_pack(
        "{s:s, s:s, s:i, s:s, s:s, s:s, s:[], s:[{s:s,s:s,s:s},{s:s,s:s,s:s}]}", "title",
        title, "kind", kind, "year", year, "venue", "Journal of Tides", "volume", "7",
        "pages", "101-115", "identifiers", "authors", "name", "Xiao Lin", "family", "Lin",
        "given", "Xiao", "name", "Bo Ouyang", "family", "Ouyang", "given", "Bo");
}

/* A dress of the same work, or a neighbour that is another one. */
static json_t *dressed(const char *title, int dress)
{
    struct arena *arena = arena_current();
    char *text = arena_string(arena, title);
    json_t *same = work(title, "article", 2024);
    switch (dress) {
    case 0: /* capitals */
        for (char *c = text; *c != '\0'; c++)
            if (*c >= 'a' && *c <= 'z')
                *c = (char)(*c - 32);
        break;
    case 1: /* a letter too few */
        for (size_t i = strlen(text) / 2; text[i] != '\0'; i++)
            if (text[i] >= 'a' && text[i] <= 'z') {
                memmove(text + i, text + i + 1, strlen(text + i));
                break;
            }
        break;
    case 2: /* hyphens and colons */
        for (char *c = text; *c != '\0'; c++)
            if (strchr(":-?,", *c) != NULL)
                *c = ' ';
        break;
    case 3: /* initials, and only the first author */
        json_object_set_new(same, "authors",
                            json_pack("[{s:s, s:s, s:s}]", "name", "X. Lin", "family",
                                      "Lin", "given", "X."));
        return same;
    case 4: /* a preprint of the year before */
        same = work(title, "preprint", 2023);
        json_object_del(same, "volume");
        json_object_del(same, "pages");
        json_object_set_new(same, "venue", json_string("arXiv"));
        return same;
    case 5: /* no venue, no pages */
        json_object_del(same, "venue");
        json_object_del(same, "pages");
        json_object_del(same, "volume");
        return same;
    case 6: /* another part */
        text = arena_print(arena, "%s, Part II", title);
        break;
    case 7:
        text = arena_print(arena, "Erratum: %s", title);
        break;
    case 8: /* the same number of another year */
        same = work(title, "article", 2019);
        json_object_set_new(same, "volume", json_string("2"));
        json_object_set_new(same, "pages", json_string("5-9"));
        return same;
    case 9: /* somebody else's */
        json_object_set_new(same, "authors",
                            json_pack("[{s:s, s:s, s:s}]", "name", "Ann Doe", "family",
                                      "Doe", "given", "Ann"));
        return same;
    case 10:
        text = arena_print(arena, "Comment on “%s”", title);
        break;
    default: /* a chapter beside it */
        same =
            work(arena_print(arena, "Chapter Two, Beyond %s",
                             strrchr(title, ' ') != NULL ? strrchr(title, ' ') : title),
                 "article", 2024);
        json_object_set_new(same, "pages", json_string("116-130"));
        return same;
    }
    return work(text, "article", 2024);
}

Test(same_work_pairs, of_our_own)
{
    enum { DRESSES = 12, SAME = 6 };
    struct tally tally = {0};
    arena_enter(arena_new());
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        for (int dress = 0; dress < DRESSES; dress++) {
            json_t *a = work(titles[i], "article", 2024), *b = dressed(titles[i], dress);
            bool same = dress < SAME, found = is_found(a, b);
            count(&tally, same, found);
            cr_expect_eq(found, is_found(b, a), "%s, dress %d: one way alone", titles[i],
                         dress);
            if (same != found)
                printf("  dress %d of %s: %d (%s)\n", dress, titles[i],
                       same_work_compare(a, b).score, same_work_compare(a, b).reason);
        }
    print("our own", &tally);
    cr_expect_eq(tally.wrong, 0);
    cr_expect_geq(ratio(tally.found, tally.missed), 0.95);
}
