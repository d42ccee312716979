/* Every URL of the program, one table per family. A route that names no audience is open
 * to nobody. */
#include "server/routes.h"

#include "server/api/api.h"
#include "server/site/admin.h"
#include "server/site/home.h"
#include "server/site/my.h"
#include "server/site/people.h"
#include "server/site/publications.h"
#include "server/site/ready.h"
#include "server/site/sign_in.h"

enum { MIB = 1024 * 1024 };

/* clang-format off */
static const struct route service_routes[] = {
    {GET,   "/healthz",                    ANYONE, healthz},
    {GET,   "/readyz",                     ANYONE, readyz},
    {0},
};

static const struct route public_routes[] = {
    {GET,   "/",                           PUBLIC, home_index, .localized = true, .cache = true},
    {GET,   "/people",                     PUBLIC, people_index, .localized = true, .cache = true},
    {GET,   "/people/:slug",               PUBLIC, people_show, .localized = true, .cache = true},
    {GET,   "/publications",               PUBLIC, publications_index, .localized = true,
                                           .cache = true, .arguments = "q kind person year after"},
    {GET,   "/publications/:slug",         PUBLIC, publications_show, .localized = true, .cache = true},
    {GET,   "/publications/:slug/bibtex",  PUBLIC, publications_show_bibtex, .cache = true},
    {GET,   "/publications.bib",           PUBLIC, publications_bibtex, .cache = true,
                                           .arguments = "q kind person year"},
    {0},
};

static const struct route api_routes[] = {
    {GET,   "/api/v1/people",              PUBLIC, api_person_index, .cache = true,
                                           .arguments = "role current after limit"},
    {GET,   "/api/v1/people/:slug",        PUBLIC, api_person_show, .cache = true},
    {POST,  "/api/v1/people",              TOKEN,  api_person_create, .body_bytes = MIB},
    {PATCH, "/api/v1/people/:slug",        TOKEN,  api_person_update, .body_bytes = MIB},
    {GET,   "/api/v1/publications",        PUBLIC, api_publication_index, .cache = true,
                                           .arguments = "kind year person q after limit"},
    {GET,   "/api/v1/publications/:slug",  PUBLIC, api_publication_show, .cache = true},
    {POST,  "/api/v1/publications",        TOKEN,  api_publication_create, .body_bytes = MIB},
    {PATCH, "/api/v1/publications/:slug",  TOKEN,  api_publication_update, .body_bytes = MIB},
    {GET,   "/api/v1/schema/:form",        PUBLIC, api_schema, .cache = true,
                                           .arguments = "lang"},
    {0},
};
/* clang-format on */

const struct route *const all_routes[] = {
    service_routes,      public_routes,         api_routes,         sign_in_routes,
    my_routes,           my_publication_routes, admin_routes,       admin_people_routes,
    admin_change_routes, admin_import_routes,   admin_token_routes, NULL,
};
