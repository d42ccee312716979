/* What a supervisor or a balancer asks. */
#ifndef LABD_SITE_READY_H
#define LABD_SITE_READY_H

#include "server/http/router.h"

struct daemon;

/* Whose draining makes /readyz say no. */
void ready_watch(const struct daemon *daemon);

handler healthz; /* 200: the process answers */
handler readyz;  /* 200: and it reaches the database and is not stopping; else 503 */

#endif
