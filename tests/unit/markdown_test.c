/* Markdown: what comes out, what never does, and that hostile pages end. */
#include "server/base/buf.h"
#include "server/text/markdown.h"

#include <criterion/criterion.h>

struct markdown_case {
    const char *source, *html;
};

Test(markdown, makes_safe_html)
{
    static const struct markdown_case cases[] = {
        {"# Hi\n\nA *b* **c** `d<` ~~e~~\\\nf",
         "<h2>Hi</h2>\n<p>A <em>b</em> <strong>c</strong> <code>d&lt;</code> "
         "<del>e</del><br>\nf</p>\n"                                                                                                 },
        {"###### x",                                                                "<h6>x</h6>\n"                                   },
        {"- a\n- b\n\n3. c",
         "<ul><li>a</li>\n<li>b</li>\n</ul>\n<ol start=\"3\"><li>c</li>\n"
         "</ol>\n"                                                                                                                   },
        {"> q\n\n---\n\n    code & \"x\"",
         "<blockquote><p>q</p>\n</blockquote>\n<hr><pre><code>code &amp; &quot;x&quot;\n"
         "</code></pre>\n"                                                                                                           },
        {"a|b\n---|--:\n1|2",
         "<table><thead><tr><th>a</th><th class=\"right\">b</th></tr>\n</thead>\n"
         "<tbody><tr><td>1</td><td class=\"right\">2</td></tr>\n</tbody>\n</table>\n"                                                },
        {"[a](https://x.y/?p=1&q=\"2) [b](/people/林) [c](mailto:a@b.c) [d](#e)",
         "<p><a href=\"https://x.y/?p=1&amp;q=%222\">a</a> "
         "<a href=\"/people/%E6%9E%97\">b</a> <a href=\"mailto:a@b.c\">c</a> "
         "<a href=\"#e\">d</a></p>\n"                                                                                                },
        {"https://x.y/z and a@b.cd",                                                "<p><a href=\"https://x.y/z\">https://x.y/z</a> and "
                                     "<a href=\"mailto:a@b.cd\">a@b.cd</a></p>\n"                },
        {"![a *b*](/files/1.png)",                                                  "<p><img src=\"/files/1.png\" alt=\"a b\"></p>\n"},
        {"![a](https://x.y/z.png)",                                                 "<p>a</p>\n"                                     },
        {"&eacute; &lt;b&gt;",                                                      "<p>&eacute; &lt;b&gt;</p>\n"                    },
        {"<script>alert(1)</script>",                                               "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n" },
        {"a <b onclick=x>c</b>",                                                    "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n"      },
        {"[a](javascript:alert(1))",                                                "<p>a</p>\n"                                     },
        {"[a](JaVaScRiPt&colon;alert(1))",                                          "<p>a</p>\n"                                     },
        {"[a](&#106;avascript:alert(1))",                                           "<p>a</p>\n"                                     },
        {"[a](data:text/html,x) [b](vbscript:x) [c](//evil.example) [d](relative)",
         "<p>a b c d</p>\n"                                                                                                          },
        {"[a](/\\evil.example)",                                                    "<p><a href=\"/%5Cevil.example\">a</a></p>\n"    },
        {"[a](/&#47;evil.example)",                                                 "<p>a</p>\n"                                     },
        {"[a](</\tb c>)",                                                           "<p><a href=\"/%09b%20c\">a</a></p>\n"           },
        {"<javascript:alert(1)>",                                                   "<p>javascript:alert(1)</p>\n"                   },
        {"![\" onerror=x](/a.png)",
         "<p><img src=\"/a.png\" alt=\"&quot; onerror=x\"></p>\n"                                                                    },
        {"![![x](/b.png)](/a.png)",                                                 "<p><img src=\"/a.png\" alt=\"x\"></p>\n"        },
        {"[![x](/b.png)](/c)",
         "<p><a href=\"/c\"><img src=\"/b.png\" alt=\"x\"></a></p>\n"                                                                },
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct slice html;
        cr_assert_eq(markdown_html(&html, arena, slice_of(cases[i].source)), OK);
        cr_expect(slice_is(html, cases[i].html), "%s\ngives  %s\nwanted %s",
                  cases[i].source, html.bytes, cases[i].html);
    }
    arena_free(arena);
}

Test(markdown, refuses_what_grows_without_bound)
{
    struct arena *arena = arena_new();
    struct slice html;
    /* One long definition, used again and again. */
    struct buf bomb = buf_on(arena);
    buf_string(&bomb, "[a]: https://x.y/");
    for (int i = 0; i < 1900; i++)
        buf_char(&bomb, 'x');
    buf_string(&bomb, "\n\n");
    while (bomb.length < 60000)
        buf_string(&bomb, "[a] ");
    struct arena *own = arena_new();
    cr_expect_eq(markdown_html(&html, own, (struct slice){bomb.data, bomb.length}),
                 INVALID);
    cr_expect_lt(arena_used(own), (size_t)32 << 20);
    arena_free(own);

    /* The same with addresses that are not let through. */
    memcpy(bomb.data + 5, "jscript:///", 11);
    own = arena_new();
    cr_expect_eq(markdown_html(&html, own, (struct slice){bomb.data, bomb.length}), OK);
    arena_free(own);

    struct buf deep = buf_on(arena);
    while (deep.length < 1000)
        buf_string(&deep, "> ");
    buf_string(&deep, "x");
    cr_expect_eq(markdown_html(&html, arena, (struct slice){deep.data, deep.length}),
                 INVALID);

    char *long_text = arena_zero(arena, MARKDOWN_SOURCE + 1);
    cr_expect_eq(
        markdown_html(&html, arena, (struct slice){long_text, MARKDOWN_SOURCE + 1}),
        INVALID);
    cr_expect_eq(markdown_html(&html, arena, (struct slice){long_text, 100}), OK);
    arena_free(arena);
}
