/* Request bodies, parsed while they arrive in pieces of any size. */
#ifndef LABD_HTTP_BODY_H
#define LABD_HTTP_BODY_H

#include "server/base/result.h"
#include "server/http/request.h"

enum {
    BODY_FIELDS_MAX = 1000,
    BODY_NAME_MAX = 200,              /* bytes of a field's name */
    BODY_VALUES_MAX = 1024 * 1024,    /* bytes of all fields' values together */
    BODY_SPOOL_BYTES = 256 * 1024,    /* of a file that stay in memory */
    BODY_BYTES_DEFAULT = 512 * 1024,  /* limit of a route that names none */
    BODY_PART_HEADERS_MAX = 8 * 1024, /* of a multipart part */
    BODY_JSON_DEPTH_MAX = 32,
    BODY_JSON_VALUES_MAX = 50 * 1000, /* an empty object takes a hundred times its text */
    BODY_SMALL = 64 * 1024, /* bodies up to here are always read; beyond, all ... */
    BODIES_BYTES_MAX = 64 * 1024 * 1024 /* ... that are under way share this */
};

struct body;

enum body_kind {
    BODY_FORMS, /* application/x-www-form-urlencoded, multipart/form-data */
    BODY_JSON   /* application/json: one object */
};

/* All functions below return 0, or the status to refuse the request with: 400 malformed,
 * 413 too much, 415 another content type than `kind`. jansson values are made on
 * request->arena. */

/* `type`: the Content-Type field, may be NULL. */
MUST_USE int body_begin(struct body **body, struct request *request, enum body_kind kind,
                        const char *type, size_t limit);
MUST_USE int body_feed(struct body *body, const char *bytes, size_t length);
/* Fills request->fields or json, and uploads. */
MUST_USE int body_finish(struct body *body);
/* Gives back mapped files; the uploads' bytes are gone. NULL is allowed. */
void body_release(struct body *body);

#endif
