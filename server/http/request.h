/* One request, as everything behind the daemon sees it: checked, decoded once, on its
 * arena. */
#ifndef LABD_HTTP_REQUEST_H
#define LABD_HTTP_REQUEST_H

#include "server/base/arena.h"
#include "server/base/language.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;
struct route;

enum method { GET, POST, PATCH, DELETE, METHOD_COUNT }; /* HEAD arrives as GET */

/* A file of a multipart body. Its bytes may be anything. */
struct upload {
    const char *name;     /* of the form field */
    const char *filename; /* as sent, base name only; for display */
    const char *type;     /* as claimed */
    const char
        *data; /* in memory or mapped from the spool; lives as long as the request */
    size_t length;
    struct upload *next;
};

struct request {
    struct arena *arena;
    const char *id; /* for logs and error pages */
    enum method method;
    bool head;              /* the method on the wire was HEAD */
    const char *target;     /* as sent, path and query */
    const char *path;       /* decoded, without the language prefix: "/people/xiao-lin" */
    enum language language; /* of the answer */
    bool language_in_path;  /* the path began with /en or /zh */
    const struct route *route; /* NULL until routed */
    json_t *params;            /* {"slug": "xiao-lin"} from the route's pattern */
    json_t *query;             /* {"year": "2024"}: each argument once, else 400 */
    json_t *fields;            /* urlencoded or multipart body: {"name": ["value", ...]};
                                  an upload appears as {"filename", "size"} in place of the
                                  string; NULL without such a body */
    json_t *json;              /* application/json body; NULL without one */
    struct upload *uploads;
    const char *peer; /* numeric client address; the proxy's word when trusted */
    struct db *db;    /* the worker's connection */
    json_t *account;  /* who is signed in: see guard/session.h; NULL: nobody */
    void *native;     /* the daemon's */
};

/* A head field's value (field name in any case; several are joined by ", ", RFC
 * 9110 5.3), or NULL. */
const char *request_header(const struct request *request, const char *name);
/* A cookie's value (RFC 6265), or NULL. */
const char *request_cookie(const struct request *request, const char *name);
/* Route parameter; the route has it, so never NULL. */
const char *param(const struct request *request, const char *name);
/* Query argument, or NULL. */
const char *query_argument(const struct request *request, const char *name);
/* First value of a body field, or NULL. */
const char *field(const struct request *request, const char *name);
const struct upload *request_upload(const struct request *request, const char *name);

#endif
