/* RIS, .ciw, EndNote, NoteExpress and MEDLINE: tagged files of every dialect. */
#include "server/base/buf.h"
#include "server/base/identifier.h"
#include "server/text/bibliography.h"
#include "tests/support/entries.h"

enum { MOST = 64 };

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

static size_t entries_of(const char *text)
{
    return read_entries(entries, MOST, "", slice_of(text));
}

static const json_t *only(const char *text)
{
    size_t count = entries_of(text);
    cr_assert_eq(count, 1, "%zu entries", count);
    cr_assert_null(entries[0].refused, "%s", entries[0].refused);
    return entries[0].document;
}

TestSuite(ris, .init = enter, .fini = leave);

Test(ris, a_paper_of_a_journal)
{
    const json_t *paper = only("TY  - JOUR\r\n"
                               "AU  - Lin, Xiao\r\n"
                               "A1  - van der Berg, Jan, Jr.\r\n"
                               "TI  - Sparse\r\n"
                               "  <i>grids</i> &amp; H<sub>2</sub>O\r\n"
                               "T2  - Journal of Tests\r\n"
                               "JO  - J. Tests\r\n"
                               "VL  - 7\r\nIS  - 3\r\nSP  - 12\r\nEP  - 19\r\n"
                               "PY  - 2021\r\nDA  - 2021/05/17\r\n"
                               "DO  - https://doi.org/10.1000/ABC.1\r\n"
                               "UR  - https://example.org/a; https://example.org/b\r\n"
                               "LA  - en\r\nAB  - What it says.\r\nPB  - Press\r\n"
                               "CY  - Bern\r\nID  - lin21\r\nER  - \r\n");
    expect_document(
        paper, "{'kind': 'article', 'title': 'Sparse grids & H₂O', 'venue': 'Journal of "
               "Tests', 'volume': '7', 'issue': '3', 'pages': '12–19', 'year': 2021,"
               "'month': 5, 'day': 17, 'url': 'https://example.org/a', 'language': 'en',"
               "'abstract': 'What it says.', 'publisher': 'Press', 'place': 'Bern',"
               "'identifiers': [{'scheme': 'doi', 'value': '10.1000/abc.1'}],"
               "'bibtex': null, 'others': false}");
    cr_expect_str_eq(names_of(paper, "authors"), "Lin/Xiao; van der Berg/Jan");
    cr_expect_str_eq(entries[0].key, "lin21");
    cr_expect_eq(json_array_size(entries[0].remarks), 0);
}

Test(ris, kinds_of_works)
{
    static const char *const kinds[][2] = {
        {"JOUR",   "article"   },
        {"CONF",   "conference"},
        {"CPAPER", "conference"},
        {"BOOK",   "book"      },
        {"CHAP",   "chapter"   },
        {"THES",   "thesis"    },
        {"RPRT",   "report"    },
        {"UNPB",   "preprint"  },
        {"COMP",   "software"  },
        {"DATA",   "dataset"   },
        {"ELEC",   "other"     },
        {"jour",   "article"   },
        {"Journ",  "article"   },
        {"XYZ",    "other"     },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const json_t *work =
            only(arena_print(arena, "TY  - %s\nTI  - T\nER  - \n", kinds[i][0]));
        cr_expect_str_eq(json_string_value(json_object_get(work, "kind")), kinds[i][1]);
        bool strange = i == 13;
        cr_expect_eq(json_array_size(entries[0].remarks), strange ? 1 : 0, "%s",
                     kinds[i][0]);
    }
}

