/* Results become statuses and statuses become pages; see error.h. */
#include "server/site/error.h"

#include "server/base/config.h"
#include "server/base/log.h"
#include "server/site/page.h"
#include "server/site/site.h"
#include "server/view/view.h"

#include <string.h>

int error_status(enum result result, int status)
{
    if (status >= 400)
        return status; /* whoever answered knew better */
    switch (result) {
    case OK:
        return status;
    case NOT_FOUND:
        return 404;
    case INVALID:
        return 422;
    case CONFLICT:
        return 409;
    case DENIED:
        return 403;
    case BUSY:
        return 503;
    case FAILED:
        return 500;
    }
    return 500;
}

/* The status whose words explain `status`: its own, where the catalogs have them. */
static int worded(int status)
{
    static const int own[] = {400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i] == status)
            return status;
    return status < 500 ? 400 : 500;
}

/* Without the database or with a broken layout there is still an answer: one that needs
 * neither. */
static void bare_page(struct request *request, struct response *response)
{
    const char *problem =
        config.development ? view_problem(site.view, request->arena) : NULL;
    const char *title = view_message(site.view, request->language, "error_page.bare");
    response->body = buf_on(request->arena);
    response->type = "text/plain; charset=utf-8";
    buf_print(&response->body, "%d %s\n%s\n", response->status, title, request->id);
    if (problem != NULL)
        buf_print(&response->body, "\n%s\n", problem);
}

enum result error_page(struct request *request, struct response *response,
                       enum result result)
{
    response->status = error_status(result, response->status);
    response->body = buf_on(request->arena);
    if (response->status == 503)
        response_header(response, "Retry-After", "5");
    const char *problem =
        config.development ? view_problem(site.view, request->arena) : NULL;
    json_t *document = json_object();
    json_object_set_new(document, "status", json_integer(response->status));
    json_object_set_new(document, "words", json_integer(worded(response->status)));
    json_object_set_new(document, "problem",
                        problem != NULL ? json_string(problem) : json_null());
    json_object_set_new(document, "noindex", json_true());
    if (response->status == 503 ||
        page(request, response, "error/show.html", document) != OK)
        bare_page(request, response);
    return OK;
}
