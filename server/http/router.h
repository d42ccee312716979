/* Routes: what a URL means, who may ask, and with what. Closed by default. */
#ifndef LABD_HTTP_ROUTER_H
#define LABD_HTTP_ROUTER_H

#include "server/base/result.h"
#include "server/http/request.h"
#include "server/http/response.h"

enum audience {
    NOBODY, /* the zero value: a route that names nobody is open to nobody */
    PUBLIC, /* anyone; its queries may read the public_* views alone */
    ANYONE, /* anyone; may read accounts (signing in) */
    MEMBER, /* a signed-in account */
    ADMIN,  /* a signed-in admin */
    TOKEN   /* a bearer token; cookies are ignored */
};

typedef enum result handler(struct request *request, struct response *response);

struct route {
    enum method method;
    const char *pattern; /* "/people/:slug"; a parameter takes one non-empty segment */
    enum audience audience;
    handler *handler;
    bool localized; /* served under /en and /zh; the bare path redirects there */
    bool cache;     /* PUBLIC GET pages: kept in the page cache */
    /* Query arguments that a cached page knows, space-separated; others are ignored, so
     * that they neither change it nor fill the cache. Other routes are given all. */
    const char *arguments;
    size_t body_bytes;  /* limit of the body; 0: 512 KiB */
    bool keyed;         /* its path holds the secret that allows it: programs may post it,
                           which have neither cookie nor form (RFC 8058) */
    const char *entity; /* what it writes, for handlers of any entity; else NULL */
};

struct router;

/* Compiles the NULL-terminated list of tables (each ended by a route without pattern). */
struct router *router_new(struct arena *arena, const struct route *const *tables);

/* Finds the route of method and raw (still encoded) path; fills request->path, language,
 * language_in_path, params and route. NOT_FOUND: no such path; DENIED: the path is known
 * but not with this method, `allow` then holds the Allow field value; INVALID: the path
 * is not percent-encoded UTF-8, or has NUL, control characters, an encoded slash or dot
 * segments. */
MUST_USE enum result router_match(const struct router *router, struct request *request,
                                  const char *raw_path, const char **allow);

#endif
