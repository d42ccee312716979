/* Works from files, text and identifiers: /my/imports and what is below. Members propose,
 * for admins it takes effect at once. */
#ifndef LABD_SITE_IMPORTS_H
#define LABD_SITE_IMPORTS_H

#include "server/http/router.h"

handler imports_new, imports_read, imports_show, imports_choose, imports_discard,
    imports_retry;

#endif
