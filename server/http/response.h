/* The answer being made. Everything in it lives on the request's arena. */
#ifndef LABD_HTTP_RESPONSE_H
#define LABD_HTTP_RESPONSE_H

#include "server/base/buf.h"
#include "server/base/result.h"

#include <stdbool.h>
#include <stdint.h>

enum { RESPONSE_HEADERS_MAX = 24 };

struct response {
    struct arena *arena;
    int status;       /* 200 at first */
    const char *type; /* Content-Type; "text/html; charset=utf-8" at first */
    struct buf body;
    bool has_file; /* the body is the whole of the open file `file`, in place of `body`;
                      the answer closes it */
    int file;
    int version; /* of the document that it shows, for its entity tag; 0: it has none */
    struct {
        const char *name, *value;
    } headers[RESPONSE_HEADERS_MAX];
    int header_count;
    bool cacheable;  /* may go into the page cache (set by dispatch for .cache routes) */
    uint64_t tables; /* bits of the tables that were read for it */
    bool close;      /* close the connection after it */
};

/* Adds a field; a value with control characters is dropped and logged (never sent). */
void response_header(struct response *response, const char *name, const char *value);
/* 303 See Other to a path of ours, which may be written as it is read: what no URI holds
 * (RFC 3986 appendix A) is percent-encoded, what is encoded stays. */
void response_redirect(struct response *response, const char *location);
/* Set-Cookie with Path=/, HttpOnly, SameSite=Lax, and Secure with the __Host- prefix when
 * the site is served by https; max_age in seconds, 0 deletes, -1 for the browser's
 * session. */
void response_cookie(struct response *response, const char *name, const char *value,
                     long max_age);

#endif
