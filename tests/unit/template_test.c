/* The template engine: the official Mustache specification, and each feature of it and of
 * our own in small. */
#include "server/view/template.h"
#include "tests/support/corpus.h"

#include <criterion/criterion.h>

static void enter(void)
{
    arena_enter(arena_new());
}

static void leave(void)
{
    arena_free(arena_enter(NULL));
}

TestSuite(template, .init = enter, .fini = leave);

enum { PARTIALS = 16 };

/* A library over the partials of one test, read when they are named first. */
struct fixture {
    struct template_library library; /* first: the callback gets a pointer to it */
    json_t *texts;
    struct template_problem *problem;
    struct {
        json_t *text;
        struct template *template;
    } known[PARTIALS];
    size_t count;
};

static const struct template *fixture_partial(const struct template_library *library,
                                              enum template_kind kind, const char *name,
                                              size_t length)
{
    union {
        const struct template_library *library;
        struct fixture *fixture;
    } self = {library};
    struct fixture *fixture = self.fixture;
    json_t *text = json_object_getn(fixture->texts, name, length);
    for (size_t i = 0; i < fixture->count; i++)
        if (fixture->known[i].text == text)
            return fixture->known[i].template;
    struct template *template;
    if (!json_is_string(text) || fixture->count == PARTIALS ||
        template_read(&template, arena_current(), kind, "partial",
                      json_string_value(text), json_string_length(text),
                      fixture->problem) != OK)
        return NULL;
    /* Known before it is linked: it may name itself. */
    fixture->known[fixture->count].text = text;
    fixture->known[fixture->count++].template = template;
    return template_link(template, library, fixture->problem) == OK ? template : NULL;
}

/* Reads, links, checks and renders. */
static enum result render(struct buf *out, enum template_kind kind, const char *text,
                          size_t length, json_t *document, json_t *partials,
                          const struct lambda *lambda, struct template_problem *problem)
{
    struct arena *arena = arena_current();
    struct fixture fixture = {
        .library = {fixture_partial, NULL},
          .texts = partials, .problem = problem
    };
    struct template_call call = {
        .library = &fixture.library, .lambdas = lambda, .lambda_count = lambda != NULL};
    struct template *template;
    *out = buf_on(arena);
    TRY(template_read(&template, arena, kind, "page", text, length, problem));
    TRY(template_link(template, &fixture.library, problem));
    TRY(template_check(template, problem));
    return template_render(template, out, document, &call, problem);
}

/* The functions of the lambda tests, by the name of the test. */

static enum result say_world(struct buf *out, const char *text, size_t length, void *data)
{
    (void)text, (void)length, (void)data;
    buf_string(out, "world");
    return OK;
}

static enum result say_planet(struct buf *out, const char *text, size_t length,
                              void *data)
{
    (void)text, (void)length, (void)data;
    buf_string(out, "{{planet}}");
    return OK;
}

static enum result say_planets(struct buf *out, const char *text, size_t length,
                               void *data)
{
    (void)text, (void)length, (void)data;
    buf_string(out, "|planet| => {{planet}}");
    return OK;
}

static enum result count_calls(struct buf *out, const char *text, size_t length,
                               void *data)
{
    (void)text, (void)length, (void)data;
    static int calls;
    buf_print(out, "%d", ++calls);
    return OK;
}

static enum result say_greater(struct buf *out, const char *text, size_t length,
                               void *data)
{
    (void)text, (void)length, (void)data;
    buf_string(out, ">");
    return OK;
}

static enum result is_raw(struct buf *out, const char *text, size_t length, void *data)
{
    (void)data;
    buf_string(out, length == 5 && memcmp(text, "{{x}}", 5) == 0 ? "yes" : "no");
    return OK;
}

static enum result around_planet(struct buf *out, const char *text, size_t length,
                                 void *data)
{
    (void)data;
    buf_append(out, text, length);
    buf_string(out, "{{planet}}");
    buf_append(out, text, length);
    return OK;
}

