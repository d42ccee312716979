/* One request's life on a worker. */
#ifndef LABD_DISPATCH_H
#define LABD_DISPATCH_H

#include "server/http/request.h"
#include "server/http/response.h"

/* The daemon's `work`: `db` is the worker's connection; `refusal` as in http/daemon.h. */
MUST_USE enum result dispatch(void *db, struct request *request,
                              struct response *response, int refusal);

#endif