Test(ris, a_book_and_a_chapter)
{
    const json_t *book = only("TY  - EDBOOK\nBT  - All of it\nT3  - Notes in Tests\n"
                              "A2  - Doe, Ann\nSN  - 978-3-16-148410-0\nET  - 2nd\n"
                              "PB  - Press\nER  -\n");
    expect_document(book,
                    "{'kind': 'book', 'title': 'All of it', 'series': 'Notes in "
                    "Tests', 'venue': null, 'edition': '2nd', 'authors': [],"
                    "'identifiers': [{'scheme': 'isbn', 'value': '9783161484100'}]}");
    cr_expect_str_eq(names_of(book, "editors"), "Doe/Ann");
    const json_t *chapter = only("TY  - CHAP\nTI  - One\nBT  - All of it\nED  - Doe, A.\n"
                                 "SP  - 12-34\nY1  - 2017/05/03/Spring\n"
                                 "SN  - 978-3-16-148410-0\n");
    expect_document(chapter, "{'kind': 'chapter', 'title': 'One', 'venue': 'All of it',"
                             "'pages': '12–34', 'year': 2017, 'month': 5, 'day': 3,"
                             "'identifiers': []}");
}

Test(ris, who_edited)
{
    static const char *const cases[][3] = {
        {"BOOK",   "",                           "Two/B."  },
        {"BOOK",   "A3  - Three, C.\n",          "Three/C."},
        {"EDBOOK", "",                           "One/A."  },
        {"JOUR",   "",                           "Two/B."  },
        {"THES",   "A3  - Three, C.\n",          ""        },
        {"ELEC",   "",                           "Two/B."  },
        {"JOUR",   "A2  - A B, C D, E F, G H\n", "Two/B."  },
        {"PCOMM",  "",                           ""        },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_str_eq(
            names_of(only(arena_print(arena,
                                      "TY  - %s\nAU  - One, A.\nA2  - Two, B.\n"
                                      "%sER  - \n",
                                      cases[i][0], cases[i][1])),
                     "editors"),
            cases[i][2]);
}

Test(ris, dates_as_programs_write_them)
{
    static const struct {
        const char *lines, *date;
    } dates[] = {
        {"PY  - 1991///\n",                "{'year': 1991, 'month': null}"           },
        {"PY  - 2019/03//\n",              "{'year': 2019, 'month': 3, 'day': null}" },
        {"Y1  - 2015/october\n",           "{'year': 2015, 'month': 10}"             },
        {"PY  - 2023\nDA  - MAY 4\n",      "{'year': 2023, 'month': 5, 'day': 4}"    },
        {"PY  - 2014\nDA  - 2014-06-01\n", "{'year': 2014, 'month': 6, 'day': 1}"    },
        {"PY  - 1984 - 1985\n",            "{'year': 1984}"                          },
        {"PY  - 2020\nDA  - 2021/02/03\n", "{'year': 2020, 'month': null}"           },
        {"DA  - 20160419\n",               "{'year': 2016, 'month': 4, 'day': 19}"   },
        {"PY  - 2019/02/30\n",             "{'year': 2019, 'month': 2, 'day': null}" },
        {"PY  - 2016年6月9日\n",        "{'year': 2016, 'month': 6, 'day': 9}"    },
        {"PY  - 2016年12月\n",           "{'year': 2016, 'month': 12, 'day': null}"},
        {"PY  - 0000\n",                   "{'year': null, 'month': null}"           },
    };
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++)
        expect_document(
            only(arena_print(arena, "TY  - JOUR\n%sER  - \n", dates[i].lines)),
            dates[i].date);
}