static enum result around_planets(struct buf *out, const char *text, size_t length,
                                  void *data)
{
    (void)data;
    buf_append(out, text, length);
    buf_string(out, "{{planet}} => |planet|");
    buf_append(out, text, length);
    return OK;
}

static enum result underline(struct buf *out, const char *text, size_t length, void *data)
{
    (void)data;
    buf_string(out, "__");
    buf_append(out, text, length);
    buf_string(out, "__");
    return OK;
}

static enum result say_nothing(struct buf *out, const char *text, size_t length,
                               void *data)
{
    (void)out, (void)text, (void)length, (void)data;
    return OK;
}

static const struct {
    const char *test;
    enum result (*call)(struct buf *out, const char *text, size_t length, void *data);
} spec_lambdas[] = {
    {"Interpolation",                        say_world     },
    {"Interpolation - Expansion",            say_planet    },
    {"Interpolation - Alternate Delimiters", say_planets   },
    {"Interpolation - Multiple Calls",       count_calls   },
    {"Escaping",                             say_greater   },
    {"Section",                              is_raw        },
    {"Section - Expansion",                  around_planet },
    {"Section - Alternate Delimiters",       around_planets},
    {"Section - Multiple Calls",             underline     },
    {"Inverted Section",                     say_nothing   },
};

static struct lambda spec_lambda(const char *test)
{
    for (size_t i = 0; i < sizeof spec_lambdas / sizeof *spec_lambdas; i++)
        if (strcmp(spec_lambdas[i].test, test) == 0)
            return (struct lambda){"lambda", spec_lambdas[i].call, NULL};
    cr_assert_fail("no function for the lambda test '%s'", test);
    return (struct lambda){0};
}

static int run_spec_test(const char *module, json_t *test)
{
    const char *name = json_string_value(json_object_get(test, "name"));
    json_t *data = json_object_get(test, "data");
    json_t *text = json_object_get(test, "template");
    json_t *expected = json_object_get(test, "expected");
    struct lambda lambda = {0};
    if (strcmp(module, "~lambdas") == 0) {
        lambda = spec_lambda(name);
        json_object_del(data, "lambda");
    }
    struct template_problem problem = {0};
    struct buf out;
    enum result result = render(
        &out, TEMPLATE_LENIENT, json_string_value(text), json_string_length(text), data,
        json_object_get(test, "partials"), lambda.name ? &lambda : NULL, &problem);
    if (result == OK && out.length == json_string_length(expected) &&
        memcmp(out.data, json_string_value(expected), out.length) == 0)
        return 1;
    cr_log_error("%s: %s: %s\nexpected: [%s]\n     got: [%s]", module, name,
                 result == OK ? "other text" : problem.reason,
                 json_string_value(expected), out.data);
    return 0;
}

Test(template, passes_the_whole_specification)
{
    static const char *const modules[] = {"comments", "delimiters",     "interpolation",
                                          "inverted", "partials",       "sections",
                                          "~lambdas", "~dynamic-names", "~inheritance"};
    const char *corpus = corpus_folder();
    int count = 0;
    int passed = 0;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        const char *path =
            arena_print(arena_current(), "%s/mustache-spec/%s.json", corpus, modules[i]);
        json_t *module = json_load_file(path, 0, NULL);
        if (module == NULL)
            cr_skip_test("the specification is not there");
        size_t index;
        json_t *test;
        json_array_foreach(json_object_get(module, "tests"), index, test)
        {
            count++;
            passed += run_spec_test(modules[i], test);
        }
    }
    fprintf(stderr, "mustache specification: %d of %d tests pass\n", passed, count);
    cr_assert_eq(passed, count);
    cr_assert_eq(count, 194);
}

/* Our own cases: the page, or "column: reason". */

struct page {
    const char *text, *document, *partials, *shown;
};

