/* The JSON side of the pages: /api/v1/. Reading is open and shows what the public pages
 * show; writing takes a bearer token and goes through the one door of change.h. */
#ifndef LABD_API_API_H
#define LABD_API_API_H

#include "server/http/router.h"

handler api_publication_index, api_publication_show;
handler api_person_index, api_person_show;
handler api_create, api_update; /* of the entity that the route names */
handler api_schema;

#endif
