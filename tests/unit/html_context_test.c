/* The machine that knows where in a page a tag of the template stands, and what is
 * written there. */
#include "server/view/html_context.h"
#include "server/view/template.h"

#include <criterion/criterion.h>

static void enter(void)
{
    arena_enter(arena_new());
}

static void leave(void)
{
    arena_free(arena_enter(NULL));
}

TestSuite(html_context, .init = enter, .fini = leave);

/* The page with `value` for {{v}}, or why it is refused. */
static const char *show(const char *text, const char *value)
{
    struct template_problem problem = {0};
    struct template *template;
    struct template_call call = {0};
    json_t *document = json_pack("{s: s, s: b, s: b}", "v", value, "on", 1, "off", 0);
    struct buf out = buf_on(arena_current());
    if (template_read(&template, arena_current(), TEMPLATE_HTML, "page", text,
                      strlen(text), &problem) != OK ||
        template_link(template, NULL, &problem) != OK ||
        template_render(template, &out, document, &call, &problem) != OK)
        return arena_print(arena_current(), "%u: %s", problem.column, problem.reason);
    return out.data;
}

struct page {
    const char *text, *value, *shown;
};

static void check(const struct page *pages, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *shown = show(pages[i].text, pages[i].value);
        cr_expect_str_eq(shown, pages[i].shown, "%s with [%s]: %s", pages[i].text,
                         pages[i].value, shown);
    }
}

#define CHECK(pages) check(pages, sizeof(pages) / sizeof *(pages))

Test(html_context, values_in_text_and_quoted_attributes_are_escaped)
{
    static const struct page pages[] = {
        {"<p>{{v}}</p>",                       "<b> & \"'",   "<p>&lt;b&gt; &amp; &quot;&#39;</p>"    },
        {"<p title=\"{{v}}\">",                "\"><script>", "<p title=\"&quot;&gt;&lt;script&gt;\">"},
        {"<p title='{{v}}'>",                  "' onclick='", "<p title='&#39; onclick=&#39;'>"       },
        {"<textarea>{{v}}</textarea>",         "</textarea>",
         "<textarea>&lt;/textarea&gt;</textarea>"                                                     },
        {"1 < 2 {{v}}",                        "x",           "1 < 2 x"                               },
        {"<img srcset=\"/p/{{v}}/1 1x\">",     "a, b/c 2x",
         "<img srcset=\"/p/a%2C%20b%2Fc%202x/1 1x\">"                                                 },
        {"<!doctype html><!-- c --> {{v}}",    "x",           "<!doctype html><!-- c --> x"           },
        {"<script>a < b</script>{{v}}",        "x",           "<script>a < b</script>x"               },
        {"<SCRIPT src=\"/a\"></SCRIPT >{{v}}", "x",           "<SCRIPT src=\"/a\"></SCRIPT >x"        },
        {"<style>a{}</style><p>{{v}}",         "x",           "<style>a{}</style><p>x"                },
    };
    CHECK(pages);
}

#define IN_RAW ": no tag may stand in <script>, <style> and the like"
#define IN_ATTRIBUTE ": no tag may stand in this attribute (on..., style, srcset, srcdoc)"
#define IN_COMMENT ": no tag may stand in an HTML comment or declaration"
#define IN_ELEMENT ": no tag may stand in the name of an element"
#define IN_NAME ": no value may stand in the name of an attribute"
#define NO_QUOTES ": the value of the attribute must be in quotes"

