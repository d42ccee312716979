/* Attempts counted in the table `rate`, for all instances together. */
#ifndef LABD_GUARD_RATE_LIMIT_H
#define LABD_GUARD_RATE_LIMIT_H

#include "server/http/request.h"
#include "server/http/response.h"

struct rate_rule {
    const char *name; /* first part of the key */
    int attempts;     /* allowed ... */
    int seconds;      /* ... in this time after the first */
    bool everywhere;  /* from all peers together */
};

extern const struct rate_rule rate_sign_in; /* of one address from one peer */
extern const struct rate_rule rate_peer;    /* sign-in attempts from one peer */
extern const struct rate_rule rate_link;    /* link redemptions from one peer */
extern const struct rate_rule rate_mail;    /* mails to one address, whoever asks */
extern const struct rate_rule rate_mailer;  /* mails that one peer asks for */

/* Where a peer is to be counted: whoever has one address of IPv6 has the /64 around it
 * (RFC 6177), an address of IPv4 stands for itself. */
const char *rate_network(struct arena *arena, const char *peer);

/* Counts one attempt of the request's peer under the rule and `subject` (any text, kept
 * hashed, or NULL). Beyond the limit: BUSY, with response->status 429 and Retry-After
 * set. */
MUST_USE enum result rate_count(struct request *request, struct response *response,
                                const struct rate_rule *rule, const char *subject);
/* Takes one attempt back: it was no guess, for it succeeded or was not looked at. */
MUST_USE enum result rate_uncount(struct request *request, const struct rate_rule *rule,
                                  const char *subject);
/* Forgets the attempts: after a success. */
MUST_USE enum result rate_forget(struct request *request, const struct rate_rule *rule,
                                 const char *subject);

#endif
