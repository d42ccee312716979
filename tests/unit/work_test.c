/* BibTeX entries made publication documents, and identifiers in every disguise. */
#include "server/base/identifier.h"
#include "server/base/utf8.h"
#include "server/text/encoding.h"
#include "server/text/work.h"
#include "server/text/work_date.h"
#include "tests/support/corpus.h"

#include <criterion/criterion.h>

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

static json_t *document(const char *text)
{
    struct bibtex *parser;
    struct bibtex_entry entry;
    cr_assert_eq(bibtex_open(&parser, arena, slice_of(text), &bibtex_paste_limits), OK);
    cr_assert_eq(bibtex_next(&entry, parser), OK);
    cr_assert_eq(entry.refused, BIBTEX_SOUND);
    return work_document(arena, &entry);
}

Test(work, has_every_key_of_its_shape, .init = enter, .fini = leave)
{
    static const char *const keys[] = {
        "kind",        "title",  "venue",      "year",       "month",    "day",
        "volume",      "issue",  "number",     "pages",      "series",   "edition",
        "publisher",   "place",  "genre",      "note",       "abstract", "award",
        "language",    "url",    "authors",    "editors",    "others",   "links",
        "identifiers", "bibtex", "bibtex_key", "bibtex_type"};
    size_t count = sizeof keys / sizeof keys[0];
    json_t *empty = document("@misc{k}");
    cr_expect(json_is_null(json_object_get(document("@misc{a={b}}"), "bibtex_key")));
    cr_expect_eq(json_object_size(empty), count);
    cr_expect_eq(json_object_size(work_blank()), count);
    for (size_t i = 0; i < count; i++) {
        cr_expect_not_null(json_object_get(empty, keys[i]), "%s", keys[i]);
        cr_expect_not_null(json_object_get(work_blank(), keys[i]), "%s", keys[i]);
    }
    cr_expect(json_is_null(json_object_get(empty, "title")));
    cr_expect_eq(json_array_size(json_object_get(empty, "authors")), 0);
    cr_expect_str_eq(json_string_value(json_object_get(empty, "bibtex")), "@misc{k}");
}

struct work_case {
    const char *source, *key, *text; /* text as compact JSON */
};

