/* What a message that came back is about: a delivery status notification (RFC 3464), or
 * a plain one of a mail system that quotes ours. Everything in it may be forged or
 * broken; a Message-ID of ours can't be guessed. */
#ifndef LABD_MAIL_BOUNCE_H
#define LABD_MAIL_BOUNCE_H

#include "server/base/slice.h"

enum bounce_kind {
    BOUNCE_NONE, /* not about a mail of ours, or no bounce: an answer, a vacation note */
    BOUNCE_DELAYED, /* not there yet: its server goes on trying */
    BOUNCE_FAILED
};

enum { BOUNCE_BYTES = 1024 * 1024 }; /* that are looked at */

struct bounce {
    enum bounce_kind kind;
    const char *message_id; /* ours, without < >; "" when there is none */
    const char *words;      /* "5.1.1 smtp; 550 no such user": one line, UTF-8; or "" */
};

/* Never fails; memory is the current arena's. */
struct bounce bounce_read(struct slice message);

#endif
