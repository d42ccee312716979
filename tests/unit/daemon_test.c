/* The daemon over a real socket: what well-formed requests get. */
#include "tests/support/http.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *get(struct daemon *daemon, const char *target, const char *fields)
{
    char request[1024];
    bool closed;
    int length =
        snprintf(request, sizeof request,
                 "GET %s HTTP/1.1\r\nHost: lab.test\r\n%sConnection: close\r\n\r\n",
                 target, fields);
    return http_exchange(daemon, request, (size_t)length, &closed);
}

Test(daemon, answers_from_a_worker_and_keeps_the_connection)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    int fd = http_connect(daemon);
    static const char request[] = "GET /count HTTP/1.1\r\nHost: lab.test\r\n\r\n";
    for (int i = 1; i <= 3; i++) {
        http_send(fd, request, sizeof request - 1);
        char *answer = http_answer(fd);
        cr_expect_eq(http_status(answer), 200);
        cr_expect(strstr(answer, "X-Content-Type-Options: nosniff") != NULL);
        cr_expect_eq(http_counted, i);
        free(answer);
    }
    close(fd);
    http_test_stop(daemon);
}

Test(daemon, explains_unknown_paths_and_methods)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    char *answer = get(daemon, "/nowhere", "");
    cr_expect_eq(http_status(answer), 404);
    cr_expect(strstr(answer, "refused 404") != NULL);
    free(answer);
    answer = get(daemon, "/echo", "");
    cr_expect_eq(http_status(answer), 405);
    cr_expect(strstr(answer, "Allow: POST") != NULL);
    free(answer);
    http_test_stop(daemon);
}

/* The value of a field, malloc'd, or NULL. */
static char *field_of(const char *answer, const char *name)
{
    char start[64];
    snprintf(start, sizeof start, "\r\n%s: ", name);
    const char *found = strstr(answer, start);
    if (found == NULL)
        return NULL;
    found += strlen(start);
    return strndup(found, strcspn(found, "\r"));
}

static const char *content(const char *answer)
{
    const char *end = strstr(answer, "\r\n\r\n");
    return end != NULL ? end + 4 : "";
}

static void expect_post(struct daemon *daemon, const char *path, const char *fields,
                        const char *body, int status, const char *text)
{
    char request[4096];
    bool closed;
    int length = snprintf(request, sizeof request,
                          "POST %s HTTP/1.1\r\nHost: lab.test\r\nConnection: close\r\n"
                          "%s\r\n%s",
                          path, fields, body);
    char *answer = http_exchange(daemon, request, (size_t)length, &closed);
    cr_expect_eq(http_status(answer), status, "%s %s: %s", path, body, answer);
    cr_expect_str_eq(content(answer), text);
    free(answer);
}

Test(daemon, reads_bodies)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    expect_post(daemon, "/echo",
                "Content-Type: application/x-www-form-urlencoded\r\n"
                "Content-Length: 7\r\n",
                "a=1&b=2", 200, "{\"a\":[\"1\"],\"b\":[\"2\"]}");
    expect_post(daemon, "/echo",
                "Content-Type: application/x-www-form-urlencoded\r\n"
                "Transfer-Encoding: chunked\r\n",
                "3\r\na=1\r\n4;x=y\r\n&b=2\r\n0\r\n\r\n", 200,
                "{\"a\":[\"1\"],\"b\":[\"2\"]}");
    expect_post(daemon, "/echo",
                "Content-Type: multipart/form-data; boundary=X\r\nContent-Length: 59\r\n",
                "--X\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--X--\r\n\r\n",
                200, "{\"a\":[\"1\"]}");
    expect_post(daemon, "/api", "Content-Type: application/json\r\nContent-Length: 7\r\n",
                "{\"a\":1}", 200, "{\"a\":1}");
    expect_post(daemon, "/echo", "Content-Length: 0\r\n", "", 200, "nothing");
    http_test_stop(daemon);
}

