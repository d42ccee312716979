/* The home page. */
#ifndef LABD_SITE_HOME_H
#define LABD_SITE_HOME_H

#include "server/http/request.h"
#include "server/http/response.h"

MUST_USE enum result home_index(struct request *request, struct response *response);

#endif
