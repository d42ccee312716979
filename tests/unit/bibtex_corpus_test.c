/* The BibTeX parser on every file of the corpus, against four other parsers. */
#include "server/text/bibtex.h"
#include "server/text/encoding.h"
#include "tests/support/corpus.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

struct tally {
    size_t read, refused, remarks;
};

static struct tally read_file(struct arena *arena, const char *name)
{
    struct tally tally = {0};
    struct slice file = corpus_read(arena, name);
    struct decoded decoded;
    struct bibtex *parser;
    struct bibtex_entry entry;
    if (encoding_decode(&decoded, arena, file.bytes, file.length) != OK)
        return tally;
    cr_assert_eq(bibtex_open(&parser, arena, decoded.text, &bibtex_import_limits), OK);
    size_t line = 0;
    while (bibtex_next(&entry, parser) == OK) {
        cr_assert_geq(entry.line, line, "%s", name);
        line = entry.line;
        tally.remarks += entry.remark_count;
        if (bibtex_is_entry(&entry))
            (*(entry.refused == BIBTEX_SOUND ? &tally.read : &tally.refused))++;
        if (getenv("LABD_CORPUS_VERBOSE") != NULL && entry.refused != BIBTEX_SOUND)
            printf("%s:%zu: %.*s: %s\n", name, entry.refused_line, (int)entry.key.length,
                   entry.key.bytes, bibtex_problem_text(entry.refused));
    }
    return tally;
}

/* The best of columns 4 to 7 ("bibtex_entries/errors" ... ) of a line of ORACLE.tsv. */
static size_t best_of_four(char *line)
{
    size_t best = 0;
    for (int column = 1; column <= 7; column++) {
        char *cell = strsep(&line, "\t");
        size_t count = cell == NULL ? 0 : strtoul(cell, NULL, 10);
        if (column >= 4 && count > best)
            best = count;
    }
    return best;
}

/* Entries behind a % or in a @comment, which some parser counts and we do not. */
static size_t commented_out(const char *name)
{
    if (strcmp(name, "bib-suites/biber/names.bib") == 0)
        return 2;
    return strcmp(name, "bib-suites/bibtex-ruby/decoret.bib") == 0;
}

Test(bibtex_corpus, finds_what_the_best_of_four_parsers_finds)
{
    struct arena *arena = arena_new();
    struct slice oracle = corpus_read(arena, "ORACLE.tsv");
    char *lines = arena_copy(arena, oracle.bytes, oracle.length);
    size_t files = 0;
    for (char *line = strsep(&lines, "\n"); line != NULL; line = strsep(&lines, "\n")) {
        if (line[0] == '#' || line[0] == '\0')
            continue;
        char *name = arena_copy(arena, line, strcspn(line, "\t"));
        size_t best = best_of_four(line) - commented_out(name);
        struct arena *own = arena_new();
        struct tally tally = read_file(own, name);
        arena_free(own);
        cr_expect_geq(tally.read + tally.refused, best,
                      "%s: %zu read, %zu refused, but %zu by the best", name, tally.read,
                      tally.refused, best);
        /* Refusals are for broken entries: never more than the other parsers' errors. */
        cr_expect_leq(tally.refused, 5, "%s: %zu refused", name, tally.refused);
        files++;
    }
    cr_expect_gt(files, 150);
    arena_free(arena);
}

Test(bibtex_corpus, every_file_is_read_without_harm)
{
    struct arena *arena = arena_new();
    const char **names;
    static const char *const folders[] = {"bib", "bib-suites", "csl", "ris", "images"};
    for (size_t f = 0; f < 5; f++) {
        size_t count = corpus_list(&names, arena, folders[f]);
        for (size_t i = 0; i < count; i++) {
            struct arena *own = arena_new();
            read_file(own, names[i]);
            arena_free(own);
        }
    }
    arena_free(arena);
}
