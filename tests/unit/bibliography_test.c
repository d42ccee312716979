/* Many files of many formats as one import. */
#include "server/base/buf.h"
#include "server/text/bibliography.h"

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

static struct bibliography *opened(const struct bibliography_file *files, size_t count)
{
    struct bibliography *b;
    cr_assert_eq(bibliography_open(&b, arena, files, count, &bibtex_paste_limits), OK);
    return b;
}

static struct bibliography_entry next(struct bibliography *b)
{
    struct bibliography_entry entry;
    cr_assert_eq(bibliography_next(&entry, b, arena), OK);
    return entry;
}

static const char *text_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

Test(bibliography, tells_formats_apart, .init = enter, .fini = leave)
{
    static const struct {
        const char *name, *text;
        enum bibliography_format format;
    } cases[] = {
        {"",      "@article{a, title={T}}",                   BIBLIOGRAPHY_BIBTEX     },
        {"",      "---\n---\n\n@string{a = {b}}",             BIBLIOGRAPHY_BIBTEX     },
        {"",      "see: @misc{a}",                            BIBLIOGRAPHY_BIBTEX     },
        {"a.ris", "@article{a, title={T}}",                   BIBLIOGRAPHY_BIBTEX     },
        {"a.bib", "% nothing yet\n",                          BIBLIOGRAPHY_BIBTEX     },
        {"a.txt", "\nTY  - JOUR\nTI  - T\nER  - \n",          BIBLIOGRAPHY_RIS        },
        {"",      "Provider: X\nDatabase: Y\nTY - JOUR",      BIBLIOGRAPHY_RIS        },
        {"a.bib", "PMID- 123\nOWN - NLM\nTI  - T",            BIBLIOGRAPHY_NBIB       },
        {"a.net", "%0 Journal Article\n%A Lin, Xiao\n",       BIBLIOGRAPHY_ENDNOTE    },
        {"",      "[{\"id\": \"a\"}]",                        BIBLIOGRAPHY_CSL_JSON   },
        {"",      " {\n \"type\": \"book\"}",                 BIBLIOGRAPHY_CSL_JSON   },
        {"",      "10.1000/abc\n",                            BIBLIOGRAPHY_IDENTIFIERS},
        {"",      "https://arxiv.org/abs/2301.00001 and so",  BIBLIOGRAPHY_IDENTIFIERS},
        {"",      "https://orcid.org/0000-0002-1825-0097\n",  BIBLIOGRAPHY_IDENTIFIERS},
        {"a.txt", "Dear colleagues,\nthank you [all] for it", BIBLIOGRAPHY_UNKNOWN    },
        {"",      "",                                         BIBLIOGRAPHY_UNKNOWN    },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_eq(bibliography_sniff(cases[i].name, slice_of(cases[i].text)),
                     cases[i].format, "%s: %s", cases[i].text,
                     bibliography_format_name(
                         bibliography_sniff(cases[i].name, slice_of(cases[i].text))));
}

Test(bibliography, gives_every_entry_of_every_file, .init = enter, .fini = leave)
{
    struct bibliography_file files[] = {
        {"a.bib", slice_of("\n@article{one, title={A}}\n@article{two, title={B\n\n"
                           "@misc{three, title = no_such}\n")},
        {"b.txt", slice_of("\x89PNG\r\n\x1A\n\x00\xFF\xFE\xFD")               },
        {"c.bib", slice_of("@book{four, title={\xC3\x84}}")                   },
    };
    struct bibliography *b = opened(files, 3);
    struct bibliography_entry one = next(b);
    cr_expect_eq(one.line, 2);
    cr_expect_str_eq(one.key, "one");
    cr_expect_str_eq(text_at(one.document, "title"), "A");
    cr_expect_eq(json_array_size(one.remarks), 0);
    struct bibliography_entry two = next(b);
    cr_expect_null(two.document);
    cr_expect_str_eq(two.refused, "unclosed");
    cr_expect_eq(two.line, 3);
    struct bibliography_entry three = next(b);
    json_t *remark = json_array_get(three.remarks, 0);
    cr_expect_str_eq(text_at(remark, "code"), "undefined_macro");
    cr_expect_str_eq(text_at(remark, "word"), "no_such");
    cr_expect_str_eq(text_at(three.document, "title"), "no_such");
    struct bibliography_entry four = next(b);
    cr_expect_eq(four.file, 2);
    cr_expect_str_eq(text_at(four.document, "title"), "Ä");
    struct bibliography_entry none;
    cr_expect_eq(bibliography_next(&none, b, arena), NOT_FOUND);
    const char *told = json_dumps(bibliography_files(b), JSON_COMPACT);
    cr_expect_str_eq(
        told, "[{\"name\":\"a.bib\",\"format\":\"bibtex\",\"encoding\":\"UTF-8\","
              "\"entries\":3,\"refused\":null},"
              "{\"name\":\"b.txt\",\"format\":\"unknown\",\"encoding\":\"unknown\","
              "\"entries\":0,\"refused\":\"encoding\"},"
              "{\"name\":\"c.bib\",\"format\":\"bibtex\",\"encoding\":\"UTF-8\","
              "\"entries\":1,\"refused\":null}]");
}

Test(bibliography, stops_at_its_limits, .init = enter, .fini = leave)
{
    struct bibtex_limits limits = bibtex_paste_limits;
    struct bibliography_file files[] = {
        {"a.bib", slice_of("@misc{a}@misc{b}")},
        {"b.bib", slice_of("@misc{c}@misc{d}")},
    };
    struct bibliography *b;
    struct bibliography_entry entry;
    limits.file_bytes = 31;
    cr_expect_eq(bibliography_open(&b, arena, files, 2, &limits), INVALID);
    limits.file_bytes = 32;
    limits.entries = 2;
    cr_assert_eq(bibliography_open(&b, arena, files, 2, &limits), OK);
    next(b);
    next(b);
    entry = next(b);
    cr_expect_str_eq(entry.refused, "too_many_entries");
    cr_expect_null(entry.document);
    cr_expect_eq(bibliography_next(&entry, b, arena), NOT_FOUND);
}

static json_t *document_of(struct bibliography *b, const char *key)
{
    struct bibliography_entry entry;
    while (bibliography_next(&entry, b, arena) == OK)
        if (strcmp(entry.key, key) == 0)
            return entry.document;
    cr_assert_fail("no entry %s", key);
    return NULL;
}

Test(bibliography, macros_of_one_file_are_known_to_all, .init = enter, .fini = leave)
{
    struct bibliography_file files[] = {
        {"a.bib", slice_of("@article{a, title={T}, journal = j # { II}}"
                           "@article{b, title={T}, journal = own}"
                           "@string{own = {Later here}}"
                           "@article{c, title={T}, journal = ApJ, month = may}"
                           "@article{d, title={T}, journal = nowhere}")},
        {"b.bib", slice_of("@string{j = {Journal } # k}")                               },
        {"c.bib", slice_of("@string{k = {of K}}")                                       },
    };
    struct bibliography *b = opened(files, 3);
    struct bibliography_entry entry = next(b);
    cr_expect_str_eq(text_at(entry.document, "venue"), "Journal of K II");
    cr_expect_str_eq(text_at(entry.document, "bibtex"),
                     "@article{a,\n  title = {T},\n  journal = {Journal of K II},\n}");
    cr_expect_str_eq(text_at(next(b).document, "venue"), "Later here");
    entry = next(b);
    cr_expect_str_eq(text_at(entry.document, "venue"), "The Astrophysical Journal");
    cr_expect_eq(json_array_size(entry.remarks), 0);
    entry = next(b);
    cr_expect_str_eq(text_at(entry.document, "venue"), "nowhere");
    cr_expect_str_eq(text_at(json_array_get(entry.remarks, 0), "code"),
                     "undefined_macro");
}

Test(bibliography, parts_take_what_they_lack_from_the_whole, .init = enter, .fini = leave)
{
    struct bibliography_file files[] = {
        {"a.bib",
         slice_of("@inproceedings{c, title={Part}, crossref={P}, doi={10.1000/c}}"
                  "@inproceedings{d, title={Part}, crossref={p}, year=2019}"
                  "@inproceedings{lost, title={Part}, crossref={gone}}"
                  "@inbook{e, title={Part}, crossref={b}}"
                  "@article{x, title={Own}, xdata={m, no}}")},
        {"b.bib",
         slice_of("@proceedings{p, title={Proc}, date={2020-05}, doi={10.1000/p},"
                  " editor={Lin, Xiao}, series={S}, url={https://a.example/}}"
                  "@book{b, title={Volume}, author={Wu, Jia}, crossref={mv}}"
                  "@mvbook{mv, title={All}, publisher={Press}, crossref={b}}"
                  "@xdata{m, title={Not}, journaltitle={J}, xdata={n}}"
                  "@xdata{n, volume={7}, xdata={m}}")       },
    };
    struct bibliography_entry entry = next(opened(files, 2));
    cr_expect_str_eq(text_at(entry.document, "venue"), "Proc");
    cr_expect_str_eq(text_at(entry.document, "series"), "S");
    cr_expect_eq(json_integer_value(json_object_get(entry.document, "month")), 5);
    cr_expect_null(text_at(entry.document, "url"));
    cr_expect_eq(json_array_size(json_object_get(entry.document, "identifiers")), 1);
    cr_expect_eq(json_array_size(json_object_get(entry.document, "editors")), 1);
    cr_expect_null(strstr(text_at(entry.document, "bibtex"), "crossref"));
    json_t *dated = document_of(opened(files, 2), "d");
    cr_expect_eq(json_integer_value(json_object_get(dated, "year")), 2019);
    cr_expect(json_is_null(json_object_get(dated, "month")));
    json_t *chapter = document_of(opened(files, 2), "e");
    cr_expect_str_eq(text_at(chapter, "venue"), "Volume");
    cr_expect_str_eq(text_at(chapter, "publisher"), "Press");
    cr_expect_eq(json_array_size(json_object_get(chapter, "authors")), 1);
    json_t *article = document_of(opened(files, 2), "x");
    cr_expect_str_eq(text_at(article, "title"), "Own");
    cr_expect_str_eq(text_at(article, "venue"), "J");
    cr_expect_str_eq(text_at(article, "volume"), "7");
    struct bibliography *b = opened(files, 2);
    size_t given = 0;
    while (bibliography_next(&entry, b, arena) == OK) {
        const char *code = text_at(json_array_get(entry.remarks, 0), "code");
        given++;
        if (strcmp(entry.key, "lost") == 0)
            cr_expect_str_eq(code, "no_parent");
        if (strcmp(entry.key, "p") == 0)
            cr_expect_str_eq(code, "parent");
    }
    cr_expect_eq(given, 8);
}

Test(bibliography, inheritance_is_bounded, .init = enter, .fini = leave)
{
    struct buf text = buf_on(arena);
    struct bibtex_limits limits = bibtex_paste_limits;
    for (int i = 0; i < 30; i++)
        buf_print(&text, "@xdata{k%d, xdata={k0,k1,k2,k3,k4,k5,k6,k7,k8,k9}, f%d={v}}", i,
                  i);
    buf_string(&text, "@misc{last, title={T}, xdata={k0,k1,k2}}@misc{next, title={N}}");
    struct bibliography_file file = {
        "a.bib", {text.data, text.length}
    };
    struct bibliography *b;
    cr_assert_eq(bibliography_open(&b, arena, &file, 1, &limits), OK);
    cr_expect_str_eq(next(b).refused, "too_much_expansion");
    cr_expect_str_eq(text_at(next(b).document, "title"), "N");
}
