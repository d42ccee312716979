/* Slow clients, and stopping. */
#include "server/base/clock.h"
#include "tests/support/http.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HOST "Host: lab.test\r\n"

/* Sends `start`, then `byte` again and again until the server closes; the answer. */
static char *trickle(struct daemon *daemon, const char *start, const char *byte,
                     int64_t *ms)
{
    int fd = http_connect(daemon);
    int64_t begin = clock_ms();
    bool closed = false;
    char *answer = NULL;
    http_send(fd, start, strlen(start));
    while (!closed && clock_ms() - begin < 8000) {
        free(answer);
        http_send(fd, byte, 1);
        answer = http_receive(fd, 50, &closed);
        if (*answer != '\0')
            break;
    }
    *ms = clock_ms() - begin;
    close(fd);
    return answer;
}

Test(deadline, ends_trickled_heads_and_bodies)
{
    struct daemon_options options = http_test_options();
    int64_t ms;
    options.head_seconds = options.body_seconds = 1;
    struct daemon *daemon = http_test_start(&options);
    char *answer = trickle(daemon, "GET /count HTTP/1.1\r\n" HOST "X: ", "x", &ms);
    cr_expect_eq(http_status(answer), 408, "%s", answer);
    cr_expect(ms >= 900 && ms < 3000, "%d ms", (int)ms);
    free(answer);
    answer = trickle(daemon,
                     "POST /echo HTTP/1.1\r\n" HOST
                     "Content-Type: application/x-www-form-urlencoded\r\n"
                     "Content-Length: 1000\r\n\r\n",
                     "a", &ms);
    cr_expect_eq(http_status(answer), 408, "%s", answer);
    cr_expect(ms >= 900 && ms < 3000, "%d ms", (int)ms);
    free(answer);
    answer = trickle(daemon,
                     "POST /echo HTTP/1.1\r\n" HOST
                     "Content-Type: application/x-www-form-urlencoded\r\n"
                     "Transfer-Encoding: chunked\r\n\r\n1;",
                     "a", &ms);
    cr_expect_eq(http_status(answer), 408, "%s", answer);
    free(answer);
    cr_expect_eq(http_counted, 0);
    http_test_stop(daemon);
}

Test(deadline, closes_idle_connections_without_a_word)
{
    struct daemon_options options = http_test_options();
    options.head_seconds = 1;
    struct daemon *daemon = http_test_start(&options);
    static const char request[] = "GET /count HTTP/1.1\r\n" HOST "\r\n";
    bool closed;
    int silent = http_connect(daemon);
    int kept = http_connect(daemon);
    http_send(kept, request, sizeof request - 1);
    char *answer = http_receive(kept, 3000, &closed);
    cr_expect(closed && http_status(answer) == 200);
    cr_expect_null(strstr(answer, " 408 "));
    free(answer);
    answer = http_receive(silent, 3000, &closed);
    cr_expect(closed);
    cr_expect_str_eq(answer, "");
    free(answer);
    close(silent);
    close(kept);
    http_test_stop(daemon);
}

/* Asks for much and reads nothing. */
Test(deadline, ends_readers_that_do_not_read)
{
    struct daemon_options options = http_test_options();
    options.reply_seconds = 1;
    struct daemon *daemon = http_test_start(&options);
    static const char request[] = "GET /large HTTP/1.1\r\n" HOST "\r\n";
    char dropped[64 * 1024];
    int small = 4096;
    size_t got = 0;
    ssize_t part;
    int fd = http_connect(daemon);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    http_send(fd, request, sizeof request - 1);
    int64_t begin = clock_ms();
    while (send(fd, "x", 1, MSG_NOSIGNAL) == 1 && clock_ms() - begin < 20000)
        usleep(20000);
    cr_expect_lt(clock_ms() - begin, 10000, "the connection lives on");
    while ((part = read(fd, dropped, sizeof dropped)) > 0)
        got += (size_t)part;
    cr_expect_lt(got, HTTP_LARGE);
    close(fd);
    http_test_stop(daemon);
}

struct client {
    struct daemon *daemon;
    char *answer;
    bool closed;
};

static void *ask_slow(void *context)
{
    struct client *client = context;
    static const char request[] = "GET /slow HTTP/1.1\r\n" HOST "\r\n";
    client->answer =
        http_exchange(client->daemon, request, sizeof request - 1, &client->closed);
    return NULL;
}

Test(deadline, stopping_lets_running_and_waiting_requests_finish)
{
    enum { CLIENTS = 6 };
    struct daemon_options options = http_test_options();
    struct daemon *daemon = http_test_start(&options);
    struct client clients[CLIENTS];
    pthread_t threads[CLIENTS];
    int idle = http_connect(daemon);
    http_held = true;
    for (int i = 0; i < CLIENTS; i++) {
        clients[i].daemon = daemon;
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_slow, &clients[i]), 0);
    }
    while (daemon_pending(daemon) < CLIENTS) /* at workers or in the queue */
        usleep(1000);
    http_held = false;
    int64_t begin = clock_ms();
    http_test_stop(daemon);
    cr_expect_lt(clock_ms() - begin, 4000);
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(threads[i], NULL);
        cr_expect_eq(http_status(clients[i].answer), 200, "%s", clients[i].answer);
        cr_expect(clients[i].closed);
        cr_expect(strstr(clients[i].answer, "onnection: close") != NULL);
        free(clients[i].answer);
    }
    bool closed;
    char *answer = http_receive(idle, 100, &closed);
    cr_expect(closed);
    free(answer);
    close(idle);
}

Test(deadline, stopping_gives_up_what_still_waits)
{
    enum { CLIENTS = 6 };
    struct daemon_options options = http_test_options();
    options.workers = 1;
    options.drain_seconds = 0;
    struct daemon *daemon = http_test_start(&options);
    struct client clients[CLIENTS];
    pthread_t threads[CLIENTS];
    int served = 0;
    http_held = true;
    for (int i = 0; i < CLIENTS; i++) {
        clients[i].daemon = daemon;
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_slow, &clients[i]), 0);
    }
    while (daemon_pending(daemon) < CLIENTS || http_counted < 1)
        usleep(1000);
    http_held = false;
    http_test_stop(daemon);
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(threads[i], NULL);
        served += http_status(clients[i].answer) == 200;
        free(clients[i].answer);
    }
    cr_expect(served >= 1 && served < CLIENTS, "%d served", served);
}
