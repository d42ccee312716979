/* A member's own pages: /my and what is below. */
#ifndef LABD_SITE_MY_H
#define LABD_SITE_MY_H

#include "server/http/router.h"

extern const struct route my_routes[];
extern const struct route my_publication_routes[];

#endif