Test(ris, names_as_programs_write_them)
{
    static const char *const names[][2] = {
        {"Baldwin,S.A.",                      "Baldwin/S.A."                         },
        {"Doe, John, Jr.",                    "Doe/John"                             },
        {"Doe, Jr., John",                    "Doe/John"                             },
        {"Homerus",                           "Homerus"                              },
        {"van Raaij MJ",                      "van Raaij/MJ"                         },
        {"Xiao LI",                           "LI/Xiao"                              },
        {"Johann Goethe Smith",               "Smith/Johann Goethe"                  },
        {"William Press",                     "Press/William"                        },
        {"Bank of Tests",                     "Bank of Tests"                        },
        {"Xiao Lin, Jia Wu, Ann Doe, Bo Roe", "Lin/Xiao; Wu/Jia; Doe/Ann; Roe/Bo"    },
        {"张三, 李四, 王小明, 赵敏", "张/三; 李/四; 王/小明; 赵/敏"},
        {"Catarina Barata",                   "Barata/Catarina"                      },
        {"Ludwig van der Rohe",               "van der Rohe/Ludwig"                  },
        {"Red Cross Delft,",                  "Red Cross Delft"                      },
        {"World Health Organization",         "World Health Organization"            },
        {"{Some Consortium, The}",            "Some Consortium, The"                 },
        {"欧阳若水",                      "欧阳/若水"                        },
        {"王, 小明",                       "王/小明"                           },
        {"Lin, Xiao; Wu, Jia",                "Lin/Xiao; Wu/Jia"                     },
        {"张三；李四",                   "张/三; 李/四"                     },
        {"M&uuml;ller, A.",                   "Müller/A."                           },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        cr_expect_str_eq(
            names_of(
                only(arena_print(arena, "TY  - JOUR\nAU  - %s\nER  - \n", names[i][0])),
                "authors"),
            names[i][1]);
    const json_t *paper = only("TY  - JOUR\nAU  - Lin, Xiao*\nAU  - et al.\nER  -\n");
    expect_document(paper, "{'others': true}");
    cr_expect(json_is_true(
        json_object_get(json_array_get(json_object_get(paper, "authors"), 0), "equal")));
}

Test(ris, a_damaged_record_costs_itself_alone)
{
    cr_assert_eq(entries_of("Provider: Example\n\n1.\nTY  - RPRT\nTI  - No end\n"
                            "TY\t- JOUR\nTI - One blank\nER -\n\n"
                            "JF  - Tests\nT1  - No type\nER  - \nnoise\n"
                            "ty  - CONF\nti  - Small tags\ner  - \n"
                            "TY  - THES\nTI  - Cut off\nAB  - ER  - is text"),
                 5);
    static const struct {
        size_t line;
        const char *title, *remark;
    } expected[] = {
        {4,  "No end",     "missing_end" },
        {6,  "One blank",  NULL          },
        {10, "No type",    "missing_type"},
        {14, "Small tags", NULL          },
        {17, "Cut off",    "missing_end" },
    };
    for (size_t i = 0; i < 5; i++) {
        const json_t *remark = json_array_get(entries[i].remarks, 0);
        const char *code = json_string_value(json_object_get(remark, "code"));
        cr_expect_eq(entries[i].line, expected[i].line);
        cr_expect_str_eq(json_string_value(json_object_get(entries[i].document, "title")),
                         expected[i].title);
        cr_expect_str_eq(code == NULL ? "" : code,
                         expected[i].remark == NULL ? "" : expected[i].remark);
    }
    cr_expect_eq(entries[0].source.length, strlen("TY  - RPRT\nTI  - No end"));
}

Test(ris, an_end_within_a_text_is_text)
{
    const json_t *paper = only("TY  - JOUR\nAB  - Notes on\nER  - that is, erbium\n"
                               "and more\nTI  - Title\nER  - \n\n");
    expect_document(paper,
                    "{'title': 'Title', 'abstract': 'Notes on ER - that is, erbium "
                    "and more'}");
}

Test(ris, editions_and_numbers)
{
    expect_document(only("TY  - JOUR\nET  - 2016/01/30\nIS  - 2\nER  -\n"),
                    "{'edition': null, 'issue': '2', 'number': null}");
    expect_document(only("TY  - PAT\nET  - 3rd\nIS  - US 7\nER  -\n"),
                    "{'edition': '3rd', 'number': 'US 7', 'issue': null}");
    expect_document(only("TY  - RPRT\nM1  - TR-7\nIS  - 2\nER  -\n"),
                    "{'number': 'TR-7', 'issue': null}");
}

Test(ris, entities_by_number)
{
    expect_document(only("TY  - JOUR\nTI  - &#147;A&#148; &#x2019;s &#233; &#0; &#129;\n"
                         "ER  -\n"),
                    "{'title': '“A” ’s é &#0; &#129;'}");
}

Test(ris, what_databases_note_for_themselves_is_no_note)
{
    expect_document(only("TY  - JOUR\nN1  - Export Date: 1 May 2020; Cited By: 3\n"
                         "N1  - doi: 10.1000/x\nN1  - In Chinese\nER  -\n"),
                    "{'note': 'In Chinese', 'identifiers': [{'scheme': 'doi', 'value': "
                    "'10.1000/x'}]}");
}

/* Found by fuzzing: what comes with a copied number must be fit to be stored. */
Test(ris, identifiers_without_what_is_not_seen)
{
    expect_document(only("TY  - JOUR\nDO  - 10.1000/a\u200Bb\u2066&lt;1&gt;\nER  -\n"),
                    "{'identifiers': [{'scheme': 'doi', 'value': '10.1000/ab<1>'}]}");
    expect_document(
        only("TY  - JOUR\nUR  - http://dx.doi.org.proxy.example.edu/10.1000/p\n"
             "ER  -\n"),
        "{'identifiers': [{'scheme': 'doi', 'value': '10.1000/p'}]}");
    struct slice doi = slice_of("10.1000/a\u2066b");
    cr_expect_eq(identifier_doi(arena, doi).length, 0);
}

Test(ris, one_of_very_many_authors_and_too_many_fields)
{
    struct buf text = buf_on(arena);
    buf_string(&text, "TY  - JOUR\nTI  - Many\n");
    for (int i = 0; i < 3000; i++)
        buf_print(&text, "AU  - Name%d, A.\n", i);
    buf_string(&text, "ER  - \n");
    const json_t *paper = only(text.data);
    cr_expect_eq(json_array_size(json_object_get(paper, "authors")), 3000);
    text.length = 0;
    buf_string(&text, "TY  - JOUR\n");
    for (int i = 0; i < 50000; i++)
        buf_string(&text, "KW  - word\n");
    buf_string(&text, "ER  - \nTY  - JOUR\nTI  - Next\nER  - \n");
    cr_assert_eq(entries_of(text.data), 2);
    cr_expect_str_eq(entries[0].refused, "too_many_fields");
    expect_document(entries[1].document, "{'title': 'Next'}");
}

Test(ris, web_of_science)
{
    cr_assert_eq(entries_of("FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\n"
                            "AU Lin, X\n   Wu, J\nAF Lin, Xiao\n   Wu, Jia\n"
                            "TI On the tests\n   of readers\nSO JOURNAL OF TESTS\n"
                            "PD DEC 16\nPY 2020\nVL 6\nIS 1\nBP 3\nEP 9\n"
                            "DI 10.1000/w\nDT Article\nUT WOS:0001\nER\n\n"
                            "PT C\nTI Second\nDT Proceedings Paper\nER\n\nEF\n"),
                 2);
    expect_document(
        entries[0].document,
        "{'kind': 'article', 'title': 'On the tests of readers', 'venue':"
        "'JOURNAL OF TESTS', 'pages': '3–9', 'year': 2020, 'month': 12,"
        "'day': 16, 'identifiers': [{'scheme': 'doi', 'value': '10.1000/w'}]}");
    cr_expect_str_eq(names_of(entries[0].document, "authors"), "Lin/Xiao; Wu/Jia");
    cr_expect_str_eq(entries[0].key, "WOS:0001");
    expect_document(entries[1].document, "{'kind': 'conference', 'title': 'Second'}");
}

Test(ris, refworks)
{
    cr_assert_eq(
        entries_of("RT Journal Article\nSR 1\nA1 王小明;李四;\nAD 某大学;\nT1 题目\n"
                   "JF 计算机学报\nYR 2020\nVO 44\nIS 03\nSP 12\nOP 19\nK1 词;词\n"
                   "AB 摘要\nDO 10.1000/r\n\nRT Dissertation/Thesis\nT1 Second\n"
                   "PB Uni\nYR 2019\n\nRT Oddity\nT1 Third\n"),
        3);
    expect_document(
        entries[0].document,
        "{'kind': 'article', 'title': '题目', 'venue': '计算机学报', 'volume': "
        "'44', 'issue': '03', 'pages': '12–19', 'year': 2020, 'identifiers':"
        "[{'scheme': 'doi', 'value': '10.1000/r'}], 'abstract': '摘要'}");
    cr_expect_str_eq(names_of(entries[0].document, "authors"), "王/小明; 李/四");
    expect_document(entries[1].document, "{'kind': 'thesis', 'publisher': 'Uni'}");
    expect_document(json_array_get(entries[2].remarks, 0),
                    "{'code': 'unknown_type', 'word': 'Oddity'}");
}

Test(ris, endnote_and_refer)
{
    cr_assert_eq(
        entries_of("%0 Journal Article\n%A 余敏\n%A Lin, Xiao\n%T 题目\n%J 期刊\n"
                   "%D 2009\n%V 29\n%N 2\n%P 94-98\n%R 10.1000/e\n%F key1\n"
                   "%X One.\n\nTwo.\n\n%0 Thesis\n%T Second\n%I Uni\n%9 PhD\n"),
        2);
    expect_document(
        entries[0].document,
        "{'kind': 'article', 'title': '题目', 'venue': '期刊', 'volume': '29',"
        "'issue': '2', 'pages': '94–98', 'abstract': 'One. Two.',"
        "'year': 2009}");
    cr_expect_str_eq(names_of(entries[0].document, "authors"), "余/敏; Lin/Xiao");
    cr_expect_str_eq(entries[0].key, "key1");
    expect_document(entries[1].document,
                    "{'kind': 'thesis', 'publisher': 'Uni', 'genre': 'PhD'}");
    cr_assert_eq(entries_of("%T One\n%A A. Lin\n%J Tests\n\n%T Two\n%I Press\n"), 2);
    expect_document(entries[0].document, "{'kind': 'article', 'title': 'One'}");
    expect_document(entries[1].document, "{'kind': 'book', 'title': 'Two'}");
}

Test(ris, note_express)
{
    cr_assert_eq(entries_of("{Reference Type}: Journal Article\n{Title}: 题目\n"
                            "{Author}: 王小明;李四\n{Journal}: 期刊\n{Year}: 2020\n"
                            "{Issue}: 4\n{Pages}: 1-9\n{Unknown}: x\n\n"
                            "{Reference Type}: Thesis\n{Title}: 第二\n"),
                 2);
    expect_document(entries[0].document,
                    "{'kind': 'article', 'title': '题目', 'venue': '期刊', 'year': 2020,"
                    "'issue': '4', 'pages': '1–9'}");
    cr_expect_str_eq(names_of(entries[0].document, "authors"), "王/小明; 李/四");
    expect_document(entries[1].document, "{'kind': 'thesis', 'title': '第二'}");
}

Test(ris, medline)
{
    cr_assert_eq(entries_of("PMID- 8692918\nOWN - NLM\nVI  - 93\nIP  - 14\n"
                            "DP  - 1996 Jul 9\nTI  - The structure of\n      a test.\n"
                            "PG  - 6913-7\nFAU - van Raaij, M J\nAU  - van Raaij MJ\n"
                            "AU  - Walker JE\nCN  - Test Group\nLA  - eng\n"
                            "JT  - Proceedings of Tests\nTA  - Proc Tests\n"
                            "AID - S1 [pii]\nAID - 10.1000/m [doi]\n\n"
                            "PMID- 2\nTI  - Preprint\nPT  - Preprint\n"),
                 2);
    expect_document(entries[0].document,
                    "{'kind': 'article', 'title': 'The structure of a test', 'venue':"
                    "'Proceedings of Tests', 'volume': '93', 'issue': '14', 'pages':"
                    "'6913–6917', 'year': 1996, 'month': 7, 'day': 9, 'identifiers':"
                    "[{'scheme': 'pmid', 'value': '8692918'}, {'scheme': 'doi', 'value':"
                    "'10.1000/m'}]}");
    cr_expect_str_eq(names_of(entries[0].document, "authors"),
                     "van Raaij/M J; Walker/JE; Test Group");
    expect_document(entries[1].document, "{'kind': 'preprint'}");
}