Test(daemon, explains_bodies_it_refuses)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    expect_post(daemon, "/echo",
                "Content-Type: application/x-www-form-urlencoded\r\n"
                "Content-Length: 5\r\n",
                "a=%zz", 400, "refused 400");
    expect_post(daemon, "/echo", "Content-Type: text/plain\r\nContent-Length: 3\r\n",
                "a=1", 415, "refused 415");
    expect_post(daemon, "/api",
                "Content-Type: application/x-www-form-urlencoded\r\n"
                "Content-Length: 3\r\n",
                "a=1", 415, "refused 415");
    expect_post(daemon, "/api", "Content-Type: application/json\r\nContent-Length: 3\r\n",
                "[1]", 400, "refused 400");
    expect_post(daemon, "/small",
                "Content-Type: application/x-www-form-urlencoded\r\n"
                "Content-Length: 2000\r\n",
                "a=1", 413, "refused 413");
    http_test_stop(daemon);
}

/* Closing at once would reset the connection, and the client never read why. */
Test(daemon, refusals_reach_clients_that_go_on_sending)
{
    enum { SIZE = 8 * 1024 * 1024 };
    static const char *const framings[] = {
        "Content-Length: 8388608\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n800000\r\n"};
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    char *request = malloc(SIZE + 1024);
    for (size_t i = 0; i < 2; i++) {
        bool closed;
        int head = snprintf(request, 1024,
                            "POST /echo HTTP/1.1\r\nHost: lab.test\r\n"
                            "Content-Type: application/x-www-form-urlencoded\r\n%s",
                            framings[i]);
        memset(request + head, 'a', SIZE);
        char *answer = http_exchange(daemon, request, (size_t)head + SIZE, &closed);
        cr_expect_eq(http_status(answer), 413, "%zu: %s", i, answer);
        cr_expect(closed);
        free(answer);
    }
    free(request);
    http_test_stop(daemon);
}

Test(daemon, asks_for_a_body_only_when_it_wants_it)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    static const char format[] = "POST /small HTTP/1.1\r\nHost: lab.test\r\n"
                                 "Content-Type: application/x-www-form-urlencoded\r\n"
                                 "Expect: 100-continue\r\nContent-Length: %d\r\n\r\n";
    char request[512];
    bool closed;
    snprintf(request, sizeof request, format, 5000);
    char *answer = http_exchange(daemon, request, strlen(request), &closed);
    cr_expect_eq(http_status(answer), 413);
    free(answer);
    snprintf(request, sizeof request, format, 3);
    int fd = http_connect(daemon);
    http_send(fd, request, strlen(request));
    answer = http_answer(fd);
    cr_expect_eq(http_status(answer), 100);
    free(answer);
    http_send(fd, "a=1", 3);
    answer = http_answer(fd);
    cr_expect_eq(http_status(answer), 200);
    cr_expect_str_eq(content(answer), "{\"a\":[\"1\"]}");
    free(answer);
    close(fd);
    http_test_stop(daemon);
}

Test(daemon, answers_head_as_get_without_a_body)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    static const char *const targets[] = {"/count", "/nowhere"};
    for (size_t i = 0; i < 2; i++) {
        char request[256];
        bool closed;
        snprintf(request, sizeof request,
                 "HEAD %s HTTP/1.1\r\nHost: lab.test\r\nConnection: close\r\n\r\n",
                 targets[i]);
        char *head = http_exchange(daemon, request, strlen(request), &closed);
        char *whole = get(daemon, targets[i], "");
        char *length = field_of(head, "Content-Length");
        cr_expect_str_eq(content(head), "");
        cr_expect_eq((size_t)atoi(length), strlen(content(whole)));
        cr_expect_eq(strlen(head) + strlen(content(whole)), strlen(whole));
        free(length);
        free(head);
        free(whole);
    }
    http_test_stop(daemon);
}

