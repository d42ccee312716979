/* One request's way through the daemon; see exchange.h. */
#include "server/http/exchange.h"

#include "server/base/log.h"
#include "server/http/cookie.h"
#include "server/http/query.h"
#include "server/http/static_private.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

void exchange_start(struct exchange *exchange, const char *target)
{
    size_t length = strnlen(target, HEAD_TARGET_MAX);
    exchange->stage = STAGE_NEW;
    exchange->close = false;
    exchange->refusal = 0;
    exchange->discarded = 0;
    exchange->received = 0;
    exchange->allow = NULL;
    memcpy(exchange->target, target, length);
    exchange->target[length] = '\0';
}

/* The library has surely resumed it. */
static void settle(struct exchange *exchange)
{
    if (exchange->suspended)
        atomic_fetch_sub(&exchange->daemon->suspended, 1);
    exchange->suspended = false;
}

static size_t counted(size_t received)
{
    return received > BODY_SMALL ? received - BODY_SMALL : 0;
}

void exchange_end(struct exchange *exchange)
{
    atomic_fetch_sub(&exchange->daemon->bodies, counted(exchange->received));
    exchange->received = 0;
    body_release(exchange->body);
    exchange->body = NULL;
    ready_release(exchange->ready);
    exchange->ready = NULL;
    if (exchange->answer != NULL)
        MHD_destroy_response(exchange->answer);
    exchange->answer = NULL;
    if (exchange->request.arena != NULL)
        daemon_give_arena(exchange->daemon, exchange->request.arena);
    exchange->request = (struct request){0};
    if (exchange->close)
        gate_linger(exchange->gate);
    settle(exchange);
    gate_phase(exchange->gate, GATE_HEAD, 0);
}

/* --- answering ---------------------------------------------------------------------- */

static const char *header(const struct exchange *exchange, const char *name)
{
    return MHD_lookup_connection_value(exchange->native, MHD_HEADER_KIND, name);
}

static enum MHD_Result send_answer(struct exchange *exchange)
{
    struct MHD_Response *answer = exchange->answer;
    size_t bytes = 0;
    if (exchange->ready != NULL) {
        answer = ready_choose(exchange->ready, header(exchange, "Accept-Encoding"),
                              header(exchange, "If-None-Match"), &exchange->status);
        bytes = exchange->ready->codings[IDENTITY].length;
    }
    if (answer == NULL)
        return MHD_NO;
    gate_phase(exchange->gate, GATE_REPLY, bytes);
    exchange->stage = STAGE_ANSWERED;
    return MHD_queue_response(exchange->native, (unsigned)exchange->status, answer);
}

/* In the first step, this closes the connection: what follows is never run. */
static enum MHD_Result refuse(struct exchange *exchange, int status)
{
    exchange->answer = answer_bare(status, true);
    exchange->status = status;
    exchange->close = true;
    return send_answer(exchange);
}

static enum MHD_Result busy(struct exchange *exchange)
{
    gate_phase(exchange->gate, GATE_REPLY, 0);
    return MHD_queue_response(exchange->native, 503, exchange->daemon->busy);
}

/* --- waiting for a worker ----------------------------------------------------------- */

static void resume(struct exchange *exchange)
{
    MHD_resume_connection(exchange->native);
}

static void push(struct exchange *exchange, bool beyond)
{
    pool_push(exchange->daemon->pool, &exchange->job, beyond);
}

static void wake(struct page_waiter *waiter, struct ready *ready,
                 struct page_flight *flight)
{
    struct exchange *exchange = (struct exchange *)waiter;
    exchange->ready = ready;
    exchange->flight = flight;
    if (ready != NULL)
        resume(exchange);
    else
        push(exchange, true);
}

/* Pages for everyone: not for those with a session, to whom they may look different. */
static bool shared_page(const struct exchange *exchange)
{
    const struct request *request = &exchange->request;
    return exchange->refusal == 0 && exchange->daemon->options.pages != NULL &&
           request->route != NULL && request->route->cache && request->method == GET &&
           (request->language_in_path || !request->route->localized) &&
           !exchange->daemon->draining && request_cookie(request, "labd") == NULL;
}

