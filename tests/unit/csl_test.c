/* CSL-JSON, and lists of identifiers. */
#include "server/base/buf.h"
#include "server/text/csl.h"
#include "tests/support/corpus.h"
#include "tests/support/entries.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

static struct bibliography_entry entries[MOST];
static struct arena *arena;

static void enter(void)
{
    arena = arena_new();
    arena_enter(arena);
}

static void leave(void)
{
    arena_enter(NULL);
    arena_free(arena);
}

static size_t entries_of(const char *quoted)
{
    char *text = arena_string(arena, quoted);
    for (char *at = text; *at != '\0'; at++)
        *at = *at == '\'' ? '"' : *at;
    return read_entries(entries, MOST, "a.json", slice_of(text));
}

static const json_t *item(const char *quoted)
{
    cr_assert_eq(entries_of(arena_print(arena, "[%s]", quoted)), 1);
    cr_assert_null(entries[0].refused);
    return entries[0].document;
}

TestSuite(csl, .init = enter, .fini = leave);

Test(csl, an_item)
{
    const json_t *work = item(
        "{'id': 'a1', 'type': 'paper-conference', 'title': '<i>In vivo</i> x<sub>2</sub>'"
        ",'author': [{'family': 'Berg', 'non-dropping-particle': 'van der', 'given': "
        "'Jan', 'suffix': 'Jr.'}, {'literal': 'A Group'}, {'family': '王小明'}, 'Xiao "
        "Lin'"
        ", {'wrong': 1}, 7], 'editor': [{'family': 'Doe', 'given': 'Ann'}],"
        "'container-title': 'Proc. of Tests', 'collection-title': 'LNT', 'page': '1-9',"
        "'publisher-place': 'Bern', 'volume': 7, 'issued': {'date-parts': [['2020', 2, "
        "30]]}, 'DOI': 'https://doi.org/10.1000/A', 'URL': 'https://example.org/',"
        "'abstract': '<jats:p>One</jats:p><jats:p>two</jats:p>', 'language': 'en'}");
    expect_document(work,
                    "{'kind': 'conference', 'title': 'In vivo x₂', 'venue': 'Proc. of "
                    "Tests', 'series': 'LNT', 'pages': '1–9', 'place': 'Bern', 'volume': "
                    "'7', 'year': 2020, 'month': 2, 'day': null, 'abstract': 'One two',"
                    "'language': 'en', 'identifiers': [{'scheme': 'doi', 'value': "
                    "'10.1000/a'}], 'url': 'https://example.org/'}");
    cr_expect_str_eq(names_of(work, "authors"),
                     "van der Berg/Jan; A Group; 王/小明; Lin/Xiao");
    cr_expect_str_eq(names_of(work, "editors"), "Doe/Ann");
    cr_expect_str_eq(entries[0].key, "a1");
}

Test(csl, an_answer_of_crossref)
{
    cr_assert_eq(
        entries_of("{'status': 'ok', 'message': {'type': 'journal-article',"
                   "'title': ['Main'], 'subtitle': ['Sub'], 'container-title':"
                   "['Journal', 'J'], 'ISSN': ['1'], 'article-number': 'e7',"
                   "'published-online': {'date-parts': [[2021, 3]]}, 'reference':"
                   "[{'key': 'x'}]}}"),
        1);
    expect_document(entries[0].document,
                    "{'kind': 'article', 'title': 'Main: Sub', 'venue': 'Journal',"
                    "'number': 'e7', 'year': 2021, 'month': 3}");
    cr_assert_eq(
        entries_of("{'items': [{'type': 'book', 'title': 'A'}, {'title': 'B'}]}"), 2);
    cr_assert_eq(entries_of("{'message': {'total': 2, 'items': [{'title': 'A'},"
                            "{'title': 'B'}]}}"),
                 2);
}

