/* Routes, targets and query arguments. */
#include "server/http/query.h"

#include <criterion/criterion.h>
#include <string.h>

static enum result nothing(struct request *request, struct response *response)
{
    (void)request;
    (void)response;
    return OK;
}

static const struct route routes[] = {
    {GET,                      "/", PUBLIC, nothing, .localized = true},
    {GET,                  "/people/:slug", PUBLIC, nothing, .localized = true, .cache = true,
     .arguments = "year kind"},
    {GET,       "/people/new", PUBLIC, nothing, .localized = true},
    {POST,                      "/people/:slug", MEMBER, nothing, .localized = true},
    {DELETE,                  "/people/:slug/links/:number", MEMBER, nothing},
    {GET,       "/healthz", PUBLIC, nothing},
    {0},
};

struct asking {
    struct arena *arena;
    struct request request;
    const char *allow;
    enum result result;
};

static struct asking ask(enum method method, const char *path)
{
    static const struct route *const tables[] = {routes, NULL};
    struct asking asking = {.arena = arena_new()};
    asking.request.arena = asking.arena;
    asking.request.method = method;
    struct router *router = router_new(asking.arena, tables);
    asking.result = router_match(router, &asking.request, path, &asking.allow);
    return asking;
}

static void expect_path(const char *path, const char *pattern, const char *decoded,
                        enum language language)
{
    struct asking asking = ask(GET, path);
    cr_expect_eq(asking.result, OK, "%s", path);
    if (asking.result == OK) {
        cr_expect_str_eq(asking.request.route->pattern, pattern);
        cr_expect_str_eq(asking.request.path, decoded);
        cr_expect_eq(asking.request.language, language);
    }
    arena_free(asking.arena);
}

Test(router, finds_routes_in_both_languages)
{
    expect_path("/", "/", "/", ENGLISH);
    expect_path("/en", "/", "/", ENGLISH);
    expect_path("/zh/", "/", "/", CHINESE);
    expect_path("/zh/people/lin", "/people/:slug", "/people/lin", CHINESE);
    expect_path("/people/lin", "/people/:slug", "/people/lin", ENGLISH);
    expect_path("/en/people/new", "/people/new", "/people/new", ENGLISH);
    expect_path("/en/people/%E5%BC%A0%20x", "/people/:slug", "/people/\xe5\xbc\xa0 x",
                ENGLISH);
    expect_path("/healthz", "/healthz", "/healthz", ENGLISH);
}

Test(router, gives_parameters_and_methods)
{
    struct asking asking = ask(DELETE, "/people/lin/links/7");
    cr_assert_eq(asking.result, OK);
    cr_expect_str_eq(param(&asking.request, "slug"), "lin");
    cr_expect_str_eq(param(&asking.request, "number"), "7");
    arena_free(asking.arena);
    asking = ask(DELETE, "/en/people/lin");
    cr_expect_eq(asking.result, DENIED);
    cr_expect_str_eq(asking.allow, "GET, HEAD, POST");
    arena_free(asking.arena);
}

static void expect_result(const char *path, enum result result)
{
    struct asking asking = ask(GET, path);
    cr_expect_eq(asking.result, result, "%s: %s", path, result_name(asking.result));
    cr_expect_null(asking.request.route);
    arena_free(asking.arena);
}

Test(router, knows_nothing_else)
{
    static const char *const unknown[] = {
        "/nothing", "/people/",    "/people/a/b",
        "//",       "/en/healthz", "/people//lin",
        "/fr/",     "/en//",       "/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o"};
    static const char *const malformed[] = {
        "people",         "/people/%",   "/people/%4",     "/people/%zz",
        "/people/%00",    "/people/%2f", "/people/%5C",    "/people/..",
        "/people/%2E%2e", "/people/.",   "/people/%c0%af", "/people/%ed%a0%80",
        "/people/a%0db",  "/people/a%7f"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        expect_result(unknown[i], NOT_FOUND);
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        expect_result(malformed[i], INVALID);
}

Test(router, reads_the_arguments_that_a_cached_page_knows)
{
    struct asking asking = ask(GET, "/zh/people/%E5%BC%A0");
    cr_assert_eq(query_read(&asking.request, "year=20%324&utm=1&kind=a+b&&x"), OK);
    cr_expect_str_eq(query_argument(&asking.request, "year"), "2024");
    cr_expect_str_eq(query_argument(&asking.request, "kind"), "a b");
    cr_expect_null(query_argument(&asking.request, "utm"));
    cr_expect_str_eq(query_page_key(&asking.request),
                     "/zh/people/%E5%BC%A0?kind=a%20b&year=2024");
    static const char *const bad[] = {"year=1&year=2", "year=%", "x=%00", "y=%ff"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_eq(query_read(&asking.request, bad[i]), INVALID, "%s", bad[i]);
    arena_free(asking.arena);
}
