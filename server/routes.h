/* Every URL of the program. */
#ifndef LABD_ROUTES_H
#define LABD_ROUTES_H

#include "server/http/router.h"

/* NULL-terminated; each table ends with a route without pattern. */
extern const struct route *const all_routes[];

#endif