Test(csl, whole_names)
{
    const json_t *work =
        item("{'title': 'T', 'author': [{'literal': '王小明'}, {'literal':"
             "'编辑部'}, {'name': 'A Group'}], 'URL': 'www.example.org/a',"
             "'type': 'book', 'collection-number': 4}");
    cr_expect_str_eq(names_of(work, "authors"), "王/小明; 编辑部; A Group");
    expect_document(work, "{'url': 'http://www.example.org/a', 'number': '4'}");
}

Test(csl, lines_that_programs_keep_are_no_note)
{
    static const char *const notes[][2] = {
        {"Select: zotero://select/library/items/K",           NULL                                 },
        {"Citation Key: lin24\\n00012\\ntex.shortjournal: J", NULL                                 },
        {"mlzsync1:0041{x}\\n_eprint: https://example.org/",  NULL                                 },
        {"Best paper award\\nPMCID: PMC1",                    "Best paper award"                   },
        {"Erratum: see page 7",                               "Erratum: see page 7"                },
        {"In Chinese\\nwith an English abstract",             "In Chinese with an English abstract"},
    };
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        const json_t *work =
            item(arena_print(arena, "{'title': 'T', 'note': '%s'}", notes[i][0]));
        const char *note = json_string_value(json_object_get(work, "note"));
        cr_expect_str_eq(note == NULL ? "" : note,
                         notes[i][1] == NULL ? "" : notes[i][1]);
    }
    expect_document(item("{'note': 'PMID: 123\\nDOI: 10.1000/n\\npublisher: Press'}"),
                    "{'note': null, 'publisher': 'Press', 'identifiers': [{'scheme':"
                    "'pmid', 'value': '123'}, {'scheme': 'doi', 'value': '10.1000/n'}]}");
}

Test(csl, preprints)
{
    expect_document(item("{'type': 'article', 'title': 'T', 'publisher': 'arXiv', 'DOI':"
                         "'10.48550/arXiv.2301.00001'}"),
                    "{'kind': 'preprint', 'venue': 'arXiv', 'identifiers': [{'scheme':"
                    "'doi', 'value': '10.48550/arxiv.2301.00001'}, {'scheme': 'arxiv',"
                    "'value': '2301.00001'}]}");
    expect_document(item("{'type': 'article', 'container-title': 'Journal'}"),
                    "{'kind': 'article'}");
}

Test(csl, dates_that_are_none_are_told)
{
    static const char *const bad[] = {"[[null]]", "[[]]", "[]", "[[1539600425]]",
                                      "[['-340']]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect_document(
            item(arena_print(arena, "{'issued': {'date-parts': %s}}", bad[i])),
            "{'year': null}");
        expect_document(json_array_get(entries[0].remarks, 0), "{'code': 'bad_date'}");
    }
    expect_document(item("{'issued': {'raw': 'circa 1999'}}"), "{'year': 1999}");
    expect_document(item("{'issued': '2001-02-03'}"), "{'year': 2001, 'day': 3}");
}

Test(csl, a_broken_item_costs_itself_alone)
{
    cr_assert_eq(entries_of("[\n {'title': 'one'},\n {'title': 'a 'quoted' word'},\n"
                            " {'title': 'two'},\n 17,\n {'title': 'odd},\n"
                            " {'title': 'three'},\n {'title': 'cut\n"),
                 7);
    static const char *const codes[] = {NULL,       "malformed", NULL,      "no_item",
                                        "unclosed", NULL,        "unclosed"};
    for (size_t i = 0; i < 7; i++) {
        cr_expect_eq(entries[i].line, i + 2);
        cr_expect_str_eq(entries[i].refused == NULL ? "" : entries[i].refused,
                         codes[i] == NULL ? "" : codes[i], "line %zu", i + 2);
    }
    cr_assert_eq(entries_of("[{'id': 1, 'title': 'a}, {'id': 2, 'title': 'b'}]"), 2);
    expect_document(entries[1].document, "{'title': 'b'}");
}