Test(work, reads_each_field, .init = enter, .fini = leave)
{
    static const struct work_case cases[] = {
        {"@article{k, journal={J. {\\'E}t.}}",                         "venue",       "\"J. Ét.\""          },
        {"@inproceedings{k, booktitle={Proc}, publisher={ACM}}",       "venue",       "\"Proc\""             },
        {"@phdthesis{k, school={Lab U}}",                              "kind",        "\"thesis\""           },
        {"@phdthesis{k, school={Lab U}}",                              "publisher",   "\"Lab U\""            },
        {"@phdthesis{k, school={Lab U}}",                              "venue",       "null"                 },
        {"@phdthesis{k}",                                              "genre",       "\"PhD thesis\""       },
        {"@thesis{k, type={mathesis}, institution={U}}",               "genre",       "\"Master’s thesis\""},
        {"@thesis{k, type={Habilitation}}",                            "genre",       "\"Habilitation\""     },
        {"@techreport{k, institution={I}, number={TR-1}}",             "publisher",   "\"I\""                },
        {"@techreport{k, institution={I}, number={TR-1}}",             "number",      "\"TR-1\""             },
        {"@book{k, publisher={P}, address={Delft}}",                   "place",       "\"Delft\""            },
        {"@proceedings{k, title={P 20}, booktitle={P 20}}",            "venue",       "null"                 },
        {"@article{k, journaltitle={J}, journalsubtitle={S}}",         "venue",       "\"J: S\""             },
        {"@software{k}",                                               "kind",        "\"software\""         },
        {"@online{k, eprint={2301.00001}, eprinttype={arxiv}}",        "kind",        "\"preprint\""         },
        {"@misc{k, pdf={https://a.example/x.pdf}, code={x.zip}}",      "links",
         "[{\"kind\":\"pdf\",\"url\":\"https://a.example/x.pdf\"}]"                                          },
        {"@article{k, series={S}, edition={2nd}}",                     "series",      "\"S\""                },
        {"@article{k, award={Best Paper}}",                            "award",       "\"Best Paper\""       },
        {"@INCOLLECTION{k, booktitle={B}}",                            "kind",        "\"chapter\""          },
        {"@patent{k}",                                                 "kind",        "\"other\""            },
        {"@article{k, journal={arXiv preprint arXiv:2301.00001}}",     "kind",
         "\"preprint\""                                                                                      },
        {"@article{k, journal={arXiv preprint arXiv:2301.00001}}",     "identifiers",
         "[{\"scheme\":\"arxiv\",\"value\":\"2301.00001\"}]"                                                 },
        {"@article{k, journal={CoRR}, volume={abs/2301.00001}}",       "identifiers",
         "[{\"scheme\":\"arxiv\",\"value\":\"2301.00001\"}]"                                                 },
        {"@misc{k, eprint={hep-th/9901001v2}, archivePrefix={arXiv}}", "identifiers",
         "[{\"scheme\":\"arxiv\",\"value\":\"hep-th/9901001\"}]"                                             },
        {"@article{k, eprint={12345678}, eprinttype={pubmed}}",        "identifiers",
         "[{\"scheme\":\"pmid\",\"value\":\"12345678\"}]"                                                    },
        {"@article{k, url={https://doi.org/10.1000/AbC}}",             "identifiers",
         "[{\"scheme\":\"doi\",\"value\":\"10.1000/abc\"}]"                                                  },
        {"@article{k, doi={10.1000/a\\_b}, isbn={978-3-16-148410-0}}", "identifiers",
         "[{\"scheme\":\"doi\",\"value\":\"10.1000/a_b\"}]"                                                  },
        {"@book{k, isbn={978-3-16-148410-0}}",                         "identifiers",
         "[{\"scheme\":\"isbn\",\"value\":\"9783161484100\"}]"                                               },
        {"@article{k, title={An {FPGA-}Based}, subtitle={Router}}",    "title",
         "\"An FPGA-Based: Router\""                                                                         },
        {"@article{k, year={2024}, month=may}",                        "month",       "5"                    },
        {"@article{k, year=2024, month=10 # \"~\" # jan}",             "day",         "10"                   },
        {"@article{k, date={2010-11-03}}",                             "day",         "3"                    },
        {"@article{k, year={in press}}",                               "year",        "null"                 },
        {"@article{k, pages={1--10}}",                                 "pages",       "\"1–10\""           },
        {"@article{k, pages={1 - 10}}",                                "pages",       "\"1–10\""           },
        {"@article{k, pages={S1-S10}}",                                "pages",       "\"S1–S10\""         },
        {"@article{k, eid={044320}}",                                  "number",      "\"044320\""           },
        {"@article{k, number=3, volume={12A}}",                        "issue",       "\"3\""                },
        {"@misc{k, howpublished={\\url{http://a.b/~x}}}",              "url",         "\"http://a.b/~x\""    },
        {"@misc{k, url={javascript:alert(1)}}",                        "url",         "null"                 },
        {"@misc{k, url={ftp://a.b/c}}",                                "url",         "null"                 },
        {"@misc{k, author={Lin*, Xiao and {Lab Group} and others}}",   "authors",
         "[{\"name\":\"Xiao Lin\",\"family\":\"Lin\",\"given\":\"Xiao\",\"equal\":true,"
         "\"corresponding\":false},{\"name\":\"Lab Group\",\"family\":\"Lab Group\","
         "\"given\":null,\"equal\":false,\"corresponding\":false}]"                                          },
        {"@misc{k, author={A and others}}",                            "others",      "true"                 },
        {"@book{k, editor={Beethoven, Ludwig von}}",                   "authors",     "[]"                   },
        {"@book{k, editor={van Beethoven, Ludwig}}",                   "editors",
         "[{\"name\":\"Ludwig van "
         "Beethoven\",\"family\":\"van Beethoven\",\"given\":\"Ludwig\"}]"                                   },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *value = json_object_get(document(cases[i].source), cases[i].key);
        const char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        cr_expect_str_eq(text, cases[i].text, "%s: %s is %s", cases[i].source,
                         cases[i].key, text);
    }
}

struct identifier_case {
    struct slice (*find)(struct arena *, struct slice);
    const char *text, *found;
};

Test(work, finds_identifiers_in_every_disguise, .init = enter, .fini = leave)
{
    static const struct identifier_case cases[] = {
        {identifier_doi,   "10.1000/ABC.",                             "10.1000/abc"    },
        {identifier_doi,   " https://DOI.org/10.1000/182 ",            "10.1000/182"    },
        {identifier_doi,   "http://dx.doi.org/10.1002/%28SICI%291097",
         "10.1002/(sici)1097"                                                           },
        {identifier_doi,   "doi: 10.1000/182",                         "10.1000/182"    },
        {identifier_doi,   "DOI 10.1000/182",                          "10.1000/182"    },
        {identifier_doi,   "https://lab.example/10.1000/182",          ""               },
        {identifier_doi,   "10.1000",                                  ""               },
        {identifier_doi,   "10.x/y",                                   ""               },
        {identifier_doi,   "",                                         ""               },
        {identifier_arxiv, "2301.00001v3",                             "2301.00001"     },
        {identifier_arxiv, "https://arxiv.org/abs/2301.00001",         "2301.00001"     },
        {identifier_arxiv, "https://arxiv.org/pdf/0704.0001.pdf",      "0704.0001"      },
        {identifier_arxiv, "10.48550/arXiv.2301.00001",                "2301.00001"     },
        {identifier_arxiv, "arXiv:math.GT/0309136",                    "math.gt/0309136"},
        {identifier_arxiv, "2301.000012",                              ""               },
        {identifier_arxiv, "12345",                                    ""               },
        {identifier_isbn,  "ISBN 0-306-40615-2 (print)",               "0306406152"     },
        {identifier_isbn,  "080442957x, 978-3-16-148410-0",            "080442957X"     },
        {identifier_isbn,  "978-3-16-148410-1",                        ""               },
        {identifier_pmid,  " 123 ",                                    "123"            },
        {identifier_pmid,  "PMC123",                                   ""               },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct slice found = cases[i].find(arena, slice_of(cases[i].text));
        cr_expect(slice_is(found, cases[i].found), "%s gives %s", cases[i].text,
                  found.bytes);
    }
}

