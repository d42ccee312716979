/* The BibTeX parser on small cases: syntax, recovery, limits. */
#include "server/base/buf.h"
#include "server/text/bibtex.h"

#include <criterion/criterion.h>

/* What the parser makes of a text, in one line: "type:key(name=value;...)!problem@line
 * ~remark@line". */
static const char *seen(struct arena *arena, const char *text,
                        const struct bibtex_limits *limits)
{
    struct buf out = buf_on(arena);
    struct bibtex *parser;
    if (bibtex_open(&parser, arena, slice_of(text), limits) != OK)
        return "refused";
    struct bibtex_entry entry;
    while (bibtex_next(&entry, parser) == OK) {
        buf_print(&out, "%s%.*s:%.*s", out.length > 0 ? " " : "", (int)entry.type.length,
                  entry.type.bytes, (int)entry.key.length, entry.key.bytes);
        if (entry.refused != BIBTEX_SOUND) {
            buf_print(&out, "!%s@%zu", bibtex_problem_code(entry.refused),
                      entry.refused_line);
            continue;
        }
        for (size_t i = 0; i < entry.field_count; i++)
            buf_print(&out, "%c%.*s=%.*s", i == 0 ? '(' : ';',
                      (int)entry.fields[i].name.length, entry.fields[i].name.bytes,
                      (int)entry.fields[i].value.length, entry.fields[i].value.bytes);
        if (entry.field_count > 0)
            buf_char(&out, ')');
        for (size_t i = 0; i < entry.remark_count && i < BIBTEX_REMARKS; i++)
            buf_print(&out, "~%s@%zu", bibtex_problem_code(entry.remarks[i].problem),
                      entry.remarks[i].line);
    }
    return out.data;
}

struct bibtex_case {
    const char *text, *seen;
};

static void check(const struct bibtex_case *cases, size_t count)
{
    struct arena *arena = arena_new();
    for (size_t i = 0; i < count; i++)
        cr_expect_str_eq(seen(arena, cases[i].text, &bibtex_paste_limits), cases[i].seen,
                         "%s\n gives %s\nwanted %s", cases[i].text,
                         seen(arena, cases[i].text, &bibtex_paste_limits), cases[i].seen);
    arena_free(arena);
}
#define CHECK(cases) check(cases, sizeof(cases) / sizeof((cases)[0]))

Test(bibtex, reads_the_syntax)
{
    static const struct bibtex_case cases[] = {
        {"",                                                                    ""                               },
        {"no entry at all, ann@lab.example (Ann)",                              ""                               },
        {"@article{k, title = {A {B} C}, year=2024}",
         "article:k(title=A {B} C;year=2024)"                                                                    },
        {"@ARTICLE ( k , title = \"A {\"}B{\"} C\" , )",
         "ARTICLE:k(title=A {\"}B{\"} C)"                                                                        },
        {"@misc{k,\r\n a = {1},\r\n b = 2\r\n}\r\n@misc{l}",                    "misc:k(a=1;b=2) misc:l"         },
        {"@misc{k,\r a = {1}\r}\r@misc{l,\r a = }",
         "misc:k(a=1) misc:l(a=)~missing_value@5"                                                                },
        {"@string{j = {Journal}}@article{k, journal = J # { of } # \"X\" # 7}",
         "article:k(journal=Journal of X7)"                                                                      },
        {"@string(a = {x}, b = a # a) @misc{k, t = b}",                         "misc:k(t=xx)"                   },
        {"@misc{k, month = 10 # \"~\" # jan}",                                  "misc:k(month=10~January)"       },
        {"@preamble{\"\\newcommand{\\x}{y}\" # {z}} @misc{k}",                  "misc:k"                         },
        {"@comment{@misc{hidden, a={b}}} @misc{k}",                             "misc:k"                         },
        {"%@misc{hidden, a={b}}\n % @misc{too}\n@misc{k}",                      "misc:k"                         },
        {"@Comment this is one without braces\n@misc{k}",                       "misc:k"                         },
        {"@misc{DBLP:conf/x+y/Z_1'\"ab, a={}}",                                 "misc:DBLP:conf/x+y/Z_1'\"ab(a=)"},
        {"@misc{林 晓 2020, a={b}}",                                          "misc:林 晓 2020(a=b)"         },
        {"@misc{k, bdsk-url-1 = {u}, % volume = {7},\n b = {c}}",
         "misc:k(bdsk-url-1=u;b=c)"                                                                              },
        {"@misc{k\n , a = {b}\n , c = {d}\n}",                                  "misc:k(a=b;c=d)"                },
        {"@misc{k, a={b}}@misc{l, a={b}}, @misc{m}",                            "misc:k(a=b) misc:l(a=b) misc:m" },
        {"@article{a,\n abstract = {write to\n @author or x@y.z {now}}}",
         "article:a(abstract=write to\n @author or x@y.z {now})"                                                 },
    };
    CHECK(cases);
}

