/* Fields that every answer carries, refusals and static files included. */
#ifndef LABD_HTTP_HEADERS_H
#define LABD_HTTP_HEADERS_H

#include <stddef.h>

struct field {
    const char *name, *value;
};

/* The security fields; ends with a NULL name. HSTS is among them when the site is served
 * by https. */
const struct field *security_fields(void);

/* "Not Found" for 404; "Unknown" for what is not registered. */
const char *reason_phrase(int status);

/* A whole answer for the wire: status, fields, a one-line body; the connection closes
 * after it. Returns its length. */
size_t bare_answer(char *out, size_t size, int status);

#endif
