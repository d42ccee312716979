/* The form parsers, fed in pieces of every size. */
#include "server/http/body.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>

#define MULTIPART "multipart/form-data; boundary=XX"
#define URLENCODED "application/x-www-form-urlencoded"

struct reading {
    struct request request;
    struct body *body;
    int status;
};

/* Reads the body in pieces of `step` bytes. */
static struct reading read_body(enum body_kind kind, const char *type, const char *bytes,
                                size_t length, size_t step, size_t limit)
{
    struct reading reading = {.request.arena = arena_new()};
    arena_enter(reading.request.arena);
    reading.status = body_begin(&reading.body, &reading.request, kind, type, limit);
    for (size_t at = 0; reading.status == 0 && at < length; at += step) {
        size_t part = length - at < step ? length - at : step;
        char *own = malloc(part); /* so that reading past its end is caught */
        memcpy(own, bytes + at, part);
        reading.status = body_feed(reading.body, own, part);
        free(own);
    }
    if (reading.status == 0)
        reading.status = body_finish(reading.body);
    return reading;
}

static void end_reading(struct reading *reading)
{
    body_release(reading->body);
    arena_enter(NULL);
    arena_free(reading->request.arena);
}

static void expect_form(const char *type, const char *bytes, size_t length, int status,
                        const char *json)
{
    static const size_t steps[] = {1, 2, 3, 7, 64, 1 << 20};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct reading reading =
            read_body(BODY_FORMS, type, bytes, length, steps[i], 1 << 20);
        cr_expect_eq(reading.status, status, "%d for %.60s", reading.status, bytes);
        if (reading.status == 0 && status == 0) {
            char *text =
                json_dumps(reading.request.fields, JSON_COMPACT | JSON_SORT_KEYS);
            cr_expect_str_eq(text, json);
        }
        end_reading(&reading);
    }
}

#define EXPECT_FORM(type, bytes, status, json)                                           \
    expect_form(type, bytes, sizeof(bytes) - 1, status, json)

Test(body, reads_urlencoded_forms)
{
    EXPECT_FORM(URLENCODED, "a=1&b=2&c", 0, "{\"a\":[\"1\"],\"b\":[\"2\"],\"c\":[\"\"]}");
    EXPECT_FORM(URLENCODED "; charset=UTF-8", "a=x+y%2B%26&a=%E5%BC%A0", 0,
                "{\"a\":[\"x y+&\",\"\xe5\xbc\xa0\"]}");
    EXPECT_FORM(URLENCODED, "", 0, "{}");
    EXPECT_FORM(URLENCODED, "&&a=b=c&&", 0, "{\"a\":[\"b=c\"]}");
    EXPECT_FORM(URLENCODED, "a=%00b", 0, "{\"a\":[\"\\u0000b\"]}");
}

Test(body, refuses_bad_urlencoded_forms)
{
    EXPECT_FORM(URLENCODED, "a=%zz", 400, NULL);
    EXPECT_FORM(URLENCODED, "a=%4", 400, NULL);
    EXPECT_FORM(URLENCODED, "a=1&b=%", 400, NULL);
    EXPECT_FORM(URLENCODED, "a=%ff", 400, NULL);
    EXPECT_FORM(URLENCODED, "a=\xc3", 400, NULL);
    EXPECT_FORM(URLENCODED, "=1", 400, NULL);
    EXPECT_FORM(URLENCODED, "%00=1", 400, NULL);
    EXPECT_FORM(URLENCODED "XX", "a=1", 415, NULL);
    EXPECT_FORM(URLENCODED "; charset=gbk", "a=1", 415, NULL);
    EXPECT_FORM("text/plain", "a=1", 415, NULL);
    EXPECT_FORM("application/json", "{}", 415, NULL);
}

