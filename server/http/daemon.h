/* The HTTP server: event threads that check, read and answer, and workers that render.
 *
 * A request that is well formed is routed, its body read and parsed, and then one of
 * - a static file or a page of the cache: answered on the event thread;
 * - anything else: a worker calls `work` with the request and an empty response.
 * What is refused for its framing or syntax (RFC 9112) never reaches a worker: it gets a
 * bare status and a closed connection. What a person may cause is explained by `work`,
 * see below. */
#ifndef LABD_HTTP_DAEMON_H
#define LABD_HTTP_DAEMON_H

#include "server/base/config.h"
#include "server/http/page_cache.h"
#include "server/http/router.h"
#include "server/http/static.h"

struct daemon_options {
    const char *host; /* numeric address to listen on */
    int port;         /* 0: any free one */
    int threads, workers, queue, connections;
    int head_seconds, body_seconds, reply_seconds, drain_seconds;
    bool trust_proxy;
    const struct router *router;
    struct page_cache *pages; /* NULL: none; not freed */
    struct statics *statics;  /* NULL: none; not freed */

    /* Renders one answer, on a worker. `refusal` is 0 for a routed request with a good
     * body; otherwise a status to be explained, already in response->status, with its
     * fields (Allow) set: 404, 405, 400, 413, 415; request->route is NULL for the first
     * two, and there is no body to read. A result that is not OK makes a bare 500. */
    enum result (*work)(void *worker, struct request *request, struct response *response,
                        int refusal);
    void *context;
    /* On each worker's own thread, before its first request (what it returns is `worker`
     * above) and after its last. May be NULL. */
    void *(*worker_start)(void *context);
    void (*worker_stop)(void *worker);
};

/* The numbers and addresses of `config`; the rest is zero. */
struct daemon_options daemon_options(const struct config *config);

struct daemon;

/* Listens and serves. FAILED (logged): the address is taken, or no descriptors. */
MUST_USE enum result daemon_start(struct daemon **daemon,
                                  const struct daemon_options *options);
int daemon_port(const struct daemon *daemon);

/* Requests at a worker or waiting for one. Safe from any thread. */
int daemon_pending(const struct daemon *daemon);
/* Is the server stopping? For /readyz. Safe from any thread. */
bool daemon_draining(const struct daemon *daemon);

/* Stops accepting, lets every running and waiting request finish and closes connections
 * as they become idle; after drain_seconds the waiting ones get 503. Then frees all.
 * BUSY: a handler is still running; nothing was freed and the process should exit. */
MUST_USE enum result daemon_stop(struct daemon *daemon);

#endif
