/* The daemon's side of the static files. */
#ifndef LABD_HTTP_STATIC_PRIVATE_H
#define LABD_HTTP_STATIC_PRIVATE_H

#include "server/http/ready.h"
#include "server/http/static.h"

/* The file of this target, with a reference for the caller, or NULL. */
struct ready *statics_find(struct statics *statics, const char *target);

#endif
