/* Lists of names taken apart, by table and against the corpus. */
#include "server/base/buf.h"
#include "server/text/names.h"
#include "tests/support/corpus.h"

#include <criterion/criterion.h>
#include <jansson.h>

/* "given|particle|family|suffix" with * and + for marks, "; " between names, "..." for
 * others. */
static const char *seen(struct arena *arena, struct slice source)
{
    struct buf out = buf_on(arena);
    struct names names = names_parse(arena, source);
    for (size_t i = 0; i < names.count; i++) {
        const struct name *n = &names.list[i];
        buf_print(&out, "%s%.*s|%.*s|%.*s|%.*s%s%s", i > 0 ? "; " : "",
                  (int)n->given.length, n->given.bytes, (int)n->particle.length,
                  n->particle.bytes, (int)n->family.length, n->family.bytes,
                  (int)n->suffix.length, n->suffix.bytes, n->star ? "*" : "",
                  n->dagger ? "+" : "");
    }
    if (names.others)
        buf_string(&out, "...");
    return out.data;
}

struct names_case {
    const char *source, *seen;
};

static void check(const struct names_case *cases, size_t count)
{
    struct arena *arena = arena_new();
    for (size_t i = 0; i < count; i++)
        cr_expect_str_eq(seen(arena, slice_of(cases[i].source)), cases[i].seen,
                         "%s gives %s, wanted %s", cases[i].source,
                         seen(arena, slice_of(cases[i].source)), cases[i].seen);
    arena_free(arena);
}
#define CHECK(cases) check(cases, sizeof(cases) / sizeof((cases)[0]))

Test(names, follow_the_rules_of_bibtex)
{
    static const struct names_case cases[] = {
        {"",                                                ""                                                                   },
        {"Ann Lee and Lin, Xiao",                           "Ann||Lee|; Xiao||Lin|"                                              },
        {"Ludwig van Beethoven",                            "Ludwig|van|Beethoven|"                                              },
        {"van Beethoven, Ludwig",                           "Ludwig|van|Beethoven|"                                              },
        {"de la Vall{\\'e}e Poussin, Charles Louis Xavier",
         "Charles Louis Xavier|de la|Vallée Poussin|"                                                                           },
        {"von Last, Jr, First",                             "First|von|Last|Jr"                                                  },
        {"King, Jr., Martin Luther",                        "Martin Luther||King|Jr."                                            },
        {"{Barnes and Noble, Inc.}",                        "||Barnes and Noble, Inc.|"                                          },
        {"{van der} Berg",                                  "van der||Berg|"                                                     },
        {"Jean-Paul {\\'E}luard",                           "Jean-Paul||Éluard|"                                                },
        {"Per {\\o}stergaard Hansen",                       "Per|østergaard|Hansen|"                                            },
        {"A. {\\O}re",                                      "A.||Øre|"                                                          },
        {"J.~R.~R. Tolkien",                                "J. R. R.||Tolkien|"                                                 },
        {"Ann Lee AND\n Bo Li\tand others",                 "Ann||Lee|; Bo||Li|..."                                              },
        {"{Simon and Schuster} and Anderson, Pandora",      "||Simon and Schuster|; "
                                                       "Pandora||Anderson|"},
        {"and Ann Lee and",                                 "Ann||Lee|"                                                          },
        {"Plato",                                           "||Plato|"                                                           },
        {"Smith, ",                                         "||Smith|"                                                           },
        {", Ann",                                           "||Ann|"                                                             },
        {"and and and",                                     ""                                                                   },
        {"Ng, A. and O'Neil, B",                            "A.||Ng|; B||O'Neil|"                                                },
    };
    CHECK(cases);
}

