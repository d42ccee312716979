/* LaTeX to text, by table. */
#include "server/base/buf.h"
#include "server/base/utf8.h"
#include "server/text/latex.h"
#include "server/text/latex_commands.h"
#include "server/text/latex_symbol.h"

#include <criterion/criterion.h>

struct latex_case {
    const char *source, *text;
};

static void check(const struct latex_case *cases, size_t count)
{
    struct arena *arena = arena_new();
    for (size_t i = 0; i < count; i++) {
        struct slice text = latex_text(arena, slice_of(cases[i].source));
        cr_expect(slice_is(text, cases[i].text), "%s gives \"%s\", wanted \"%s\"",
                  cases[i].source, text.bytes, cases[i].text);
    }
    arena_free(arena);
}
#define CHECK(cases) check(cases, sizeof(cases) / sizeof((cases)[0]))

Test(latex, reads_accents_in_every_brace_style)
{
    static const struct latex_case cases[] = {
        {"\\'{e} {\\'e} \\'e {\\'{e}} \\' e",                                    "é é é é é"   },
        {"Ib{\\'a}{\\~n}ez, Mar{\\'\\i}a",                                       "Ibáñez, María" },
        {"\\'{\\i} {\\\"\\i} \\'\\i x",                                          "í ï íx"        },
        {"\\v{c} \\v c {\\v{Z}}",                                                "č č Ž"         },
        {"\\c{c} \\c c {\\c{S}}",                                                "ç ç Ş"         },
        {"\\H{o} \\k{a} \\r{u} \\u{g} \\d{s} \\b{d} \\.{z} \\.z \\={o}",
         "ő ą ů ğ ṣ ḏ ż ż ō"                                                             },
        {"Franc{\\ocirc{u}} {\\polhk{a}} \\udot{s} {\\lfhook{t}}",               "Franců ą ṣ ț"},
        {"\\`a \\^o \\\"u \\~n",                                                 "à ô ü ñ"      },
        {"\\t{oo}",                                                              "o͡o"             },
        {"\\'{\\^e} \\h{\\^e}",                                                  "ế ể"          },
        {"\\'{\\ae} {\\'{\\o}}",                                                 "ǽ ǿ"            },
        {"\\~{} \\^{} \\'{} x",                                                  "~ ^ x"            },
        {"Gro{\\ss} \\ss x \\AE\\ \\aa ngstr\\\"om \\O{}re \\L \\oe uvre {\\i}",
         "Groß ßx Æ ångström Øre Łœuvre ı"                                                 },
        {"Bogus{\\l}aw \\DJ \\th{}",                                             "Bogusław Đþ"   },
        {"e\xCC\x81",                                                            "é"               },
    };
    CHECK(cases);
}

Test(latex, reads_punctuation_spaces_and_commands)
{
    static const struct latex_case cases[] = {
        {"An {FPGA-}Based {{Router}}",                                     "An FPGA-Based Router"       },
        {"  two\n\t lines~tie\\,thin\\ space\\\\x ",                       "two lines tie thin space x" },
        {"1--10 --- a-b",                                                  "1–10 — a-b"             },
        {"``Quoted'' L'usage",                                             "“Quoted” L'usage"       },
        {"Chips {\\&} Salsa \\& 5\\% \\_ \\# \\$ \\{\\}",                  "Chips & Salsa & 5% _ # $ {}"},
        {"\\emph{a} \\textit{b} \\textsc{c} {\\bf d} {\\it e\\/}",         "a b c d e"                  },
        {"\\unknown{kept} \\unknown gone",                                 "kept gone"                  },
        {"\\url{http://a.b/~c_d--e%20f} --",                               "http://a.b/~c_d--e%20f –" },
        {"\\href{http://a.b}{text} \\textcolor{red}{t} \\noopsort{1999}x", "text t x"                   },
        {"\\ldots \\copyright{} \\textendash{} \\LaTeX{} \\slash",         "…© – LaTeX /"          },
        {"\\enquote{x} 100 % sure",                                        "“x” 100 % sure"         },
        {"com\\-bi\\-na\\-tion\\@.",                                       "combination."               },
        {"林晓　欧阳",                                                "林晓 欧阳"              },
        {"\\",                                                             ""                           },
        {"{{{",                                                            ""                           },
        {"}}} a",                                                          "a"                          },
        {"\\'",                                                            ""                           },
        {"a\x01\x7F"
         "b\xE2\x80\x8B"
         "c\xE2\x80\xAE"
         "d\xC2\xAD",                                             "a bcd"                      },
        {"{\\apj}",                                                        "The Astrophysical Journal"  },
    };
    CHECK(cases);
}