Test(body, reads_multipart_forms)
{
    EXPECT_FORM(MULTIPART,
                "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
                "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n2\r\n\r\n"
                "--XX--\r\n",
                0, "{\"a\":[\"1\",\"\\r\\n2\\r\\n\"]}");
    EXPECT_FORM("multipart/form-data; boundary=\"X X\"; charset=utf-8",
                "before\r\n--X X  \r\ncontent-disposition:form-data;name=\"a\\\"b\"\r\n"
                "Content-Type: text/plain\r\n\r\n\r\n--X X--after\r\nmore",
                0, "{\"a\\\"b\":[\"\"]}");
    EXPECT_FORM(MULTIPART,
                "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
                "--X\r\n--XY\r\r\n-\r\n--XX--",
                0, "{\"a\":[\"--X\\r\\n--XY\\r\\r\\n-\"]}");
    EXPECT_FORM(MULTIPART, "--XX--", 0, "{}");
    EXPECT_FORM(MULTIPART,
                "--XX\r\nContent-Disposition: form-data; name=f; filename=\"\"\r\n"
                "Content-Type: application/octet-stream\r\n\r\n\r\n--XX--",
                0, "{}");
    EXPECT_FORM(MULTIPART,
                "--XX\r\nContent-Disposition: form-data; name=f; "
                "filename=\"C:\\dir\\..\\me.png\"\r\n\r\nP\0NG\r\n--XX--",
                0, "{\"f\":[{\"filename\":\"me.png\",\"size\":4}]}");
}