Test(names, read_what_people_write_beyond_them)
{
    static const struct names_case cases[] = {
        {"林晓",                                                              "晓||林|"                                  },
        {"林晓 and 欧阳博 and 诸葛亮",                                  "晓||林|; 博||欧阳|; 亮||诸葛|"      },
        {"司马相如、上官婉儿；王芳",                                "相如||司马|; 婉儿||上官|; 芳||王|"},
        {"林, 晓 and {欧阳}, 博",                                          "晓||林|; 博||欧阳|"                    },
        {"林晓, 王芳, 欧阳博 等",                                       "晓||林|; 芳||王|; 博||欧阳|..."      },
        {"林晓，王芳",                                                     "晓||林|; 芳||王|"                       },
        {"晓 林 and 林 晓",                                                 "晓||林|; 晓||林|"                       },
        {"{清华大学}",                                                      "||清华大学|"                            },
        {"国家自然科学基金委员会",                                   "||国家自然科学基金委员会|"       },
        {"Ann Lee; Bo Li",                                                      "Ann||Lee|; Bo||Li|"                         },
        {"Ann Lee; Bo Li and Cy Ng",                                            "Ann||Lee|; Bo||Li|; Cy||Ng|"                },
        {"Ren&eacute; Roux and {Tom; Jerry}",                                   "René||Roux|; ||Tom; Jerry|"                },
        {"\\{de Croon\\}, \\{Guido C.H.E.\\}",                                  "Guido C.H.E.||de Croon|"                    },
        {"Zhang, Linqi, Ann Lee, Bo Li, and Cy Ng",
         "Linqi||Zhang|; Ann||Lee|; Bo||Li|; Cy||Ng|"                                                                        },
        {"Carpenter, R.L., K.K. Droegemeier, P.R. Woodward,",
         "R.L.||Carpenter|; K.K.||Droegemeier|; P.R.||Woodward|"                                                             },
        {"Evans, Tom, Sing, David K., Deming, Drake,Marley, Mark S.",
         "Tom||Evans|; David K.||Sing|; Drake||Deming|; Mark S.||Marley|"                                                    },
        {"Lee, Ann; Li, Bo",                                                    "Ann||Lee|; Bo||Li|"                         },
        {"Dong Yang, Fei Jiang, Wei Wu",                                        "Dong||Yang|; Fei||Jiang|; Wei||Wu|"         },
        {"Smith, J., Jones, K. L.",                                             "J.||Smith|; K. L.||Jones|"                  },
        {"Smith, J., Jones, K. L., \\& Li, M.",                                 "J.||Smith|; K. L.||Jones|; M.||Li|"         },
        {"Ann Lee et al.",                                                      "Ann||Lee|..."                               },
        {"Lin*, Xiao and Doe, Ann",                                             "Xiao||Lin|*; Ann||Doe|"                     },
        {"Xiao Lin$^{*}$ and Ann Doe$^\\dagger$ and Bo Li\\textsuperscript{1}",
         "Xiao||Lin|*; Ann||Doe|+; Bo||Li|"                                                                                  },
        {"*Xiao Lin and Ann Doe†",                                            "Xiao||Lin|*; Ann||Doe|+"                    },
        {"given=Johann Wolfgang, prefix=von, family=Goethe, useprefix=true and "
         "family={Lin}, given=Xiao",                                   "Johann Wolfgang|von|Goethe|; Xiao||Lin|"    },
    };
    CHECK(cases);
}

Test(names, have_no_marks_in_them_however_these_are_written)
{
    static const struct names_case cases[] = {
        {"Lin\\textsuperscript{*}, Xiao",                     "Xiao||Lin|*"            },
        {"Jia Wu$^{*}$ and Xiao Li$^\\dagger$",               "Jia||Wu|*; Xiao||Li|+"  },
        {"Bo Ma\\textsuperscript{\\textdagger}",              "Bo||Ma|+"               },
        {"Cy Ng$^{1,*}$ and Dan Oh\\textsuperscript{1,2}",    "Cy||Ng|*; Dan||Oh|"     },
        {"Ian Tao\\thanks{Equal contribution} and Jo Ue$^1$", "Ian||Tao|; Jo||Ue|"     },
        {"Lo Wei\\envelope",                                  "Lo||Wei|+"              },
        {"{Studio 54} and {Team42}",                          "||Studio 54|; ||Team42|"},
    };
    CHECK(cases);
}

