/* What must never be understood: each malformed request gets its status and a closed
 * connection, the request behind it on the same connection is not run, and the server
 * goes on. */
#include "server/base/clock.h"
#include "tests/support/http.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HOST "Host: lab.test\r\n"
#define NEXT "GET /count HTTP/1.1\r\n" HOST "\r\n"
#define CASE(name, status, bytes)                                                        \
    {                                                                                    \
        name, status, bytes NEXT, sizeof(bytes NEXT) - 1                                 \
    }

struct malformed {
    const char *name;
    int status;
    const char *bytes;
    size_t length;
};

static const struct malformed framing[] = {
    CASE("length and coding", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    CASE("coding and length", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n"),
    CASE("two lengths", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Content-Length: 3\r\nContent-Length: 5\r\n\r\na=1"),
    CASE("two equal lengths", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Content-Length: 3\r\nContent-Length: 3\r\n\r\na=1"),
    CASE("list of lengths", 400,
         "POST /echo HTTP/1.1\r\n" HOST "Content-Length: 3, 3\r\n\r\na=1"),
    CASE("signed length", 400,
         "POST /echo HTTP/1.1\r\n" HOST "Content-Length: +3\r\n\r\na=1"),
    CASE("negative length", 400,
         "POST /echo HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n"),
    CASE("length in words", 400,
         "POST /echo HTTP/1.1\r\n" HOST "Content-Length: three\r\n\r\na=1"),
    CASE("length beyond 64 bits", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Content-Length: 18446744073709551619\r\n\r\na=1"),
    CASE("empty length", 400, "POST /echo HTTP/1.1\r\n" HOST "Content-Length:\r\n\r\n"),
    CASE("unknown coding", 400,
         "POST /echo HTTP/1.1\r\n" HOST "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
    CASE("two codings", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    CASE("coding twice", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    CASE("coding in HTTP/1.0", 400,
         "POST /echo HTTP/1.0\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    CASE("coding with vertical tab", 400,
         "POST /echo HTTP/1.1\r\n" HOST "Transfer-Encoding: \x0b"
         "chunked\r\n\r\n0\r\n\r\n"),
    CASE("chunk size of letters", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Content-Type: application/x-www-form-urlencoded\r\n"
         "Transfer-Encoding: chunked\r\n\r\nxyz\r\na=1\r\n0\r\n\r\n"),
    CASE("chunk size too long", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Content-Type: application/x-www-form-urlencoded\r\n"
         "Transfer-Encoding: chunked\r\n\r\n000000000003\r\na=1\r\n0\r\n\r\n"),
    CASE("chunk longer than its size", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Content-Type: application/x-www-form-urlencoded\r\n"
         "Transfer-Encoding: chunked\r\n\r\n2\r\na=1\r\n0\r\n\r\n"),
    CASE("chunk with bare feeds", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Content-Type: application/x-www-form-urlencoded\r\n"
         "Transfer-Encoding: chunked\r\n\r\n3\na=1\n0\n\n"),
    CASE("fields behind the chunks", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Content-Type: application/x-www-form-urlencoded\r\n"
         "Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n0\r\nHost: evil\r\n\r\n"),
};

static const struct malformed heads[] = {
    CASE("no host", 400, "GET /count HTTP/1.1\r\n\r\n"),
    CASE("two hosts", 400, "GET /count HTTP/1.1\r\n" HOST "Host: evil.test\r\n\r\n"),
    CASE("host with a path", 400, "GET /count HTTP/1.1\r\nHost: lab.test/x\r\n\r\n"),
    CASE("host with a user", 400, "GET /count HTTP/1.1\r\nHost: a@lab.test\r\n\r\n"),
    CASE("host with a bad port", 400, "GET /count HTTP/1.1\r\nHost: lab.test:8x\r\n\r\n"),
    CASE("empty host", 400, "GET /count HTTP/1.1\r\nHost: \r\n\r\n"),
    CASE("folded line", 400, "GET /count HTTP/1.1\r\n" HOST "X-One: a\r\n b\r\n\r\n"),
    CASE("folded coding", 400,
         "POST /echo HTTP/1.1\r\n" HOST
         "Transfer-: chunked\r\n Encoding: x\r\n\r\n0\r\n\r\n"),
    CASE("folded first line", 400, "GET /count HTTP/1.1\r\n X: a\r\n" HOST "\r\n"),
    CASE("space before the colon", 400,
         "GET /count HTTP/1.1\r\n" HOST "X-One : a\r\n\r\n"),
    CASE("no colon", 400, "GET /count HTTP/1.1\r\n" HOST "X-One\r\n\r\n"),
    CASE("no name", 400, "GET /count HTTP/1.1\r\n" HOST ": a\r\n\r\n"),
    CASE("NUL in a value", 400, "GET /count HTTP/1.1\r\n" HOST "X-One: a\0b\r\n\r\n"),
    CASE("NUL in a name", 400, "GET /count HTTP/1.1\r\n" HOST "X-\0One: a\r\n\r\n"),
    CASE("NUL in the target", 400, "GET /count\0x HTTP/1.1\r\n" HOST "\r\n"),
    CASE("escape in a value", 400,
         "GET /count HTTP/1.1\r\n" HOST "X-One: a\x1b[2J\r\n\r\n"),
    CASE("bare return in a value", 400,
         "GET /count HTTP/1.1\r\n" HOST "X-One: a\rX-Two: b\r\n\r\n"),
    CASE("bare return ends a line", 400, "GET /count HTTP/1.1\r" HOST "\r\n"),
    CASE("bare feeds", 400, "GET /count HTTP/1.1\nHost: lab.test\n\n"),
    CASE("one bare feed", 400, "GET /count HTTP/1.1\r\n" HOST "X-One: a\n\r\n"),
    CASE("unknown method", 501, "BREW /count HTTP/1.1\r\n" HOST "\r\n"),
    CASE("small letters", 501, "get /count HTTP/1.1\r\n" HOST "\r\n"),
    CASE("method with a bracket", 400, "GE(T /count HTTP/1.1\r\n" HOST "\r\n"),
    CASE("CONNECT", 405, "CONNECT lab.test:443 HTTP/1.1\r\n" HOST "\r\n"),
    CASE("HTTP/1.9", 505, "GET /count HTTP/1.9\r\n" HOST "\r\n"),
    CASE("HTTP/2 preface", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    CASE("HTTP/0.9", 400, "GET /count\r\n\r\n"),
    CASE("version in small letters", 400, "GET /count http/1.1\r\n" HOST "\r\n"),
    CASE("TLS greeting", 400, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
};

static const struct malformed targets[] = {
    CASE("absolute target", 400, "GET http://lab.test/count HTTP/1.1\r\n" HOST "\r\n"),
    CASE("asterisk target", 400, "OPTIONS * HTTP/1.1\r\n" HOST "\r\n"),
    CASE("no leading slash", 400, "GET count HTTP/1.1\r\n" HOST "\r\n"),
    CASE("space in the target", 400, "GET /co unt HTTP/1.1\r\n" HOST "\r\n"),
    CASE("tab before the version", 400, "GET /count\tHTTP/1.1\r\n" HOST "\r\n"),
    CASE("raw UTF-8", 400, "GET /\xe5\xbc\xa0 HTTP/1.1\r\n" HOST "\r\n"),
    CASE("fragment", 400, "GET /count#x HTTP/1.1\r\n" HOST "\r\n"),
    CASE("encoded NUL", 400, "GET /count%00 HTTP/1.1\r\n" HOST "\r\n"),
    CASE("encoded line end", 400, "GET /count%0d%0a HTTP/1.1\r\n" HOST "\r\n"),
    CASE("bad encoding", 400, "GET /count%zz HTTP/1.1\r\n" HOST "\r\n"),
    CASE("cut encoding", 400, "GET /count%4 HTTP/1.1\r\n" HOST "\r\n"),
    CASE("encoded slash", 400, "GET /page%2fx HTTP/1.1\r\n" HOST "\r\n"),
    CASE("encoded backslash", 400, "GET /page%5cx HTTP/1.1\r\n" HOST "\r\n"),
    CASE("dots", 400, "GET /../count HTTP/1.1\r\n" HOST "\r\n"),
    CASE("encoded dots", 400, "GET /%2e%2e/count HTTP/1.1\r\n" HOST "\r\n"),
    CASE("overlong UTF-8", 400, "GET /%c0%af HTTP/1.1\r\n" HOST "\r\n"),
    CASE("surrogate", 400, "GET /%ed%a0%80 HTTP/1.1\r\n" HOST "\r\n"),
    CASE("NUL in an argument", 400, "GET /count?a=%00 HTTP/1.1\r\n" HOST "\r\n"),
    CASE("bad encoding in an argument", 400, "GET /count?a=%f HTTP/1.1\r\n" HOST "\r\n"),
    CASE("argument twice", 400, "GET /en/page/x?year=1&year=2 HTTP/1.1\r\n" HOST "\r\n"),
    CASE("length of 5 GB", 413,
         "POST /echo HTTP/1.1\r\n" HOST
         "Content-Type: application/x-www-form-urlencoded\r\n"
         "Content-Length: 5000000000\r\n\r\na=1"),
    CASE("TRACE", 405, "TRACE /count HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\nx"),
};

static void expect_healthy(struct daemon *daemon)
{
    bool closed;
    int before = http_counted;
    static const char request[] =
        "GET /count HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n";
    char *answer = http_exchange(daemon, request, sizeof request - 1, &closed);
    cr_expect_eq(http_status(answer), 200, "the server is not healthy");
    cr_expect_eq(http_counted, before + 1);
    free(answer);
}

static int answers_in(const char *text)
{
    int count = 0;
    for (; (text = strstr(text, "HTTP/1.1 ")) != NULL; text++)
        count++;
    return count;
}

static void expect_refused(struct daemon *daemon, const char *name, int status,
                           const char *bytes, size_t length)
{
    bool closed;
    http_counted = 0;
    int64_t start = clock_ms();
    char *answer = http_exchange(daemon, bytes, length, &closed);
    cr_expect_eq(http_status(answer), status, "%s: %d: %.60s", name, http_status(answer),
                 answer);
    cr_expect(closed, "%s: the connection stays open", name);
    cr_expect_eq(http_counted, 0, "%s: what follows was run", name);
    cr_expect_eq(answers_in(answer), 1, "%s: answered twice", name);
    cr_expect(strstr(answer, "Content-Security-Policy: ") != NULL, "%s: bare", name);
    cr_expect(strstr(answer, "onnection: close") != NULL, "%s: no close", name);
    cr_expect_lt(clock_ms() - start, 1500, "%s: not at once", name);
    free(answer);
    expect_healthy(daemon);
}

static void refuse_all(const struct malformed *cases, size_t count)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    for (size_t i = 0; i < count; i++)
        expect_refused(daemon, cases[i].name, cases[i].status, cases[i].bytes,
                       cases[i].length);
    http_test_stop(daemon);
}

Test(malformed, framing_is_refused)
{
    refuse_all(framing, sizeof framing / sizeof framing[0]);
}

Test(malformed, heads_are_refused)
{
    refuse_all(heads, sizeof heads / sizeof heads[0]);
}

Test(malformed, targets_are_refused)
{
    refuse_all(targets, sizeof targets / sizeof targets[0]);
}

/* The same, cut into single bytes: the gate holds a head back until it is whole. */
Test(malformed, heads_are_refused_byte_by_byte)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i += 5) {
        bool closed;
        int fd = http_connect(daemon);
        http_counted = 0;
        for (size_t k = 0; k < heads[i].length; k++)
            http_send(fd, heads[i].bytes + k, 1);
        char *answer = http_receive(fd, 3000, &closed);
        cr_expect_eq(http_status(answer), heads[i].status, "%s", heads[i].name);
        cr_expect(closed && http_counted == 0, "%s", heads[i].name);
        free(answer);
        close(fd);
    }
    expect_healthy(daemon);
    http_test_stop(daemon);
}

/* A good request before a bad one is answered, in order. */
Test(malformed, what_came_before_is_answered_first)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    static const char bytes[] = NEXT NEXT "GET /count HTTP/1.1\r\n\r\n" NEXT;
    bool closed;
    char *answer = http_exchange(daemon, bytes, sizeof bytes - 1, &closed);
    cr_expect_eq(answers_in(answer), 3, "%s", answer);
    cr_expect_eq(http_status(answer), 200);
    cr_expect(strstr(answer, "HTTP/1.1 400 ") != NULL);
    cr_expect(closed);
    cr_expect_eq(http_counted, 2);
    free(answer);
    http_test_stop(daemon);
}

/* Repeats `piece` between `start` and `end`. */
static void expect_refused_long(struct daemon *daemon, const char *name, int status,
                                const char *start, const char *piece, int times,
                                const char *end)
{
    size_t room = strlen(start) + strlen(piece) * (size_t)times + strlen(end) + 1;
    char *bytes = malloc(room);
    char *at = stpcpy(bytes, start);
    for (int i = 0; i < times; i++)
        at = stpcpy(at, piece);
    at = stpcpy(at, end);
    expect_refused(daemon, name, status, bytes, (size_t)(at - bytes));
    free(bytes);
}

Test(malformed, too_much_is_refused)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    static const char end[] = "\r\n\r\n" NEXT;
    expect_refused_long(daemon, "33 KB field", 431,
                        "GET /count HTTP/1.1\r\n" HOST "X-One: ", "x", 33000, end);
    expect_refused_long(daemon, "500 fields", 431, "GET /count HTTP/1.1\r\n" HOST,
                        "X-One: a\r\n", 500, "\r\n" NEXT);
    expect_refused_long(daemon, "33 KB target", 414, "GET /", "x", 33000,
                        " HTTP/1.1\r\n" HOST "\r\n" NEXT);
    expect_refused_long(daemon, "9 KB target", 414, "GET /", "x", 9000,
                        " HTTP/1.1\r\n" HOST "\r\n" NEXT);
    expect_refused_long(daemon, "500 arguments", 400, "GET /count?a=1", "&b=2", 500,
                        " HTTP/1.1\r\n" HOST "\r\n" NEXT);
    expect_refused_long(daemon, "500 cookies", 431,
                        "GET /count HTTP/1.1\r\n" HOST "Cookie: a=1", "; b=2", 500, end);
    expect_refused_long(daemon, "9 KB of one cookie", 431,
                        "GET /count HTTP/1.1\r\n" HOST "Cookie: a=", "x", 9000, end);
    expect_refused_long(daemon, "a first line without end", 414, "GET /", "x", 100000,
                        "");
    expect_refused_long(daemon, "chunks beyond the limit", 413,
                        "POST /small HTTP/1.1\r\n" HOST
                        "Content-Type: application/x-www-form-urlencoded\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n",
                        "10\r\na=1&b=2&c=3&d=4&\r\n", 100000, "0\r\n\r\n" NEXT);
    expect_refused_long(daemon, "chunks that nobody wants", 404,
                        "POST /nowhere HTTP/1.1\r\n" HOST
                        "Transfer-Encoding: chunked\r\n\r\n",
                        "10\r\na=1&b=2&c=3&d=4&\r\n", 100000, "0\r\n\r\n" NEXT);
    http_test_stop(daemon);
}

/* Up to the limit heads are answered by the program, beyond it refused by the gate; the
 * library's memory is never what runs out, which would end in its own words or none. */
Test(malformed, heads_of_every_weight_near_the_limit_are_answered_by_us)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    int good = 0, refused = 0;
    for (int cookie = 7000; cookie < 9000; cookie += 37) {
        char *cookies = calloc(1, (size_t)cookie + 1), *bytes = NULL;
        bool closed;
        memset(cookies, 'x', (size_t)cookie);
        int length = asprintf(&bytes,
                              "POST /count?a=1 HTTP/1.1\r\n" HOST "Connection: close\r\n"
                              "Content-Type: application/x-www-form-urlencoded\r\n"
                              "Content-Length: 9\r\nCookie: a=%s\r\n\r\nname=abcd",
                              cookies);
        char *answer = http_exchange(daemon, bytes, (size_t)length, &closed);
        int status = http_status(answer);
        good += status != 431;
        refused += status == 431;
        cr_expect(status == 431 || status == 200 || status == 405, "%d: %s", cookie,
                  answer);
        cr_expect(strstr(answer, "Content-Security-Policy: ") != NULL, "%d", cookie);
        free(answer);
        free(bytes);
        free(cookies);
    }
    cr_expect(good > 10 && refused > 10, "%d good, %d refused", good, refused);
    http_test_stop(daemon);
}
