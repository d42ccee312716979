/* One request's life, written out. The daemon has checked its bytes, found its route and
 * read its body; pages of the cache never come here. */
#include "server/dispatch.h"

#include "db/connection.h"
#include "server/api/problem.h"
#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/guard/audience.h"
#include "server/http/router.h"
#include "server/site/error.h"
#include "server/site/held.h"
#include "server/site/language.h"

/* One line a request. The route stands for the path, which may hold a token; what a
 * visitor reads is told only when wanted. */
static void log_answer(const struct request *request, const struct response *response,
                       int64_t began)
{
    static const char *const methods[METHOD_COUNT + 1] = {"GET", "POST", "PATCH",
                                                          "DELETE", "other"};
    const struct route *route = request->route;
    enum log_level level = response->status >= 500                      ? LOG_WARNING
                           : route == NULL || route->audience == PUBLIC ? LOG_DEBUG
                                                                        : LOG_INFO;
    log_write(level, "request", "method", methods[request->method], "route",
              route != NULL ? route->pattern : NULL, "status", NUM(response->status),
              "us", NUM(clock_us() - began), NULL);
}

static enum result answer(struct request *request, struct response *response)
{
    bool answered = false;
    TRY(language_redirect(request, response, &answered));
    if (answered)
        return OK;
    enum result admitted = guard_admit(request, response, &answered);
    if (admitted == DENIED) /* what was typed is kept for its writer */
        return held_answer(request, response);
    TRY(admitted);
    if (answered)
        return OK;
    db_public_only(request->db, request->route->audience == PUBLIC);
    TRY(request->route->handler(request, response));
    return held_settle(request, response);
}

enum result dispatch(void *db, struct request *request, struct response *response,
                     int refusal)
{
    int64_t began = clock_us();
    struct arena *before = arena_enter(request->arena);
    request->db = db;
    request->db->peer = request->peer;
    log_request(request->id);
    db_public_only(request->db, false);
    db_reads_reset(request->db);
    language_choose(request, response);

    enum result result = OK;
    if (refusal == 0)
        result = answer(request, response);
    if (refusal != 0 || result != OK) {
        db_public_only(request->db, false);
        result = api_request(request) ? api_problem(request, response, result)
                                      : error_page(request, response, result);
    }
    response->tables = request->db->reads;
    response->cacheable = response->status == 200 && request->route != NULL &&
                          request->route->cache && request->account == NULL;
    log_answer(request, response, began);
    log_request(NULL);
    request->db->peer = NULL;
    arena_enter(before);
    return result;
}