Test(bibtex, keeps_an_entry_with_small_mistakes)
{
    static const struct bibtex_case cases[] = {
        {"@misc{k, a = {b}\n c = {d}}",               "misc:k(a=b;c=d)~missing_comma@2"   },
        {"@misc{k\n a = {b}}",                        "misc:k(a=b)~missing_comma@2"       },
        {"@misc{k, , a = {b},, c={d},}",              "misc:k(a=b;c=d)"                   },
        {"@misc{a = {b}}",                            "misc:(a=b)~missing_key@1"          },
        {"@misc{, a = {b}}",                          "misc:(a=b)~missing_key@1"          },
        {"@misc{}",                                   "misc:~missing_key@1"               },
        {"@misc{k, a = {b} and more, c = 1}",
         "misc:k(a=b;c=1)~not_a_field@1~not_a_field@1"                                    },
        {"@misc{k, a = nature}",                      "misc:k(a=nature)~undefined_macro@1"},
        {"@misc{k, a = {1}, A = {2}}",                "misc:k(a=1;A=2)~repeated_field@1"  },
        {"@misc{k, a = {b}},\n c = {d}\n}\n@misc{l}",
         "misc:k(a=b;c=d)~surplus_brace@1 misc:l"                                         },
        {"@misc{k, a = {b}\n)\n@misc{l}",             "misc:k(a=b)~wrong_closer@2 misc:l" },
        {"@misc{k, {junk}, a = {b}}",                 "misc:k(a=b)~not_a_field@1"         },
    };
    CHECK(cases);
}

Test(bibtex, an_unclosed_entry_costs_itself_alone)
{
    static const struct bibtex_case cases[] = {
        {"@misc{a, t={1}}\n@misc{b,\n t={Cache {line},\n}\n@misc{c, t={3}}",
         "misc:a(t=1) misc:b!unclosed@5 misc:c(t=3)"                                                         },
        {"@misc{a, t={1}\n\n  @misc{b, t={2}}",                              "misc:a!unclosed@3 misc:b(t=2)" },
        {"@misc{a, t=\"1,\n y = 2\n}\n@misc{b, t={2}}",                      "misc:a!unclosed@4 misc:b(t=2)" },
        {"@misc{a, t={1},",                                                  "misc:a!unclosed@1"             },
        {"@misc{",                                                           "misc:!unclosed@1"              },
        {"@string{j = {x\n@misc{b, t={2}}",                                  "string:!unclosed@2 misc:b(t=2)"},
        {"@misc{a, t={1\n@string{j = {x}}\n@misc{b, t=j}",
         "misc:a!unclosed@2 misc:b(t=x)"                                                                     },
        {"@comment{ not {balanced\n@misc{b, t={2}}\n@comment{x\n@misc{c,}",
         "comment:!unclosed@2 misc:b(t=2) comment:!unclosed@4 misc:c"                                        },
    };
    CHECK(cases);
}