Test(csl, keys_that_stand_there_twice_are_told)
{
    expect_document(item("{'title': 'a', 'title': 'b'}"), "{'title': 'b'}");
    expect_document(json_array_get(entries[0].remarks, 0), "{'code': 'repeated_key'}");
}

Test(csl, lists_in_lists_are_bounded)
{
    char *deep = arena_alloc(arena, 40001);
    memset(deep, '[', 40000);
    deep[40000] = '\0';
    cr_assert_eq(entries_of(arena_print(arena, "[{'title': 'a'}, %s", deep)), 2);
    cr_expect_str_eq(entries[1].refused, "too_deep");
    /* As many broken items as there may be cost no more than a look at each. */
    struct buf text = buf_on(arena);
    buf_string(&text, "[");
    for (int i = 0; i < 200000; i++)
        buf_string(&text, "{'id':{");
    cr_expect_leq(entries_of(text.data), 300);
}

Test(csl, identifiers_alone)
{
    static const struct {
        size_t line;
        const char *scheme, *value;
    } expected[] = {
        {1, "doi",   "10.1002/(sici)1097(1998)17:15/16<1661::aid-sim968>3.0.co;2-2"},
        {3, "doi",   "10.1000/abc"                                                 },
        {3, "doi",   "10.1000/def"                                                 },
        {4, "pmid",  "12345"                                                       },
        {5, "pmid",  "1234567"                                                     },
        {6, NULL,    NULL                                                          },
        {7, "arxiv", "2301.00001"                                                  },
        {7, "arxiv", "hep-th/9901001"                                              },
        {8, "orcid", "0000-0002-1825-0097"                                         },
        {9, NULL,    NULL                                                          },
    };
    size_t count = read_entries(
        entries, MOST, "",
        slice_of(
            "https://doi.org/10.1002/(SICI)1097(1998)17:15/16<1661::AID-SIM968>3.0.CO;"
            "2-2\n# notes\nsee 10.1000/abc;10.1000/def, of 2019\nPMID: 12345\r\n"
            "1234567\nnothing here\narXiv:2301.00001v2 hep-th/9901001\n"
            "https://orcid.org/0000-0002-1825-0097\n0000-0002-1825-0098\n"));
    cr_assert_eq(count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(entries[i].line, expected[i].line);
        cr_expect_eq(entries[i].refused == NULL, expected[i].scheme != NULL);
        if (expected[i].scheme != NULL) {
            cr_expect_str_eq(entries[i].scheme, expected[i].scheme);
            cr_expect_str_eq(entries[i].value, expected[i].value);
        }
    }
}

/* Files that are no bibliography, or none that is whole. */
static bool strange(const char *name)
{
    static const char *const known[] = {"made-",       "schema/", "expected.json",
                                        "citation-js", ".bib",    "test-suite"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(name, known[i]) != NULL)
            return true;
    return false;
}

Test(csl, every_file_of_the_corpus_is_read)
{
    static const char *const folders[] = {"ris", "csl"};
    size_t read = 0;
    size_t refused = 0;
    for (size_t f = 0; f < 2; f++) {
        const char **names;
        size_t count = corpus_list(&names, arena, folders[f]);
        for (size_t i = 0; i < count; i++) {
            struct arena *own = arena_new();
            arena_enter(own);
            size_t found =
                read_entries(entries, MOST, names[i], corpus_read(own, names[i]));
            cr_expect(found > 0 || strange(names[i]), "%s: nothing", names[i]);
            for (size_t e = 0; e < found; e++) {
                bool stands = entries[e].document != NULL || entries[e].scheme != NULL;
                cr_expect(stands || strange(names[i]), "%s:%zu: %s", names[i],
                          entries[e].line, entries[e].refused);
                *(stands ? &read : &refused) += 1;
            }
            arena_enter(arena);
            arena_free(own);
        }
    }
    if (getenv("LABD_CORPUS_VERBOSE") != NULL)
        printf("%zu read, %zu refused\n", read, refused);
    cr_expect_gt(read, 4500);
}
