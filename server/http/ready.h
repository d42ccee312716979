/* An answer that is ready to send: one body in up to three codings, each with its entity
 * tag and its 304, shared by any number of requests at once. */
#ifndef LABD_HTTP_READY_H
#define LABD_HTTP_READY_H

#include "server/http/coding.h"
#include "server/http/headers.h"

#include <stdatomic.h>

struct MHD_Response;

struct ready {
    atomic_int references;
    size_t bytes; /* memory it takes */
    struct {
        struct MHD_Response *full, *not_modified; /* NULL: not in this coding */
        char etag[ETAG_SIZE];
        size_t length;
    } codings[CODING_COUNT];
};

/* Copies `bytes`. `version` is as for etag_make(). `fields` (ended by a NULL name) are
 * added to the security fields, of which they replace those of the same name. `effort`: 0
 * for no compression, else zlib's and brotli's. NULL: no memory. Has one reference. */
struct ready *ready_new(int version, const char *bytes, size_t length,
                        const struct field *fields, int effort);
struct ready *ready_hold(struct ready *ready);
void ready_release(struct ready *ready); /* NULL is allowed */

/* The response for a client that sent these fields (each may be NULL), and its status:
 * 200 or 304. Lives as long as `ready`. */
struct MHD_Response *ready_choose(const struct ready *ready, const char *accept_encoding,
                                  const char *if_none_match, int *status);

/* Adds the security fields but those that `fields` replace, then `fields`. */
void ready_fields(struct MHD_Response *response, const struct field *fields);

#endif
