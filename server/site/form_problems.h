/* What keeps a form from being published, in words. */
#ifndef LABD_SITE_FORM_PROBLEMS_H
#define LABD_SITE_FORM_PROBLEMS_H

#include "server/http/request.h"

/* For templates/partials/form_problems.html: null, or {count, list: [{word, label,
 * number, detail, href, name (the path of the field) or null, section}]}, `base` being
 * the path of the builder. Words are {{t.builder.problem.*word}}. */
json_t *form_problem_list(const struct request *request, const char *base,
                          json_t *definition);

#endif