Test(body, refuses_bad_multipart_forms)
{
    static const char *const types[] = {
        "multipart/form-data",
        "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
        "multipart/form-data; boundary=\"X",
        "multipart/form-data; boundary=X; boundary=Y"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        EXPECT_FORM(types[i], "--X--", 400, NULL);
    EXPECT_FORM(MULTIPART, "", 400, NULL);
    EXPECT_FORM(MULTIPART, "--XX\r\n", 400, NULL);
    EXPECT_FORM(MULTIPART, "--XXX\r\n", 400, NULL);
    EXPECT_FORM(MULTIPART,
                "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--XX\r\n",
                400, NULL);
    EXPECT_FORM(MULTIPART, "--XX\r\n\r\n1\r\n--XX--", 400, NULL);
    EXPECT_FORM(MULTIPART, "--XX\r\nContent-Disposition: form-data\r\n\r\n1\r\n--XX--",
                400, NULL);
    EXPECT_FORM(MULTIPART,
                "--XX\r\nContent-Disposition: attachment; name=a\r\n\r\n1\r\n--XX--", 400,
                NULL);
    EXPECT_FORM(MULTIPART,
                "--XX\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\n1\r\n"
                "--XX--",
                400, NULL);
    EXPECT_FORM(MULTIPART,
                "--XX\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\n1\r\n--XX--",
                400, NULL);
    EXPECT_FORM(
        MULTIPART,
        "--XX\r\nContent-Disposition: form-data; name=\"a\0b\"\r\n\r\n1\r\n--XX--", 400,
        NULL);
    EXPECT_FORM(MULTIPART,
                "--XX\r\nContent-Disposition: form-data; name=a\r\n"
                "Content-Transfer-Encoding: base64\r\n\r\nMQ==\r\n--XX--",
                400, NULL);
    EXPECT_FORM(MULTIPART,
                "--XX\r\nContent-Disposition: form-data; name=a\r\n\r\n\xff\r\n--XX--",
                400, NULL);
}

/* `times` times `piece`, then the rest; the status of reading that. */
static int long_form_status(const char *piece, int times, const char *rest)
{
    char *form = malloc(strlen(piece) * (size_t)times + strlen(rest) + 1);
    char *at = form;
    for (int i = 0; i < times; i++)
        at = stpcpy(at, piece);
    at = stpcpy(at, rest);
    struct reading reading =
        read_body(BODY_FORMS, URLENCODED, form, (size_t)(at - form), 4096, 8 << 20);
    int status = reading.status;
    end_reading(&reading);
    free(form);
    return status;
}

Test(body, bounds_fields_names_and_values)
{
    cr_expect_eq(long_form_status("a=1&", BODY_FIELDS_MAX, ""), 0);
    cr_expect_eq(long_form_status("a=1&", BODY_FIELDS_MAX + 1, ""), 413);
    cr_expect_eq(long_form_status("a=1&", 10000, ""), 413);
    cr_expect_eq(long_form_status("n", BODY_NAME_MAX, "=1"), 0);
    cr_expect_eq(long_form_status("n", BODY_NAME_MAX + 1, "=1"), 413);
    cr_expect_eq(long_form_status("a=1", BODY_VALUES_MAX / 2, ""), 413);
    cr_expect_eq(long_form_status("a=1", BODY_VALUES_MAX / 3, ""), 0);
}

Test(body, spools_large_files_out_of_memory)
{
    enum { SIZE = 1024 * 1024 };
    static const char head[] =
        "--XX\r\nContent-Disposition: form-data; name=photo; filename=\"a/b.png\"\r\n"
        "Content-Type: image/png\r\n\r\n";
    static const char tail[] = "\r\n--XX--\r\n";
    size_t length = sizeof head - 1 + SIZE + sizeof tail - 1;
    char *bytes = malloc(length);
    memcpy(bytes, head, sizeof head - 1);
    for (size_t i = 0; i < SIZE; i++)
        bytes[sizeof head - 1 + i] = (char)(i * 2654435761u >> 13);
    memcpy(bytes + sizeof head - 1 + SIZE, tail, sizeof tail - 1);
    struct reading reading =
        read_body(BODY_FORMS, MULTIPART, bytes, length, 5000, 2 * SIZE);
    cr_assert_eq(reading.status, 0);
    const struct upload *upload = request_upload(&reading.request, "photo");
    cr_assert_not_null(upload);
    cr_expect_eq(upload->length, SIZE);
    cr_expect_str_eq(upload->filename, "b.png");
    cr_expect_str_eq(upload->type, "image/png");
    cr_expect_arr_eq(upload->data, bytes + sizeof head - 1, SIZE);
    cr_expect_lt(arena_used(reading.request.arena), SIZE, "the file stayed in memory");
    end_reading(&reading);
    reading = read_body(BODY_FORMS, MULTIPART, bytes, length, 5000, SIZE);
    cr_expect_eq(reading.status, 413);
    end_reading(&reading);
    free(bytes);
}

static int json_status(const char *text)
{
    struct reading reading = read_body(BODY_JSON, "application/json; charset=utf-8", text,
                                       strlen(text), 3, 1 << 20);
    int status = reading.status;
    cr_expect_eq(status == 0, reading.request.json != NULL);
    end_reading(&reading);
    return status;
}

Test(body, reads_one_json_object)
{
    char deep[200];
    cr_expect_eq(json_status("{\"a\": [1, \"[[[[[[\"]}"), 0);
    cr_expect_eq(json_status("{}"), 0);
    cr_expect_eq(json_status(""), 400);
    cr_expect_eq(json_status("[1]"), 400);
    cr_expect_eq(json_status("1"), 400);
    cr_expect_eq(json_status("{\"a\":1,\"a\":2}"), 400);
    cr_expect_eq(json_status("{\"a\":1} x"), 400);
    cr_expect_eq(json_status("{\"a\":NaN}"), 400);
    cr_expect_eq(json_status("{\"a\":\"\\ud800\"}"), 400);
    cr_expect_eq(json_status("{\"a\":\"\xff\"}"), 400);
    for (int depth = 31; depth <= 32; depth++) {
        char *at = stpcpy(deep, "{\"a\":");
        memset(at, '[', (size_t)depth);
        memset(at + depth, ']', (size_t)depth);
        strcpy(at + 2 * depth, "}");
        cr_expect_eq(json_status(deep), depth < 32 ? 0 : 400);
    }
    struct reading reading = read_body(BODY_JSON, URLENCODED, "a=1", 3, 3, 4096);
    cr_expect_eq(reading.status, 415);
    end_reading(&reading);
    reading = read_body(BODY_JSON, NULL, "{}", 2, 2, 4096);
    cr_expect_eq(reading.status, 415);
    end_reading(&reading);
}

/* An empty object takes a hundred times the memory of its text. */
Test(body, counts_the_values_of_json_before_making_them)
{
    size_t size = (size_t)BODY_JSON_VALUES_MAX * 3 + 32;
    char *text = malloc(size);
    for (int values = BODY_JSON_VALUES_MAX; values <= BODY_JSON_VALUES_MAX + 1;
         values++) {
        char *at = stpcpy(text, "{\"[,{\":[1");
        for (int i = 2; i < values; i++)
            at = stpcpy(at, ",1");
        strcpy(at, "]}");
        cr_expect_eq(json_status(text), values == BODY_JSON_VALUES_MAX ? 0 : 400);
    }
    free(text);
}