/* Hands the exchange to a worker, or to the rendering of the same page under way. */
static enum MHD_Result submit(struct exchange *exchange)
{
    struct pool *pool = exchange->daemon->pool;
    struct page_cache *pages = exchange->daemon->options.pages;
    const char *key = shared_page(exchange) ? query_page_key(&exchange->request) : NULL;
    if (key != NULL && (exchange->ready = page_cache_get(pages, key)) != NULL)
        return send_answer(exchange);
    if (!pool_reserve(pool))
        return busy(exchange);
    gate_phase(exchange->gate, GATE_WORK, 0);
    exchange->stage = STAGE_WAITING;
    exchange->suspended = true;
    atomic_fetch_add(&exchange->daemon->suspended, 1);
    exchange->waiter.wake = wake;
    MHD_suspend_connection(exchange->native); /* first: it may be resumed at once */
    enum page_join join = PAGE_APART;
    if (key != NULL)
        join = page_cache_join(pages, key, &exchange->waiter, &exchange->ready,
                               &exchange->flight);
    if (join == PAGE_READY || join == PAGE_WAIT)
        pool_unreserve(pool);
    if (join == PAGE_READY)
        resume(exchange);
    if (join == PAGE_RENDER || join == PAGE_APART)
        push(exchange, false);
    return MHD_YES;
}

void exchange_render(struct exchange *exchange, void *worker)
{
    struct request *request = &exchange->request;
    const struct daemon_options *options = &exchange->daemon->options;
    struct arena *before = arena_enter(request->arena);
    log_request(request->id);
    if (exchange->body != NULL && exchange->refusal == 0)
        exchange->refusal = body_finish(exchange->body);
    struct response response = {.arena = request->arena,
                                .status = exchange->refusal ? exchange->refusal : 200,
                                .type = "text/html; charset=utf-8",
                                .body = buf_on(request->arena)};
    if (exchange->allow != NULL)
        response_header(&response, "Allow", exchange->allow);
    enum result result = options->work(worker, request, &response, exchange->refusal);
    if (result != OK) {
        log_error("http.not_rendered", "result", result_name(result), "target",
                  request->path);
        response = (struct response){.arena = request->arena,
                                     .status = 500,
                                     .type = "text/plain",
                                     .body = buf_on(request->arena)};
        buf_print(&response.body, "500 %s\n", reason_phrase(500));
    }
    answer_make(exchange, &response);
    log_request(NULL);
    arena_enter(before);
    resume(exchange);
}

void exchange_cancel(struct exchange *exchange)
{
    if (exchange->flight != NULL)
        page_cache_land(exchange->daemon->options.pages, exchange->flight, NULL, 0,
                        false);
    exchange->flight = NULL;
    exchange->answer = answer_bare(503, true);
    exchange->status = 503;
    resume(exchange);
}

/* --- the first step ----------------------------------------------------------------- */

static enum method read_method(const char *name)
{
    static const char *const names[METHOD_COUNT] = {"GET", "POST", "PATCH", "DELETE"};
    int method = 0;
    while (method < METHOD_COUNT && strcmp(names[method], name) != 0)
        method++;
    return strcmp(name, "HEAD") == 0 ? GET : (enum method)method;
}

/* The address that the nearest proxy saw, when it is one of ours. */
static const char *peer(struct exchange *exchange)
{
    unsigned char address[16];
    const char *list = NULL;
    bool loopback =
        strncmp(exchange->peer, "127.", 4) == 0 || strcmp(exchange->peer, "::1") == 0;
    if (exchange->daemon->options.trust_proxy && loopback)
        list = request_header(&exchange->request, "X-Forwarded-For");
    if (list == NULL)
        return exchange->peer;
    const char *last = strrchr(list, ',');
    last = last != NULL ? last + 1 : list;
    last += strspn(last, " \t");
    if (inet_pton(AF_INET, last, address) == 1 || inet_pton(AF_INET6, last, address) == 1)
        return arena_string(exchange->request.arena, last);
    return exchange->peer;
}

static void fill_request(struct exchange *exchange, const char *method)
{
    struct daemon *daemon = exchange->daemon;
    struct arena *arena = daemon_take_arena(daemon);
    exchange->request = (struct request){
        .arena = arena,
        .id = arena_print(arena, "%08x%06x", daemon->salt,
                          atomic_fetch_add(&daemon->serial, 1) & 0xffffff),
        .method = read_method(method),
        .head = strcmp(method, "HEAD") == 0,
        .target = arena_string(arena, exchange->target),
        .path = "/",
        .native = exchange,
    };
    exchange->request.peer = peer(exchange);
}

/* Finds the route; a status: what is wrong with the target. */
static int route(struct exchange *exchange)
{
    struct request *request = &exchange->request;
    size_t length = strcspn(exchange->target, "?");
    char *path = arena_copy(request->arena, exchange->target, length);
    switch (
        router_match(exchange->daemon->options.router, request, path, &exchange->allow)) {
    case OK:
        break;
    case NOT_FOUND:
        exchange->refusal = 404;
        return 0;
    case DENIED:
        exchange->refusal = 405;
        return 0;
    case INVALID:
    case CONFLICT:
    case BUSY:
    case FAILED:
        return 400;
    }
    const char *query = exchange->target + length;
    return query_read(request, *query == '?' ? query + 1 : query) == OK ? 0 : 400;
}

