/* Cookies, codings, entity tags, parameters and response fields. */
#include "server/base/config.h"
#include "server/http/coding.h"
#include "server/http/cookie.h"
#include "server/http/parameters.h"
#include "server/http/response.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void expect_cookie(const char *field, const char *value)
{
    const char *found = NULL;
    size_t length = 0;
    bool there = cookie_find(field, "labd", &found, &length);
    cr_expect_eq(there, value != NULL, "%s", field);
    if (there && value != NULL)
        cr_expect(strlen(value) == length && memcmp(found, value, length) == 0, "%s",
                  field);
}

Test(cookie, is_found_by_its_whole_name)
{
    expect_cookie("labd=1", "1");
    expect_cookie("a=2; labd=abc; b=3", "abc");
    expect_cookie("a=2;labd=\"abc\"", "abc");
    expect_cookie("labd=1; labd=2", "1");
    expect_cookie("labd=", "");
    expect_cookie("xlabd=1; labdx=2; a=labd=3", NULL);
    expect_cookie("", NULL);
    expect_cookie(";;; =; labd", NULL);
}

Test(cookie, is_set_for_the_site_alone)
{
    struct arena *arena = arena_new();
    struct response response = {.arena = arena, .status = 200, .cacheable = true};
    config.base_url = "https://lab.example";
    response_cookie(&response, "labd", "abc", 60);
    config.base_url = "http://lab.example";
    response_cookie(&response, "labd", "", 0);
    cr_assert_eq(response.header_count, 2);
    cr_expect_str_eq(response.headers[0].value,
                     "__Host-labd=abc; Path=/; HttpOnly; SameSite=Lax; Secure; "
                     "Max-Age=60");
    cr_expect_str_eq(response.headers[1].value,
                     "labd=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    cr_expect(!response.cacheable);
    arena_free(arena);
}

Test(response, drops_fields_that_could_split_it)
{
    struct arena *arena = arena_new();
    struct response response = {.arena = arena, .status = 200};
    response_header(&response, "X-A", "a\r\nX-B: b");
    response_header(&response, "X-A", "a\nb");
    response_header(&response, "X-A", "a\x1b");
    response_header(&response, "X-A", "");
    cr_expect_eq(response.header_count, 0);
    response_redirect(&response, "/en/people");
    cr_expect_eq(response.status, 303);
    cr_expect_eq(response.header_count, 1);
    arena_free(arena);
}

Test(coding, follows_the_weights)
{
    cr_expect_eq(coding_choose(NULL), IDENTITY);
    cr_expect_eq(coding_choose(""), IDENTITY);
    cr_expect_eq(coding_choose("gzip, deflate, br"), BROTLI);
    cr_expect_eq(coding_choose("gzip"), GZIP);
    cr_expect_eq(coding_choose("GZIP;q=0.5, br ; q=0.4"), GZIP);
    cr_expect_eq(coding_choose("br;q=0, gzip;q=0"), IDENTITY);
    cr_expect_eq(coding_choose("*"), BROTLI);
    cr_expect_eq(coding_choose("*;q=0.5, br;q=0"), GZIP);
    cr_expect_eq(coding_choose("identity, gzip;q=0.2"), IDENTITY);
    cr_expect_eq(coding_choose("gzip;q=x, xbr, brx"), IDENTITY);
    cr_expect_eq(coding_choose(",,;;q=,"), IDENTITY);
}

Test(coding, gives_the_bytes_back)
{
    char text[4000];
    char back[sizeof text];
    size_t size = 0;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "a page of words "[i % 16];
    char *packed = coding_compress(GZIP, 5, text, sizeof text, &size);
    cr_assert_not_null(packed);
    z_stream stream = {.next_in = (unsigned char *)packed,
                       .avail_in = (unsigned)size,
                       .next_out = (unsigned char *)back,
                       .avail_out = sizeof back};
    cr_assert_eq(inflateInit2(&stream, 15 + 16), Z_OK);
    cr_expect_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    inflateEnd(&stream);
    cr_expect_arr_eq(text, back, sizeof text);
    free(packed);
    cr_expect_null(coding_compress(GZIP, 5, "short", 5, &size));
}

Test(etag, is_compared_weakly_in_lists)
{
    char etag[ETAG_SIZE];
    char other[ETAG_SIZE];
    etag_make(etag, 0, "abc", 3, GZIP);
    etag_make(other, 0, "abc", 3, IDENTITY);
    cr_expect_str_neq(etag, other);
    cr_expect(etag_matches("*", etag));
    cr_expect(etag_matches(etag, etag));
    char list[200];
    snprintf(list, sizeof list, "\"x\", W/%s , \"y\"", etag);
    cr_expect(etag_matches(list, etag));
    cr_expect(!etag_matches(list, other));
    cr_expect(!etag_matches(NULL, etag));
    cr_expect(!etag_matches("\"x", etag));
    cr_expect(!etag_matches("x, *", etag));
}

static void expect_parameter(const char *field, enum result result, const char *value)
{
    struct arena *arena = arena_new();
    const char *found = NULL;
    cr_expect_eq(parameters_find(arena, field, "name", &found), result, "%s", field);
    if (result == OK && value == NULL)
        cr_expect_null(found);
    else if (result == OK)
        cr_expect(found != NULL && strcmp(found, value) == 0, "%s: %s", field, found);
    arena_free(arena);
}

Test(parameters, are_tokens_or_quoted)
{
    expect_parameter("form-data; name=a", OK, "a");
    expect_parameter("form-data;NAME=\"a b\" ;x=y", OK, "a b");
    expect_parameter("form-data; name=\"a\\\"\\\\b\\c\"", OK, "a\"\\b\\c");
    expect_parameter("form-data; x=\"; name=b\"; name=a", OK, "a");
    expect_parameter("form-data", OK, NULL);
    expect_parameter("form-data;", OK, NULL);
    expect_parameter("form-data; filename=a; xname=b", OK, NULL);
    expect_parameter("form-data; name=\"a", INVALID, NULL);
    expect_parameter("form-data; name", INVALID, NULL);
    expect_parameter("form-data; name=a; name=b", INVALID, NULL);
    expect_parameter("form-data; name=\"a\"b", INVALID, NULL);
}