Test(latex, reads_simple_mathematics)
{
    static const struct latex_case cases[] = {
        {"H$_2$O and x$^{2}$ and 10$^{-3}$",                              "H₂O and x² and 10⁻³"},
        {"\\textsuperscript{2} CO\\textsubscript{2} \\textsuperscript 3", "² CO₂ ³"              },
        {"$\\alpha$-decay $\\mu$m $\\times$ $\\leq$",                     "α-decay μm × ≤"      },
        {"$\\alpha \\to \\beta$, $a \\times 10$",                         "α → β, a × 10"       },
        {"$\\mathcal{O}(n^2)$ $\\mathbb{R}^n$",                           "O(n²) Rⁿ"              },
        {"$k_{\\rm eff}$ $x_{i,j}$",                                      "keff xi,j"                },
        {"$\\frac{1}{2}$ $\\frac12$ $\\sqrt{2}$",                         "1/2 1/2 √2"             },
        {"90$^\\circ$ 90$^{\\circ}$C",                                    "90° 90°C"               },
        {"10$^\\mathrm{th}$",                                             "10ᵗʰ"                  },
        {"\\(x^2\\) y^2 \\ensuremath{\\beta_1}",                          "x² y^2 β₁"            },
        {"$\\hat{x}$ $\\bar x$ $a-b$ $O(n \\log n)$",                     "x̂ x̄ a-b O(n log n)"   },
        {"a_b^c",                                                         "a_b^c"                    },
        {"$x^{y^{2}}$",                                                   "xʸ²"                    },
    };
    CHECK(cases);
}

Test(latex, reads_remnants_of_html)
{
    static const struct latex_case cases[] = {
        {"Tuning of HfO<sub>2</sub> films",              "Tuning of HfO₂ films"   },
        {"x<sup>2</sup> <i>in vitro</i> a<br/>b",        "x² in vitro a b"         },
        {"R&amp;D, 1 &lt; 2, caf&eacute; &#233; &#xe9;", "R&D, 1 < 2, café é é"  },
        {"A & B; AT&T; &nosuch;",                        "A & B; AT&T; &nosuch;"    },
        {"Salt \\&amp; Pepper",                          "Salt & Pepper"            },
        {"if a<b and c>d",                               "if a<b and c>d"           },
        {"<script>alert(1)</script>",                    "<script>alert(1)</script>"},
        {"</sub>x<sub>2",                                "x2"                       },
    };
    CHECK(cases);
}

Test(latex, takes_addresses_as_they_stand)
{
    static const struct latex_case cases[] = {
        {"https://a.b/x--y_z?q=1&r=2%20#f",  "https://a.b/x--y_z?q=1&r=2%20#f"},
        {"http://a.b/\\~ann/\\_x\\%20{\\&}", "http://a.b/~ann/_x%20&"         },
        {"\\url{http://a.b/\\~{}ann}",       "http://a.b/~ann"                },
        {"10.1000/ab{\\_}c\n d",             "10.1000/ab_cd"                  },
        {"{\\textasciitilde}ann",            "~ann"                           },
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct slice text = latex_address(arena, slice_of(cases[i].source));
        cr_expect(slice_is(text, cases[i].text), "%s gives \"%s\"", cases[i].source,
                  text.bytes);
    }
    arena_free(arena);
}

Test(latex, knows_every_command_of_its_table)
{
    for (size_t i = 0; i < latex_command_count; i++) {
        const char *name = latex_commands[i].name;
        cr_expect_str_eq(latex_meaning(slice_of(name)).name, name);
        cr_expect(utf8_valid(latex_commands[i].text, strlen(latex_commands[i].text)));
    }
    static const char *const entities[] = {"AElig", "amp",    "Omega", "xi",  "zeta",
                                           "trade", "eacute", "Uuml",  "#65", "#x1F600"};
    char bytes[8];
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
        cr_expect_gt(latex_entity(bytes, slice_of(entities[i])), 0, "%s", entities[i]);
    static const char *const none[] = {"", "#", "#x", "#0", "#xD800", "#1114112", "no"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        cr_expect_eq(latex_entity(bytes, slice_of(none[i])), 0, "%s", none[i]);
}

Test(latex, is_linear_and_bounded_on_hostile_text)
{
    static const char *const pieces[] = {
        "{",       "}",  "\\",    "$",      "^",
        "_",       "$^", "<sub>", "\\'",    "\\textsuperscript{",
        "&",       "<",  "$^{1",  "\\frac", "\\enquote{",
        "\\cite{", "-",  "`",     "^{}"};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        struct buf text = buf_on(arena);
        while (text.length < 60000)
            buf_string(&text, pieces[i]);
        struct arena *own = arena_new();
        struct slice result = latex_text(own, (struct slice){text.data, text.length});
        cr_expect(utf8_valid(result.bytes, result.length));
        cr_expect_lt(result.length, 4 * text.length);
        cr_expect_lt(arena_used(own), 40 * text.length, "%s: %zu", pieces[i],
                     arena_used(own));
        arena_free(own);
    }
    arena_free(arena);
}

/* Found by fuzzing: a macro of BibTeX named "-\0{" was compared beyond "-". */
Test(latex, a_name_with_a_nul_is_no_command)
{
    static const char *const fronts[] = {"-", "alpha", "apj", ""};
    for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
        char name[16] = {0};
        size_t length = strlen(fronts[i]);
        memcpy(name, fronts[i], length);
        name[length + 1] = '{';
        cr_expect_eq(latex_meaning((struct slice){name, length + 2}).command,
                     LATEX_UNKNOWN);
    }
    cr_expect_neq(latex_meaning(slice_of("alpha")).command, LATEX_UNKNOWN);
}
