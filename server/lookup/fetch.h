/* One request over HTTP to somebody else's server, by libcurl. It follows no redirect,
 * speaks to no private address (judged when the connection is made, so that no name can
 * lead there), takes five seconds and a mebibyte at most, and keeps nothing between two.
 */
#ifndef LABD_LOOKUP_FETCH_H
#define LABD_LOOKUP_FETCH_H

#include "server/base/result.h"
#include "server/base/slice.h"

#include <stdbool.h>

struct fetch {
    const char *url;     /* http or https */
    const char *accept;  /* media type; NULL: any */
    const char *etag;    /* of what is here already; NULL: nothing */
    bool head;           /* its existence alone is asked for */
    bool private;        /* private addresses are fine: the lab itself names the host */
    const char *contact; /* for User-Agent: an address, or NULL */
    bool (*stopping)(void *data); /* NULL: never */
    void *data;
};

struct fetched {
    int status;        /* of HTTP; redirects come as they are */
    struct slice body; /* on the current arena */
    const char *etag;  /* or NULL */
    int retry_after;   /* seconds; 0: it did not say */
    const char *error; /* FAILED: "host" (its name is unknown), "refused", "timeout",
                          "tls", "private", "too_large", "broken" */
};

/* OK: there is an answer, whatever it says. FAILED: there is none. */
MUST_USE enum result fetch_get(struct fetched *fetched, const struct fetch *fetch);

/* Does the address name a machine of this host or of a private network by number? */
bool fetch_is_private(const char *url);

#endif