static const char *show(enum template_kind kind, const struct page *page)
{
    struct template_problem problem = {0};
    json_t *document = json_loads(page->document, JSON_DECODE_ANY, NULL);
    json_t *partials =
        page->partials != NULL ? json_loads(page->partials, 0, NULL) : json_object();
    cr_assert(document != NULL && partials != NULL, "%s", page->text);
    struct buf out;
    if (render(&out, kind, page->text, strlen(page->text), document, partials, NULL,
               &problem) != OK)
        return arena_print(arena_current(), "%u:%u: %s", problem.line, problem.column,
                           problem.reason);
    return out.data;
}

static void check(enum template_kind kind, const struct page *pages, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *shown = show(kind, &pages[i]);
        cr_expect_str_eq(shown, pages[i].shown, "[%s]: got [%s]", pages[i].text, shown);
    }
}

#define CHECK(kind, pages) check(kind, pages, sizeof(pages) / sizeof *(pages))

Test(template, shows_values_sections_and_comments)
{
    static const struct page pages[] = {
        {"",                                                                  "{}",                                     NULL, ""                     },
        {"a{{! b }}c",                                                        "{}",                                     NULL, "ac"                   },
        {"{{a}} {{{a}}} {{&a}}",                                              "{\"a\": \"<&>\"}",                       NULL, "&lt;&amp;&gt; <&> <&>"},
        {"{{a.b.c}}",                                                         "{\"a\": {\"b\": {\"c\": 1}}}",           NULL, "1"                    },
        {"{{a}} {{b}} {{c}} {{d}}",
         "{\"a\": -9223372036854775808, \"b\": 0.1, \"c\": true, \"d\": 1e100}",                                        NULL,
         "-9223372036854775808 0.1 true 1e+100"                                                                                                      },
        {"{{#a}}{{.}},{{/a}}",                                                "{\"a\": [1, \"b\", 2.5]}",               NULL, "1,b,2.5,"             },
        {"{{#a}}1{{/a}}{{#b}}2{{/b}}{{#c}}3{{/c}}{{#d}}4{{/d}}{{#e}}5{{/e}}",
         "{\"a\": \"\", \"b\": 0, \"c\": 0.0, \"d\": [], \"e\": {}}",                                                   NULL, "5"                    },
        {"{{^a}}1{{/a}}{{^b}}2{{/b}}{{^e}}5{{/e}}",                           "{\"a\": \"\", \"b\": 0, \"e\": {}}",
         NULL,                                                                                                                "12"                   },
        {"{{=<% %>=}}<%a%>{{a}}<%={{ }}=%>{{a}}",                             "{\"a\": 1}",                             NULL, "1{{a}}1"              },
        {"  {{#a}}\n  x\n  {{/a}}\ny\n",                                      "{\"a\": [1, 2]}",                        NULL, "  x\n  x\ny\n"        },
        {"{{#a}}{{#b}}{{c}}{{/b}}{{/a}}",                                     "{\"c\": 3, \"a\": {\"b\": {\"d\": 1}}}", NULL,
         "3"                                                                                                                                         },
    };
    CHECK(TEMPLATE_LENIENT, pages);
}