Test(daemon, caches_pages_in_three_codings)
{
    struct daemon_options options = http_test_options();
    options.pages = page_cache_new(1 << 20);
    struct daemon *daemon = http_test_start(&options);
    char *first = get(daemon, "/en/page/a", "");
    char *etag = field_of(first, "ETag");
    char condition[128];
    cr_assert_not_null(etag);
    static const char *const codings[] = {"identity", "gzip", "br"};
    for (size_t i = 0; i < 3; i++) {
        char fields[64];
        snprintf(fields, sizeof fields, "Accept-Encoding: %s\r\n", codings[i]);
        char *answer = get(daemon, "/en/page/a", fields);
        char *coding = field_of(answer, "Content-Encoding");
        char *vary = field_of(answer, "Vary");
        char *control = field_of(answer, "Cache-Control");
        char *own = field_of(answer, "ETag");
        cr_expect_str_eq(vary, "Accept-Encoding");
        cr_expect_str_eq(control, "public, max-age=0, must-revalidate");
        cr_expect_str_eq(coding != NULL ? coding : "identity", codings[i]);
        cr_expect_eq(strcmp(own, etag) == 0, i == 0);
        free(coding);
        free(vary);
        free(control);
        free(own);
        free(answer);
    }
    snprintf(condition, sizeof condition, "If-None-Match: \"x\", W/%s\r\n", etag);
    char *same = get(daemon, "/en/page/a", condition);
    cr_expect_eq(http_status(same), 304);
    cr_expect(strstr(same, etag) != NULL && strstr(same, "Vary: ") != NULL &&
              strstr(same, "Cache-Control: public") != NULL);
    cr_expect_eq(http_counted, 1);
    free(same);
    free(first);
    free(etag);
    http_test_stop(daemon);
    page_cache_free(options.pages);
}

Test(daemon, compresses_what_is_public_alone)
{
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    char *packed = get(daemon, "/open", "Accept-Encoding: gzip, br\r\n");
    char *etag = field_of(packed, "ETag");
    cr_expect(strstr(packed, "Content-Encoding: br\r\n") != NULL);
    cr_expect(strstr(packed, "Vary: Accept-Encoding\r\n") != NULL);
    free(packed);
    char *plain = get(daemon, "/open", "");
    char *plain_etag = field_of(plain, "ETag");
    cr_expect_str_neq(etag, plain_etag);
    free(plain);
    char fields[200];
    snprintf(fields, sizeof fields, "Accept-Encoding: br\r\nIf-None-Match: %s\r\n", etag);
    char *same = get(daemon, "/open", fields);
    cr_expect_eq(http_status(same), 304);
    cr_expect_str_eq(content(same), "");
    free(same);
    char *private = get(daemon, "/private", "Accept-Encoding: gzip, br\r\n");
    cr_expect_null(strstr(private, "Content-Encoding"));
    cr_expect(strstr(private, "Cache-Control: private, no-store\r\n") != NULL);
    free(private);
    free(etag);
    free(plain_etag);
    http_test_stop(daemon);
}

static void expect_counted(struct daemon *daemon, const char *target, const char *fields,
                           int counted)
{
    char *answer = get(daemon, target, fields);
    cr_expect_eq(http_status(answer), 200);
    cr_expect_eq(http_counted, counted, "%s: rendered %d times", target, http_counted);
    free(answer);
}

Test(daemon, caches_by_language_and_known_arguments_and_not_for_sessions)
{
    struct daemon_options options = http_test_options();
    options.pages = page_cache_new(1 << 20);
    struct daemon *daemon = http_test_start(&options);
    expect_counted(daemon, "/en/page/a", "", 1);
    expect_counted(daemon, "/en/page/%61?utm=1", "", 1);
    expect_counted(daemon, "/zh/page/a", "", 2);
    expect_counted(daemon, "/en/page/a?year=1&kind=2", "", 3);
    expect_counted(daemon, "/en/page/a?kind=%32&x&year=1", "", 3);
    expect_counted(daemon, "/en/page/a", "Cookie: x=1; labd=abc\r\n", 4);
    expect_counted(daemon, "/en/page/a", "Cookie: x=1\r\n", 4);
    expect_counted(daemon, "/page/a", "", 5); /* the language is not settled */
    expect_counted(daemon, "/page/a", "", 6);
    page_cache_touch(options.pages, 2);
    expect_counted(daemon, "/en/page/a", "", 6);
    page_cache_touch(options.pages, 1);
    expect_counted(daemon, "/en/page/a", "", 7);
    http_test_stop(daemon);
    page_cache_free(options.pages);
}

