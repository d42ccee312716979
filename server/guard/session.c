/* The session cookie: read, made, dropped. The rows are db/store/account's. */
#include "server/guard/session.h"

#include "db/store/account.h"
#include "db/store/file.h"
#include "server/guard/csrf.h"
#include "server/guard/token.h"

static const char cookie[] = "labd";
enum { COOKIE_SECONDS = 30 * 24 * 3600 };

const char *session_cookie(const struct request *request)
{
    const char *token = request_cookie(request, cookie);
    return token_shaped(token) ? token : NULL;
}

enum result guard_session_find(struct request *request)
{
    const char *token = session_cookie(request);
    request->account = NULL;
    if (!token)
        return OK;
    enum result result =
        session_find(&request->account, request->db, token_hash(request->arena, token));
    if (result == NOT_FOUND) {
        request->account = NULL;
        return OK;
    }
    return result;
}

enum result guard_sign_in(struct request *request, struct response *response,
                          json_int_t account_id)
{
    const char *old = session_cookie(request), *token = token_new(request->arena);
    TRY(session_create(request->db, account_id, token_hash(request->arena, token),
                       old ? token_hash(request->arena, old) : NULL,
                       token_hash(request->arena, csrf_of(request->arena, token))));
    TRY(session_sweep(request->db)); /* nothing else would ever drop what has expired */
    TRY(file_sweep(request->db));
    response_cookie(response, cookie, token, COOKIE_SECONDS);
    return OK;
}

enum result guard_sign_out(struct request *request, struct response *response)
{
    const char *token = session_cookie(request);
    if (token) {
        enum result result = session_end(request->db, token_hash(request->arena, token));
        if (result != OK && result != NOT_FOUND)
            return result;
    }
    request->account = NULL;
    response_cookie(response, cookie, "", 0);
    return OK;
}