Test(bibtex, a_macro_bomb_is_refused_alone)
{
    struct arena *arena = arena_new();
    struct buf bomb = buf_on(arena);
    buf_string(&bomb, "@string{a0 = {xxxxxxxxxxxxxxxx}}\n");
    for (int i = 1; i < 27; i++)
        buf_print(&bomb, "@string{a%d=a%d#a%d}\n", i, i - 1, i - 1);
    buf_string(&bomb, "@misc{k, t = a26}\n@misc{l, t = {fine}}");
    size_t before = arena_used(arena);
    const char *result = seen(arena, bomb.data, &bibtex_paste_limits);
    cr_expect_not_null(strstr(result, "!too_"), "%s", result);
    cr_expect_not_null(strstr(result, "misc:l(t=fine)"), "%s", result);
    cr_expect_lt(arena_used(arena) - before, (size_t)8 << 20);

    /* Long macros used again and again: the file's allowance ends it. */
    struct buf many = buf_on(arena);
    buf_string(&many, "@string{a = {");
    for (int i = 0; i < 60000; i++)
        buf_char(&many, 'x');
    buf_string(&many, "}}");
    for (int i = 0; i < 1000; i++)
        buf_print(&many, "@misc{k%d, t = a # {y}}\n", i);
    buf_string(&many, "@misc{last, t = {fine}}");
    before = arena_used(arena);
    struct bibtex *parser;
    struct bibtex_entry entry;
    cr_assert_eq(bibtex_open(&parser, arena, (struct slice){many.data, many.length},
                             &bibtex_paste_limits),
                 OK);
    size_t refused = 0;
    while (bibtex_next(&entry, parser) == OK)
        refused += entry.refused == BIBTEX_TOO_MUCH_EXPANSION;
    cr_expect_gt(refused, 900);
    cr_expect(slice_is(entry.key, "last"));
    cr_expect_eq(entry.refused, BIBTEX_SOUND);
    cr_expect_lt(arena_used(arena) - before, (size_t)8 << 20);
    arena_free(arena);
}

Test(bibtex, every_limit_refuses_only_what_breaks_it)
{
    static const struct bibtex_limits tight = {.file_bytes = 200,
                                               .entries = 2,
                                               .fields = 3,
                                               .depth = 3,
                                               .value_bytes = 10,
                                               .macros = 14,
                                               .macro_bytes = 20};
    static const struct bibtex_case cases[] = {
        {"@misc{a, t={{{x}}}} @misc{b, t={{{{x}}}}}",
         "misc:a(t={{x}}) misc:b!too_deep@1"                                                         },
        {"@misc{a, t={12345678901}}\n@misc{b}",                     "misc:a!too_long@1 misc:b"       },
        {"@misc{a, t={123456} # {78901}}\n@misc{b}",                "misc:a!too_long@1 misc:b"       },
        {"@misc{a, a=1,b=1,c=1,\nd=1}\n@misc{b}",                   "misc:a!too_many_fields@2 misc:b"},
        {"@misc{a}\n@misc{b}\n@misc{c}\n@misc{d}",
         "misc:a misc:b misc:c!too_many_entries@3"                                                   },
        {"@string{a=1}@string{b=2}@string{c=3}@misc{k, a=b}",
         "string:!too_many_macros@1 misc:k(a=2)"                                                     },
        {"@string{a={123456789}} @misc{a, a=a, b=a, c=a} @misc{b}",
         "misc:a!too_much_expansion@1 misc:b"                                                        },
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_str_eq(seen(arena, cases[i].text, &tight), cases[i].seen,
                         "%s\n gives %s", cases[i].text,
                         seen(arena, cases[i].text, &tight));
    char *long_text = arena_alloc(arena, 202);
    memset(long_text, ' ', 201);
    long_text[201] = '\0';
    cr_expect_str_eq(seen(arena, long_text, &tight), "refused");
    arena_free(arena);
}

Test(bibtex, gives_the_source_to_the_byte_and_values_by_name)
{
    struct arena *arena = arena_new();
    const char *text = "front\n@Article{k,\n TITLE = { x },\n title={y} }\nback";
    struct bibtex *parser;
    struct bibtex_entry entry;
    cr_assert_eq(bibtex_open(&parser, arena, slice_of(text), &bibtex_paste_limits), OK);
    cr_assert_eq(bibtex_next(&entry, parser), OK);
    cr_expect(slice_is(entry.source, "@Article{k,\n TITLE = { x },\n title={y} }"));
    cr_expect_eq(entry.line, 2);
    cr_expect(slice_is(bibtex_value(&entry, "title"), "x"));
    cr_expect_eq(bibtex_value(&entry, "year").length, 0);
    cr_assert_eq(bibtex_next(&entry, parser), NOT_FOUND);
    arena_free(arena);
}