struct date_case {
    const char *date, *year, *month, *day;
    int found[3];
};

Test(work, reads_dates)
{
    static const struct date_case cases[] = {
        {"2010-11-03",   "",               "",             "",   {2010, 11, 3} },
        {"2010-11/2011", "",               "",             "",   {2010, 11, 0} },
        {"2010?",        "",               "",             "",   {2010, 0, 0}  },
        {"2023-02-29",   "",               "",             "",   {2023, 2, 0}  },
        {"",             "2010a",          "Sept.",        "",   {2010, 9, 0}  },
        {"",             "in press, 2011", "July 12–15", "",   {2011, 7, 12} },
        {"",             "2011",           "3月",         "",   {2011, 3, 0}  },
        {"",             "2011",           "13",           "",   {2011, 0, 0}  },
        {"",             "2011",           "12",           "24", {2011, 12, 24}},
        {"",             "2011",           "decorum",      "",   {2011, 12, 0} },
        {"",             "",               "May",          "3",  {0, 0, 0}     },
        {"",             "19999",          "",             "",   {0, 0, 0}     },
        {"",             "第2011期",     "März",        "",   {2011, 3, 0}  },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct work_date got =
            work_date(slice_of(cases[i].date), slice_of(cases[i].year),
                      slice_of(cases[i].month), slice_of(cases[i].day));
        const int *want = cases[i].found;
        cr_expect(got.year == want[0] && got.month == want[1] && got.day == want[2],
                  "case %zu: %d-%d-%d", i, got.year, got.month, got.day);
    }
}

static void expect_storable(const json_t *document, const char *name)
{
    static const char *const keys[] = {"title", "venue",     "volume",    "issue",
                                       "pages", "publisher", "abstract",  "note",
                                       "url",   "language",  "bibtex_key"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const json_t *value = json_object_get(document, keys[i]);
        if (json_is_string(value))
            cr_expect_eq(
                utf8_fault(json_string_value(value), json_string_length(value), false),
                UTF8_FINE, "%s: %s: %s", name, keys[i], json_string_value(value));
    }
    size_t index;
    json_t *author;
    json_array_foreach(json_object_get(document, "authors"), index, author)
    {
        const json_t *text = json_object_get(author, "name");
        cr_expect(json_is_string(text) &&
                      utf8_fault(json_string_value(text), json_string_length(text),
                                 false) == UTF8_FINE,
                  "%s: author %zu", name, index);
    }
}

Test(work, makes_storable_documents_of_the_whole_corpus)
{
    struct arena *whole = arena_new();
    const char **names;
    size_t files = corpus_list(&names, whole, "bib");
    size_t entries = 0;
    size_t titled = 0;
    size_t with_authors = 0;
    for (size_t i = 0; i < files; i++) {
        struct arena *own = arena_new();
        struct slice file = corpus_read(own, names[i]);
        struct decoded decoded;
        struct bibtex *parser;
        struct bibtex_entry entry;
        cr_assert_eq(encoding_decode(&decoded, own, file.bytes, file.length), OK);
        cr_assert_eq(bibtex_open(&parser, own, decoded.text, &bibtex_import_limits), OK);
        while (bibtex_next(&entry, parser) == OK) {
            if (entry.refused != BIBTEX_SOUND || !bibtex_is_entry(&entry))
                continue;
            enter();
            json_t *one = work_document(arena, &entry);
            entries++;
            titled += json_is_string(json_object_get(one, "title"));
            with_authors += json_array_size(json_object_get(one, "authors")) > 0;
            expect_storable(one, names[i]);
            leave();
        }
        arena_free(own);
    }
    cr_expect_gt(entries, 25000);
    cr_expect_gt(titled, entries * 97 / 100, "%zu of %zu", titled, entries);
    cr_expect_gt(with_authors, entries * 90 / 100, "%zu of %zu", with_authors, entries);
    arena_free(whole);
}