Test(names, are_read_part_by_part_in_the_form_of_biblatex)
{
    static const struct names_case cases[] = {
        {"given=Johann, prefix=von, family=Goethe",                      "Johann|von|Goethe|"              },
        {"{given={Jo Ann}, family={Spoel}, prefix={van der}, useprefix=false} and Ann "
         "Lee",                                                 "Jo Ann|van der|Spoel|; Ann||Lee|"},
        {"{family=Nagell, prefix=van, \"given={John R.}\", suffix=Jr.}",
         "John R.|van|Nagell|Jr."                                                                          },
        {"d' Aubignac, abb{\\'e} d', Fran{\\c c}ois H{\\'e}delin",
         "François Hédelin|d'|Aubignac|abbé d'"                                                         },
        {"{A = B Society}",                                              "||A = B Society|"                },
        {"Ann Lee and {et al.}",                                         "Ann||Lee|..."                    },
        {"Christina A. L.\\ Thiele",                                     "Christina A. L.||Thiele|"        },
    };
    CHECK(cases);
}

Test(names, are_shown_as_one_reads_them)
{
    static const struct names_case cases[] = {
        {"von Last, Jr, First", "First von Last Jr"},
        {"欧阳博",           "欧阳博"        },
        {"林, 晓",            "林晓"           },
        {"Lin, Xiao",           "Xiao Lin"         },
        {"{The Group}",         "The Group"        },
        {"d'Arc, Jeanne",       "Jeanne d'Arc"     },
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct names names = names_parse(arena, slice_of(cases[i].source));
        cr_assert_eq(names.count, 1);
        cr_expect(slice_is(name_display(arena, &names.list[0]), cases[i].seen), "%s",
                  cases[i].source);
    }
    arena_free(arena);
}

Test(names, are_bounded_however_they_are_separated)
{
    static const char *const pieces[] = {"A B and ", "Ann Lee, ", "A B; ", "Lee, J., "};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        struct buf source = buf_on(arena);
        for (int n = 0; n < NAMES_MOST + 100; n++)
            buf_string(&source, pieces[i]);
        struct names names =
            names_parse(arena, (struct slice){source.data, source.length});
        cr_expect_eq(names.count, NAMES_MOST, "%s: %zu", pieces[i], names.count);
        cr_expect(names.others);
    }
    arena_free(arena);
}

/* The words of a list as one text, with LaTeX read. */
static const char *joined(struct arena *arena, const json_t *words)
{
    struct buf out = buf_on(arena);
    for (size_t i = 0; i < json_array_size(words); i++)
        buf_print(&out, "%s%s", i > 0 ? " " : "",
                  json_string_value(json_array_get(words, i)));
    return out.data;
}

Test(names, agree_with_pybtex_on_its_examples)
{
    struct arena *arena = arena_new();
    arena_enter(arena);
    struct slice file = corpus_read(arena, "bib-suites/pybtex/names-expected.json");
    json_t *cases = json_loadb(file.bytes, file.length, 0, NULL);
    cr_assert_gt(json_array_size(cases), 50);
    size_t index;
    json_t *one;
    json_array_foreach(cases, index, one)
    {
        const char *source = json_string_value(json_object_get(one, "name"));
        const char *family = joined(arena, json_object_get(one, "last"));
        struct names names = names_parse(arena, slice_of(source));
        struct names wanted =
            names_parse(arena, slice_of(arena_print(arena, "{%s}", family)));
        if (source[0] == '\0' || names.count == 0 || strchr(source, '&') != NULL)
            continue; /* a list in APA style is read better than BibTeX reads it */
        cr_expect_eq(names.count, 1, "%s", source);
        if (wanted.count == 1)
            cr_expect_str_eq(arena_copy(arena, names.list[0].family.bytes,
                                        names.list[0].family.length),
                             arena_copy(arena, wanted.list[0].family.bytes,
                                        wanted.list[0].family.length),
                             "%s", source);
    }
    arena_enter(NULL);
    arena_free(arena);
}
