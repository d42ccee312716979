/* See http.h. */
#include "tests/support/http.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

atomic_int http_counted;
atomic_bool http_held;

static enum result echo(struct request *request, struct response *response)
{
    char *text = json_dumps(request->fields != NULL ? request->fields : request->json,
                            JSON_COMPACT | JSON_SORT_KEYS);
    buf_string(&response->body, text != NULL ? text : "nothing");
    return OK;
}

static enum result count(struct request *request, struct response *response)
{
    (void)request;
    atomic_fetch_add(&http_counted, 1);
    buf_string(&response->body, "counted");
    return OK;
}

static enum result page(struct request *request, struct response *response)
{
    atomic_fetch_add(&http_counted, 1);
    response->cacheable = true;
    response->tables = 1;
    for (int i = 0; i < 200; i++)
        buf_print(&response->body, "<p>%s %s</p>\n", language_codes[request->language],
                  request->path);
    return OK;
}

static enum result slow(struct request *request, struct response *response)
{
    (void)request;
    atomic_fetch_add(&http_counted, 1);
    while (http_held)
        usleep(1000);
    usleep(300 * 1000);
    buf_string(&response->body, "slow");
    return OK;
}

static enum result large_text(struct request *request, struct response *response)
{
    for (int i = 0; i < 500; i++)
        buf_print(&response->body, "line %d of %s\n", i, request->path);
    return OK;
}

/* Public, but on no route of the cache. */
static enum result open_answer(struct request *request, struct response *response)
{
    response_header(response, "Cache-Control", "public, max-age=0");
    response->type = "application/json";
    return large_text(request, response);
}

static enum result large(struct request *request, struct response *response)
{
    (void)request;
    buf_reserve(&response->body, HTTP_LARGE);
    memset(response->body.data, 'x', HTTP_LARGE);
    response->body.length = HTTP_LARGE;
    return OK;
}

static enum result peer(struct request *request, struct response *response)
{
    buf_string(&response->body, request->peer);
    return OK;
}

static const struct route routes[] = {
    {GET,         "/count", PUBLIC, count},
    {GET,     "/slow", PUBLIC, slow},
    {GET,           "/open", PUBLIC, open_answer},
    {GET,"/private", PUBLIC, large_text},
    {GET,       "/large", PUBLIC, large},
    {GET,         "/peer", PUBLIC, peer},
    {GET,     "/page/:name", PUBLIC, page, .localized = true, .cache = true,
     .arguments = "year kind"},
    {POST,           "/echo", ANYONE, echo, .body_bytes = 2 * 1024 * 1024},
    {POST,  "/small", ANYONE, echo, .body_bytes = 1024},
    {POST, "/api", TOKEN, echo},
    {0        },
};

static enum result work(void *worker, struct request *request, struct response *response,
                        int refusal)
{
    (void)worker;
    if (refusal != 0) {
        buf_print(&response->body, "refused %d", refusal);
        return OK;
    }
    return request->route->handler(request, response);
}

struct daemon_options http_test_options(void)
{
    return (struct daemon_options){.host = "127.0.0.1",
                                   .threads = 2,
                                   .workers = 2,
                                   .queue = 16,
                                   .connections = 64,
                                   .head_seconds = 10,
                                   .body_seconds = 10,
                                   .reply_seconds = 10,
                                   .drain_seconds = 5,
                                   .work = work};
}

static struct arena *routing;

struct daemon *http_test_start(const struct daemon_options *options)
{
    static const struct route *const tables[] = {routes, NULL};
    struct daemon *daemon = NULL;
    struct daemon_options own = *options;
    routing = arena_new();
    own.router = router_new(routing, tables);
    http_counted = 0;
    cr_assert_eq(daemon_start(&daemon, &own), OK);
    return daemon;
}

void http_test_stop(struct daemon *daemon)
{
    cr_assert_eq(daemon_stop(daemon), OK);
    arena_free(routing);
}

int http_connect(struct daemon *daemon)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)daemon_port(daemon)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

void http_send(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return; /* the server has closed: what it said is read by the caller */
        bytes += sent;
        length -= (size_t)sent;
    }
}

char *http_receive(int fd, int ms, bool *closed)
{
    enum { MOST = 64 * 1024 };
    char *answer = malloc(MOST + 1);
    size_t length = 0;
    *closed = false;
    while (length < MOST) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (poll(&ready, 1, ms) <= 0)
            break;
        ssize_t got = recv(fd, answer + length, MOST - length, 0);
        if (got <= 0) {
            *closed = true;
            break;
        }
        length += (size_t)got;
    }
    answer[length] = '\0';
    return answer;
}

/* The whole length of the answer that begins here; 0: not known yet. */
static size_t answer_length(const char *answer)
{
    const char *end = strstr(answer, "\r\n\r\n");
    const char *length = strstr(answer, "\r\nContent-Length: ");
    if (end == NULL)
        return 0;
    size_t head = (size_t)(end - answer) + 4;
    return length != NULL && length < end ? head + (size_t)atol(length + 18) : head;
}

char *http_answer(int fd)
{
    enum { MOST = 64 * 1024 };
    char *answer = calloc(1, MOST + 1);
    size_t length = 0;
    while (length < MOST && (length == 0 || answer_length(answer) != length)) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        ssize_t got =
            poll(&ready, 1, 10000) > 0 ? recv(fd, answer + length, MOST - length, 0) : 0;
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    return answer;
}

char *http_exchange(struct daemon *daemon, const char *bytes, size_t length, bool *closed)
{
    int fd = http_connect(daemon);
    http_send(fd, bytes, length);
    char *answer = http_receive(fd, 3000, closed);
    close(fd);
    return answer;
}

int http_status(const char *answer)
{
    return strncmp(answer, "HTTP/1.1 ", 9) == 0 ? atoi(answer + 9) : 0;
}
