/* The organiser's pages: /admin/collections and what is below, but for the board, the
 * form builder, the pilot's page and the export. */
#ifndef LABD_SITE_ADMIN_COLLECTIONS_H
#define LABD_SITE_ADMIN_COLLECTIONS_H

#include "server/http/router.h"

extern const struct route collection_routes[];

#endif
