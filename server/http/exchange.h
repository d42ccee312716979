/* One request and its answer inside the daemon, from the first byte to the last. A
 * connection has one exchange after another in the same place.
 *
 *   NEW -> READING -> WAITING -> ANSWERED     a worker renders
 *   NEW -> ANSWERED                           a static file, a cached page
 *
 * WAITING exchanges are suspended in libmicrohttpd; all other work is on the event
 * thread of the connection. */
#ifndef LABD_HTTP_EXCHANGE_H
#define LABD_HTTP_EXCHANGE_H

#include "server/http/body.h"
#include "server/http/daemon.h"
#include "server/http/gate.h"
#include "server/http/head.h"
#include "server/http/page_flight.h"
#include "server/http/pool.h"
#include "server/http/ready.h"

#include <microhttpd.h>
#include <pthread.h>

enum stage { STAGE_NEW, STAGE_READING, STAGE_WAITING, STAGE_ANSWERED };

struct exchange {
    struct page_waiter waiter; /* first: woken as an exchange */
    struct job job;
    struct daemon *daemon;
    struct gate *gate;
    struct MHD_Connection *native;
    enum stage stage;
    bool close;     /* the body stays unread: close after the answer */
    bool suspended; /* counted in daemon->suspended */
    int refusal;    /* see daemon_options.work */
    const char *allow;
    size_t limit;      /* of the body */
    size_t discarded;  /* bytes of a body that nobody wants */
    size_t received;   /* of one that is read; beyond BODY_SMALL counted in the daemon */
    struct body *body; /* NULL: none wanted */
    struct request request;
    struct page_flight *flight;
    struct ready *ready;         /* the answer, shared ... */
    struct MHD_Response *answer; /* ... or its own */
    int status;
    char peer[48];
    char target[HEAD_TARGET_MAX + 1]; /* as sent */
};

enum { ARENAS_KEPT = 32 };

/* The daemon as exchanges see it. */
struct daemon {
    struct daemon_options options;
    struct MHD_Daemon *native;
    struct gates *gates;
    struct pool *pool;
    int listening, port;
    atomic_size_t bodies; /* bytes of long bodies under way */
    atomic_int suspended; /* exchanges that the library may still hold suspended */
    pthread_mutex_t arenas_lock;
    struct arena *arenas[ARENAS_KEPT];
    int arenas_kept;
    atomic_bool draining;
    atomic_uint serial; /* of request ids */
    uint32_t salt;
    struct MHD_Response *busy; /* 503 */
};

struct arena *daemon_take_arena(struct daemon *daemon);
void daemon_give_arena(struct daemon *daemon, struct arena *arena);

/* A new request starts on this connection. */
void exchange_start(struct exchange *exchange, const char *target);
/* libmicrohttpd's access handler. */
enum MHD_Result exchange_step(struct exchange *exchange, const char *method,
                              const char *bytes, size_t *length);
/* The answer is sent, or the connection gone. */
void exchange_end(struct exchange *exchange);

/* On a worker: renders the answer and resumes. */
void exchange_render(struct exchange *exchange, void *worker);
/* A waiting exchange is given up: 503, resumes. */
void exchange_cancel(struct exchange *exchange);

/* answer.c: makes exchange->ready or exchange->answer of what was rendered. */
void answer_make(struct exchange *exchange, struct response *response);
/* A bare answer with the security fields. */
struct MHD_Response *answer_bare(int status, bool close);

#endif
