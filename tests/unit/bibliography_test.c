/* Many files of many formats as one import. */
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
