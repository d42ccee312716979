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
