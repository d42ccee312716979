/* /admin/health: what of the works lacks or looks wrong, each line leading to where it is
 * mended. */
#include "db/store/health.h"
#include "db/store/lookup.h"
#include "server/site/admin.h"
#include "server/site/flow.h"

#include <string.h>

enum { ROWS_OF_EACH = 10, ROWS_OF_ONE = 500 };

static json_t *found_by(json_t *found, const char *check)
{
    size_t index;
    json_t *row;
    json_array_foreach(found, index, row)
    {
        if (strcmp(text_at(row, "check", ""), check) == 0)
            return row;
    }
    return NULL;
}

/* One check, or NULL for what is none. */
static const char *wanted_check(const struct request *request)
{
    const char *name = query_argument(request, "check");
    for (size_t i = 0; name != NULL && health_checks[i] != NULL; i++)
        if (strcmp(name, health_checks[i]) == 0)
            return health_checks[i];
    return NULL;
}

/* In the order of the checks; what found nothing is not among them. */
static json_t *checks_of(json_t *found)
{
    json_t *checks = json_array();
    for (size_t i = 0; health_checks[i] != NULL; i++) {
        json_t *row = found_by(found, health_checks[i]);
        if (row == NULL)
            continue;
        size_t shown = json_array_size(json_object_get(row, "rows"));
        json_object_set_new(row, "more",
                            json_boolean((size_t)integer_at(row, "found") > shown));
        json_array_append(checks, row);
    }
    return checks;
}

enum result admin_health_show(struct request *request, struct response *response)
{
    json_t *found, *people = json_array(), *names = json_array(), *links = json_array();
    const char *check = wanted_check(request);
    TRY(health_of_works(&found, request->db, check, check ? ROWS_OF_ONE : ROWS_OF_EACH));
    if (check == NULL) {
        TRY(health_of_people(&people, request->db));
        TRY(health_of_names(&names, request->db));
        TRY(links_dead(&links, request->db));
    }
    json_t *checks = checks_of(found);
    bool well = json_array_size(checks) + json_array_size(people) +
                    json_array_size(names) + json_array_size(links) ==
                0;
    json_t *document =
        json_pack("{s:O, s:s?, s:b, s:b, s:b, s:b}", "checks", checks, "check", check,
                  "well", well, "has_people", json_array_size(people) > 0, "has_names",
                  json_array_size(names) > 0, "has_links", json_array_size(links) > 0);
    json_object_set(document, "people", people);
    json_object_set(document, "names", names);
    json_object_set(document, "links", links);
    return flow_page(request, response, "admin/health.html", document);
}