Test(template, includes_partials_parents_and_dynamic_names)
{
    static const struct page pages[] = {
        {"{{>p}}|",                                "{\"a\": 1}",         "{\"p\": \"({{a}})\"}",                             "(1)|"   },
        {"  {{>p}}\n|",                            "{\"a\": \"x\\ny\"}", "{\"p\": \"<\\n{{a}}\\n>\\n\"}",
         "  <\n  x\ny\n  >\n|"                                                                                                        },
        {" {{>p}}\n",                              "{}",                 "{\"p\": \"a\\n {{>q}}\\n\", \"q\": \"b\\nc\\n\"}",
         " a\n  b\n  c\n"                                                                                                             },
        {"{{>*a}} {{>f/*a}}",                      "{\"a\": \"p\"}",     "{\"p\": \"1\", \"f/p\": \"2\"}",                   "1 2"    },
        {"{{<l}}{{$a}}new{{/a}}{{/l}}",            "{}",
         "{\"l\": \"[{{$a}}old{{/a}} {{$b}}b{{/b}}]\"}",                                                                     "[new b]"},
        {"{{<m}}{{$a}}1{{/a}}{{/m}}",              "{}",
         "{\"l\": \"{{$a}}{{/a}}{{$b}}{{/b}}\", \"m\": "
         "\"{{<l}}{{$b}}2{{$a}}{{/a}}{{/b}}{{/l}}\"}",                                                                       "121"    },
        {"{{<l}}{{$a}}x{{$a}}y{{/a}}{{/a}}{{/l}}", "{}",                 "{\"l\": \"{{$a}}{{/a}}\"}",
         "xy"                                                                                                                         },
    };
    CHECK(TEMPLATE_LENIENT, pages);
}

Test(template, refuses_what_is_not_well_formed)
{
    static const struct page pages[] = {
        {"a\nb {{c",               "{}", NULL, "2:3: the tag is not closed"                       },
        {"{{}}",                   "{}", NULL, "1:1: the tag has no name"                         },
        {"{{{a}}",                 "{}", NULL, "1:1: the tag is not closed"                       },
        {"{{=a=}}",                "{}", NULL, "1:1: the delimiters are not two words without '='"},
        {"{{= a b c =}}",          "{}", NULL,
         "1:1: the delimiters are not two words without '='"                                      },
        {"{{#a}}\n{{#b}}\n{{/a}}", "{}", NULL, "3:1: {{/a}} stands where {{/b}} is due"           },
        {"陈{{/a}}",              "{}", NULL, "1:2: {{/a}} closes nothing"                       },
        {"{{^a}}",                 "{}", NULL, "1:1: {{^a}} is not closed"                        },
    };
    CHECK(TEMPLATE_LENIENT, pages);
    CHECK(TEMPLATE_TEXT, pages);
}

Test(template, strict_kinds_refuse_what_is_not_there)
{
    static const struct page pages[] = {
        {"{{a}}|{{#a}}x{{/a}}|{{^a}}y{{/a}}", "{\"a\": null}",         NULL,                        "||y"                                            },
        {"a\n {{b}}",                         "{}",                    NULL,                        "2:2: 'b' is not in the document"                },
        {"{{#b}}{{/b}}",                      "{}",                    NULL,                        "1:1: 'b' is not in the document"                },
        {"{{^b}}{{/b}}",                      "{}",                    NULL,                        "1:1: 'b' is not in the document"                },
        {"{{a.b}}",                           "{\"a\": {}, \"b\": 1}", NULL,                        "1:1: 'a.b' is not in the document"              },
        {"{{a.b}}",                           "{\"a\": null}",         NULL,                        "1:1: 'a.b' is not in the document"              },
        {"{{a}}",                             "{\"a\": []}",           NULL,                        "1:1: 'a' is a list or an object, not a text"    },
        {"{{a b}}",                           "{}",                    NULL,                        "1:1: 'a b' is not a name"                       },
        {"{{a..b}}",                          "{}",                    NULL,                        "1:1: 'a..b' is not a name"                      },
        {"{{{a}}}",                           "{}",                    NULL,
         "1:1: only a name that ends in _html may go out without escaping"                                                                           },
        {"{{&a_html}}",                       "{\"a_html\": \"<b>\"}", NULL,                        "<b>"                                            },
        {"x {{>p}}",                          "{}",                    NULL,                        "1:3: there is no template 'p'"                  },
        {"{{>*a}}",                           "{}",                    NULL,                        "1:1: the name behind '*' is not in the document"},
        {"{{>f/*a}}",                         "{\"a\": true}",         NULL,                        "1:1: the name behind 'f/*' is not a text"       },
        {"{{>f/*a}}",                         "{\"a\": \"q\"}",        "{\"q\": \"\"}",
         "1:1: there is no template 'f/q'"                                                                                                           },
        {"{{<l}}x{{/l}}",                     "{}",                    "{\"l\": \"\"}",
         "1:7: text between the blocks of {{<l}} is lost"                                                                                            },
        {"{{<l}}{{a}}{{/l}}",                 "{}",                    "{\"l\": \"\"}",
         "1:7: only blocks may stand in a parent"                                                                                                    },
        {"{{<l}}{{$a}}{{/a}}{{/l}}",          "{}",                    "{\"l\": \"{{$b}}{{/b}}\"}",
         "1:7: 'l' has no block 'a'"                                                                                                                 },
        {"{{<l}}{{$a}}1{{/a}}{{/l}}",         "{}",
         "{\"l\": \"{{>m}}\", \"m\": \"{{$a}}{{/a}}\"}",                                            "1"                                              },
        {"{{t.a}}",                           "{}",                    NULL,                        "1:1: i18n/en.json has no message 'a'"           },
        {"{{#t.a}}{{/t.a}}",                  "{}",                    NULL,                        "1:1: messages are shown by {{t.a}} alone"       },
    };
    CHECK(TEMPLATE_TEXT, pages);
    CHECK(TEMPLATE_HTML, pages);
}

