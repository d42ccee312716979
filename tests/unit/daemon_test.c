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
        bool closed;
        http_send(fd, request, sizeof request - 1);
        char *answer = http_receive(fd, 200, &closed);
        cr_expect_eq(http_status(answer), 200);
        cr_expect(!closed);
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