Test(html_context, places_where_no_value_is_safe_are_refused)
{
    static const struct page pages[] = {
        {"<script>var a = \"{{v}}\"</script>", "x", "18" IN_RAW                             },
        {"<script>{{#on}}x{{/on}}</script>",   "x", "9" IN_RAW                              },
        {"<script></scriptx>{{v}}</script>",   "x", "19" IN_RAW                             },
        {"<sTyle>{{v}}</style>",               "x", "8" IN_RAW                              },
        {"<a onclick=\"{{v}}\">",              "x", "13" IN_ATTRIBUTE                       },
        {"<a OnClick='{{v}}'>",                "x", "13" IN_ATTRIBUTE                       },
        {"<a style=\"{{v}}\">",                "x", "11" IN_ATTRIBUTE                       },
        {"<img srcset=\"{{v}}\">",             "x", "14" IN_ATTRIBUTE                       },
        {"<img srcset=\"{{#on}}x{{/on}}\">",   "x", "14" IN_ATTRIBUTE                       },
        {"<!-- {{v}} -->",                     "x", "6" IN_COMMENT                          },
        {"<!doctype {{v}}>",                   "x", "11" IN_COMMENT                         },
        {"<{{v}}>",                            "x", "2" IN_ELEMENT                          },
        {"<h{{v}}>",                           "x", "3" IN_ELEMENT                          },
        {"</h{{v}}>",                          "x", "4" IN_ELEMENT                          },
        {"<<script>{{v}}</script>",            "x", "10" IN_RAW                             },
        {"<a {{v}}>",                          "x", "4" IN_NAME                             },
        {"<a data-{{v}}=\"1\">",               "x", "9" IN_NAME                             },
        {"<a class={{v}}>",                    "x", "10" NO_QUOTES                          },
        {"<a class=x{{v}}>",                   "x", "11" NO_QUOTES                          },
        {"<a class= {{#on}}x{{/on}}>",         "x", "11" NO_QUOTES                          },
        {"<p>{{{v}}}",                         "x",
         "4: only a name that ends in _html may go out without escaping"                    },
        {"<p title=\"{{{v_html}}}\">",         "x", "11: HTML may not stand in an attribute"},
        {"<p title=\"{{>v}}\">",               "x",
         "11: partials, parents and the end of the file must stand outside of HTML tags"    },
        {"<p title=\"",                        "x",
         "11: partials, parents and the end of the file must stand outside of HTML tags"    },
    };
    CHECK(pages);
}

Test(html_context, sections_may_stand_between_attributes_and_must_end_where_they_began)
{
    static const char where[] = ": the section must end where it began: in the text, in "
                                "the same tag or in the same value";
    const struct page pages[] = {
        {"<input{{#on}} required{{/on}}>",                    "x",              "<input required>"                    },
        {"<input {{#on}}required{{/on}} name=\"a\">",         "x",              "<input required name=\"a\">"         },
        {"<input {{#on}}required {{/on}}name=\"a\">",         "x",              "<input required name=\"a\">"         },
        {"<a class=\"b\"{{^off}} id=\"{{v}}\"{{/off}}>",      "x",              "<a class=\"b\" id=\"x\">"            },
        {"<a class=\"b{{#on}} {{v}}{{/on}}\">",               "x",              "<a class=\"b x\">"                   },
        {"<p>{{#on}}<b>{{v}}</b>{{/on}}",                     "x",              "<p><b>x</b>"                         },
        {"<inp{{#on}}ut{{/on}}>",                             "x",
         "12: white space is missing behind a tag of the template"                                                    },
        {"<a {{#on}}b{{/on}}{{#on}}c{{/on}}>",                "x",
         "26: white space is missing behind a tag of the template"                                                    },
        {"<a {{#on}}b{{/on}}=\"c\">",                         "x",
         "19: there is an '=' without the name of an attribute"                                                       },
        {"<p>{{#on}}<a {{/on}}>",                             "x",              arena_print(arena_current(),            "14%s", where)},
        {"<a class=\"{{#on}}\"{{/on}}>",                                             "x",
         arena_print(arena_current(),                                                                      "19%s", where)},
        {"<a{{#on}} b{{/on}}{{^on}} c{{/on}}>",                         "x",                                   "<a b>"},
        {"<a {{#on}}b{{/on}}{{^on}}c{{/on}} d>",               "x",    "<a b d>"},
        {"<a {{^on}}b{{/on}}{{#on}}c{{/on}}>",              "x",             "<a c>"                                      },
        {"<a {{#on}}b{{/on}}{{^off}}c{{/off}}>",                "x",
         "27: white space is missing behind a tag of the template"                                  },
        {"<a {{#on}}b{{/on}}{{^on}}c{{/on}}{{#on}}d{{/on}}>",              "x",
         "41: white space is missing behind a tag of the template"                                                    },
        {"{{#on}}<script>{{/on}}x</script>", "x", "16" IN_RAW                                                    },
    };
    CHECK(pages);
}

