/* The gate. A route opens to those that it names; everything else stays closed. */
#include "server/guard/audience.h"

#include "db/store/account.h"
#include "server/base/log.h"
#include "server/base/percent.h"
#include "server/guard/csrf.h"
#include "server/guard/next.h"
#include "server/guard/session.h"
#include "server/guard/token.h"

#include <string.h>
#include <strings.h>

static enum result refuse(struct response *response, int status)
{
    response->status = status;
    return DENIED;
}

/* RFC 6750 2.1 and 3. */
static enum result admit_bearer(struct request *request, struct response *response)
{
    const char *credentials = request_header(request, "Authorization");
    enum result result = NOT_FOUND;
    request->account = NULL;
    if (credentials && strncasecmp(credentials, "Bearer ", 7) == 0) {
        const char *token = credentials + 7 + strspn(credentials + 7, " ");
        if (token_shaped(token))
            result = token_find(&request->account, request->db,
                                token_hash(request->arena, token));
    }
    if (result != NOT_FOUND)
        return result;
    request->account = NULL;
    response_header(response, "WWW-Authenticate",
                    credentials ? "Bearer realm=\"labd\", error=\"invalid_token\""
                                : "Bearer realm=\"labd\"");
    return refuse(response, 401);
}

/* A page is asked for again after signing in; what was posted can't be. */
static enum result send_to_sign_in(struct request *request, struct response *response,
                                   bool *answered)
{
    if (request->method != GET)
        return refuse(response, 401);
    const char *next = next_path(request->target, "/my");
    struct buf url = buf_on(request->arena);
    buf_string(&url, "/sign-in?next=");
    percent_encode(&url, next, strlen(next), true);
    response_redirect(response, url.data);
    response_header(response, "Cache-Control", "private, no-store");
    *answered = true;
    return OK;
}

static enum result check_forgery(const struct request *request, struct response *response)
{
    if (request->method == GET || request->route->keyed || csrf_check(request) == OK)
        return OK;
    return refuse(response, 403);
}

enum result guard_admit(struct request *request, struct response *response,
                        bool *answered)
{
    enum audience audience = request->route->audience;
    *answered = false;
    if (audience == TOKEN)
        return admit_bearer(request, response);
    if (audience == NOBODY)
        return refuse(response, 403);
    TRY(guard_session_find(request));
    if ((audience == MEMBER || audience == ADMIN) && !request->account)
        return send_to_sign_in(request, response, answered);
    TRY(check_forgery(request, response));
    if (audience == ADMIN && !json_is_true(json_object_get(request->account, "admin")))
        return NOT_FOUND;
    return OK;
}