static void wait_for(struct daemon *daemon, int pending, int running)
{
    while (daemon_pending(daemon) < pending || http_counted < running)
        usleep(1000);
}

Test(daemon, sends_503_when_the_queue_is_full)
{
    enum { TAKEN = 3, CLIENTS = 12 };
    struct daemon_options options = http_test_options();
    options.workers = 1;
    options.queue = TAKEN - 1;
    struct daemon *daemon = http_test_start(&options);
    int fds[CLIENTS];
    static const char request[] = "GET /slow HTTP/1.1\r\nHost: lab.test\r\n\r\n";
    http_held = true;
    for (int i = 0; i < CLIENTS; i++) {
        fds[i] = http_connect(daemon);
        http_send(fds[i], request, sizeof request - 1);
        if (i < TAKEN) /* the first at the worker, the others in the queue */
            wait_for(daemon, i + 1, 1);
    }
    for (int i = TAKEN; i < CLIENTS; i++) {
        char *answer = http_answer(fds[i]);
        cr_expect_eq(http_status(answer), 503, "%s", answer);
        cr_expect(strstr(answer, "Retry-After: 1\r\n") != NULL);
        free(answer);
        close(fds[i]);
    }
    http_held = false;
    for (int i = 0; i < TAKEN; i++) {
        char *answer = http_answer(fds[i]);
        cr_expect_eq(http_status(answer), 200, "%s", answer);
        free(answer);
        close(fds[i]);
    }
    http_test_stop(daemon);
}

Test(daemon, believes_a_proxy_only_when_told)
{
    struct daemon_options options = http_test_options();
    static const char fields[] = "X-Forwarded-For: 192.0.2.1, 198.51.100.7\r\n";
    struct daemon *daemon = http_test_start(&options);
    char *answer = get(daemon, "/peer", fields);
    cr_expect_str_eq(content(answer), "127.0.0.1");
    free(answer);
    http_test_stop(daemon);
    options.trust_proxy = true;
    daemon = http_test_start(&options);
    answer = get(daemon, "/peer", fields);
    cr_expect_str_eq(content(answer), "198.51.100.7");
    free(answer);
    answer = get(daemon, "/peer", "X-Forwarded-For: <script>\r\n");
    cr_expect_str_eq(content(answer), "127.0.0.1");
    free(answer);
    http_test_stop(daemon);
}

Test(daemon, serves_static_files_by_their_hash)
{
    char folder[] = "/tmp/labd-static-XXXXXX";
    char path[64];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/site-main.css", folder);
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 100; i++)
        fputs("body { color: black }\n", file);
    fclose(file);
    struct daemon_options options = http_test_options();
    cr_assert_eq(statics_load(&options.statics, folder, true), OK);
    struct daemon *daemon = http_test_start(&options);
    arena_enter(arena_new());
    const char *target = json_string_value(
        json_object_get(statics_assets(options.statics), "site_main_css"));
    cr_assert_not_null(target);
    char *answer = get(daemon, target, "Accept-Encoding: br\r\n");
    cr_expect_eq(http_status(answer), 200);
    cr_expect(strstr(answer, "Cache-Control: public, max-age=31536000, immutable\r\n"));
    cr_expect(strstr(answer, "Content-Type: text/css; charset=utf-8\r\n"));
    cr_expect(strstr(answer, "Content-Encoding: br\r\n"));
    cr_expect(strstr(answer, "nosniff") != NULL);
    free(answer);
    answer = get(daemon, "/static/site-main.css", "");
    cr_expect_eq(http_status(answer), 404);
    free(answer);
    /* In development a change is seen, under a new name. */
    file = fopen(path, "w");
    fputs("body { color: red }\n", file);
    fclose(file);
    const char *newer = json_string_value(
        json_object_get(statics_assets(options.statics), "site_main_css"));
    cr_expect_str_neq(newer, target);
    answer = get(daemon, newer, "");
    cr_expect(strstr(answer, "color: red") != NULL);
    free(answer);
    arena_free(arena_enter(NULL));
    http_test_stop(daemon);
    statics_free(options.statics);
    unlink(path);
    rmdir(folder);
}