Test(template, a_block_in_an_attribute_takes_no_markup)
{
    static const struct page pages[] = {
        {"{{<l}}{{$a}}b{{/a}}{{/l}}",   "{}", "{\"l\": \"<p class='{{$a}}{{/a}}'>\"}",
         "<p class='b'>"                                                                                },
        {"{{<l}}{{$a}}b'{{/a}}{{/l}}",  "{}", "{\"l\": \"<p class='{{$a}}{{/a}}'>\"}",
         "1:7: 'l' shows block 'a' in an attribute: it may hold no markup"                              },
        {"<p class=\"{{$a}}b{{/a}}\">", "{}", NULL,                                    "<p class=\"b\">"},
        {"<a href=\"{{$a}}b{{/a}}\">",  "{}", NULL,
         "1:10: a message may not stand in a URL"                                                       },
    };
    CHECK(TEMPLATE_HTML, pages);
}

Test(template, is_bounded_in_depth_and_length)
{
    char deep[TEMPLATE_NESTING_MAX * 6 + 7] = "";
    for (size_t i = 0; i <= TEMPLATE_NESTING_MAX; i++)
        memcpy(deep + i * 6, "{{#a}}", 7);
    char list[400];
    for (size_t i = 0; i < 200; i++)
        memcpy(list + i * 2, "1,", 2);
    list[399] = '\0';
    const char *lists = arena_print(arena_current(), "{\"a\": [%s]}", list);
    const struct page pages[] = {
        {"{{>p}}",                                            "{}",             "{\"p\": \"x{{>p}}\"}",
         "1:2: templates include one another more than 64 deep"                                                                                       },
        {"{{>p}}",                                            "{\"x\": false}",
         "{\"p\": \"{{^x}}{{^x}}{{^x}}{{^x}}{{^x}}{{^x}}{{^x}}{{^x}}{{>p}}"
         "{{/x}}{{/x}}{{/x}}{{/x}}{{/x}}{{/x}}{{/x}}{{/x}}\"}",                                         "1:43: more than 512 sections are open"       },
        {deep,                                                "{}",             NULL,                   "1:385: sections are nested more than 64 deep"},
        {"{{#a}}{{#a}}{{#a}}{{#a}}x{{/a}}{{/a}}{{/a}}{{/a}}", lists,            NULL,
         "1:25: the page grows without end (16777217 bytes)"                                                                                          },
    };
    CHECK(TEMPLATE_TEXT, pages);
}