Test(html_context, a_value_that_begins_a_url_passes_the_policy)
{
    static const struct page pages[] = {
        {"<a href=\"{{v}}\">",            "https://a.example/?b=1&c",
         "<a href=\"https://a.example/?b=1&amp;c\">"                                                   },
        {"<a href=\"{{v}}\">",            "HTTP://a.example",         "<a href=\"HTTP://a.example\">"  },
        {"<a href=\"{{v}}\">",            "mailto:a@b.example",       "<a href=\"mailto:a@b.example\">"},
        {"<a href=\"{{v}}\">",            "/people",                  "<a href=\"/people\">"           },
        {"<a href=\"{{v}}\">",            "/",                        "<a href=\"/\">"                 },
        {"<a href=\"{{v}}\">",            "?page=2",                  "<a href=\"?page=2\">"           },
        {"<a href='{{v}}'>",              "#top",                     "<a href='#top'>"                },
        {"<a href=\"{{v}}\">",            "",                         "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "javascript:alert(1)",      "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "JaVaScRiPt:alert(1)",      "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            " javascript:alert(1)",     "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "java\tscript:alert(1)",    "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "\njavascript:alert(1)",    "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "&#106;avascript:alert(1)", "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "data:text/html,x",         "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "vbscript:x",               "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "//evil.example",           "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "/\\evil.example",          "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "/\t/evil.example",         "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "https:\\\\evil.example",   "<a href=\"#\">"                 },
        {"<a href=\"{{v}}\">",            "people",                   "<a href=\"#\">"                 },
        {"<a HREF = \"{{v}}\">",          "javascript:1",             "<a HREF = \"#\">"               },
        {"<img src=\"{{v}}\">",           "mailto:a@b.example",       "<img src=\"#\">"                },
        {"<form action=\"{{v}}\">",       "javascript:1",             "<form action=\"#\">"            },
        {"<button formaction=\"{{v}}\">", "javascript:1",             "<button formaction=\"#\">"      },
        {"<object data=\"{{v}}\">",       "data:text/html,x",         "<object data=\"#\">"            },
    };
    CHECK(pages);
}

Test(html_context, a_value_inside_a_url_is_one_component_of_it)
{
    static const struct page pages[] = {
        {"<a href=\"/people/{{v}}\">",                               "a/b?c#d&e\"<陈",
         "<a href=\"/people/a%2Fb%3Fc%23d%26e%22%3C%E9%99%88\">"                                                              },
        {"<a href=\"?q={{v}}&amp;p=1\">",                            "a b+c",           "<a href=\"?q=a%20b%2Bc&amp;p=1\">"   },
        {"<a href=\"{{v}}{{v}}\">",                                  "/a",              "<a href=\"/a%2Fa\">"                 },
        {"<a href=\"{{v}}:{{v}}\">",                                 "javascript",      "<a href=\"#:javascript\">"           },
        {"<a href=\"mailto:{{v}}\">",                                "a+b@c.example",
         "<a href=\"mailto:a%2Bb@c.example\">"                                                                                },
        {"<a href=\"https://a{{v}}\">",                              "@b",              "<a href=\"https://a%40b\">"          },
        {"<a href=\"/{{#on}}{{v}}{{/on}}\">",                        "a/b",             "<a href=\"/a%2Fb\">"                 },
        {"<a href=\"{{#on}}{{v}}{{/on}}{{^on}}/{{v}}{{/on}}\">",     "//a",             "<a href=\"#\">"                      },
        {"<a href=\"{{#on}}{{v}}{{/on}}{{^on}}{{v}}{{/on}}{{v}}\">", "/a",
         "<a href=\"/a%2Fa\">"                                                                                                },
        {"<a href=\"{{#on}}/x/{{/on}}{{^on}}/y/{{/on}}{{v}}\">",     "/a",
         "<a href=\"/x/%2Fa\">"                                                                                               },
        {"<a href=\"{{#on}}{{/on}}{{^on}}/{{/on}}{{v}}\">",          "/a",
         "39: the URL begins before this value in some branches only"                                                         },
        {"<a href=\"{{#off}}/{{/off}}{{v}}\">",                      "javascript:1",
         "27: the URL begins before this value in some branches only"                                                         },
        {"<a href=\"{{t.v}}\">",                                     "x",               "10: a message may not stand in a URL"},
    };
    CHECK(pages);
}