struct announced {
    bool any;        /* there is a body, if only an empty one of some type */
    uint64_t length; /* 0 with chunks */
};

static struct announced announced_body(const struct exchange *exchange)
{
    const char *length = header(exchange, "Content-Length");
    bool chunked = header(exchange, "Transfer-Encoding") != NULL;
    uint64_t bytes = length != NULL ? strtoull(length, NULL, 10) : 0;
    bool typed = header(exchange, "Content-Type") != NULL;
    return (struct announced){chunked || typed || bytes > 0, bytes};
}

/* Makes ready for the body, or leaves a refusal. */
static void expect_body(struct exchange *exchange, struct announced announced)
{
    struct request *request = &exchange->request;
    const struct route *found = request->route;
    size_t limit =
        found != NULL && found->body_bytes > 0 ? found->body_bytes : BODY_BYTES_DEFAULT;
    exchange->limit = limit;
    gate_phase(exchange->gate, GATE_BODY, announced.any ? announced.length : 0);
    if (exchange->refusal == 0 && announced.length > limit)
        exchange->refusal = 413;
    if (exchange->refusal == 0 && announced.any && found != NULL &&
        request->method != GET)
        exchange->refusal = body_begin(&exchange->body, request,
                                       found->audience == TOKEN ? BODY_JSON : BODY_FORMS,
                                       header(exchange, "Content-Type"), limit);
}

static bool has_session(const struct exchange *exchange)
{
    const char *value;
    size_t length;
    const char *cookies = header(exchange, "Cookie");
    return cookies != NULL &&
           cookie_find(cookies, cookie_secure() ? "__Host-labd" : "labd", &value,
                       &length);
}

/* What can be sent as it is: found by the target as it was sent. */
static struct ready *find_ready(const struct exchange *exchange)
{
    const struct daemon_options *options = &exchange->daemon->options;
    if (options->statics != NULL) {
        struct ready *file = statics_find(options->statics, exchange->target);
        if (file != NULL)
            return file;
    }
    if (options->pages == NULL || exchange->daemon->draining || has_session(exchange))
        return NULL;
    return page_cache_get(options->pages, exchange->target);
}

static enum MHD_Result begin(struct exchange *exchange, const char *method)
{
    if (gate_heads(exchange->gate) == 0) {
        log_error("http.gate_passed_by");
        return refuse(exchange, 500);
    }
    struct announced announced = announced_body(exchange);
    exchange->stage = STAGE_READING;
    if (!announced.any && (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0) &&
        (exchange->ready = find_ready(exchange)) != NULL) {
        exchange->stage = STAGE_ANSWERED;
        return MHD_YES; /* answered in the next step: the connection stays open */
    }
    fill_request(exchange, method);
    int fault = route(exchange);
    if (fault != 0)
        return refuse(exchange, fault);
    expect_body(exchange, announced);
    if (exchange->refusal == 0 || !announced.any)
        return MHD_YES;
    exchange->close = true; /* refused before its body is read */
    return submit(exchange);
}

/* --- the body ----------------------------------------------------------------------- */

/* Long bodies share a limit, so that those who send many can't take all the memory. */
static int read_part(struct exchange *exchange, const char *bytes, size_t length)
{
    size_t before = counted(exchange->received);
    exchange->received += length;
    size_t more = counted(exchange->received) - before;
    if (atomic_fetch_add(&exchange->daemon->bodies, more) + more > BODIES_BYTES_MAX &&
        more > 0)
        return 503;
    struct arena *outer = arena_enter(exchange->request.arena);
    int status = body_feed(exchange->body, bytes, length);
    arena_enter(outer);
    return status;
}

static enum MHD_Result take_body(struct exchange *exchange, const char *bytes,
                                 size_t *length)
{
    size_t taken = *length;
    *length = 0;
    if (exchange->body != NULL && exchange->refusal == 0) {
        exchange->refusal = read_part(exchange, bytes, taken);
    } else {
        exchange->discarded += taken;
    }
    /* There is no answering in the middle of a body but through the gate. */
    if (exchange->refusal == 503)
        gate_refuse(exchange->gate, 503);
    else if (exchange->refusal == 413 || exchange->discarded > exchange->limit)
        gate_refuse(exchange->gate, 413);
    return MHD_YES;
}

enum MHD_Result exchange_step(struct exchange *exchange, const char *method,
                              const char *bytes, size_t *length)
{
    switch (exchange->stage) {
    case STAGE_NEW:
        return begin(exchange, method);
    case STAGE_READING:
        return *length > 0 ? take_body(exchange, bytes, length) : submit(exchange);
    case STAGE_WAITING:
    case STAGE_ANSWERED:
        break;
    }
    settle(exchange);
    return send_answer(exchange);
}
