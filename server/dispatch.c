/* One request's life, written out. The daemon has checked its bytes, found its route and
 * read its body; pages of the cache never come here. */
#include "server/dispatch.h"

#include "db/connection.h"
#include "server/api/problem.h"
#include "server/base/log.h"
#include "server/guard/audience.h"
#include "server/http/router.h"
#include "server/site/error.h"
#include "server/site/language.h"

#include <string.h>

static enum result answer(struct request *request, struct response *response)
{
    bool answered = false;
    TRY(language_redirect(request, response, &answered));
    if (!answered)
        TRY(guard_admit(request, response, &answered));
    if (answered)
        return OK;
    db_public_only(request->db, request->route->audience == PUBLIC);
    return request->route->handler(request, response);
}

enum result dispatch(void *db, struct request *request, struct response *response,
                     int refusal)
{
    struct arena *before = arena_enter(request->arena);
    request->db = db;
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
    log_request(NULL);
    arena_enter(before);
    return result;
}
