/* The two questions that a forged request cannot answer: a token that only our own page
 * could show, and the place where the browser says it comes from. */
#include "server/guard/csrf.h"

#include "server/base/config.h"
#include "server/base/log.h"
#include "server/guard/session.h"
#include "server/guard/token.h"

#include <string.h>
#include <strings.h>

static const char form_cookie[] = "labd_form";
enum { FORM_COOKIE_SECONDS = 12 * 3600 };

static const char *form_secret(const struct request *request)
{
    const char *secret = request_cookie(request, form_cookie);
    return token_shaped(secret) ? secret : NULL;
}

static const char *secret_of(const struct request *request)
{
    return request->account ? session_cookie(request) : form_secret(request);
}

const char *csrf_of(struct arena *arena, const char *secret)
{
    return token_derive(arena, secret, "labd csrf");
}

const char *csrf_token(const struct request *request)
{
    const char *secret = secret_of(request);
    return token_shaped(secret) ? csrf_of(request->arena, secret) : "";
}

const char *csrf_token_new(const struct request *request, struct response *response)
{
    const char *token = csrf_token(request);
    if (*token)
        return token;
    const char *secret = token_new(request->arena);
    response_cookie(response, form_cookie, secret, FORM_COOKIE_SECONDS);
    return csrf_of(request->arena, secret);
}

/* The part of a URL before its path, without the scheme's own port. */
static const char *origin_of(struct arena *arena, const char *url)
{
    const char *host = strstr(url, "://");
    if (!host)
        return "";
    size_t length = (size_t)(host - url) + 3 + strcspn(host + 3, "/?#");
    char *origin = arena_copy(arena, url, length);
    const char *port = strncasecmp(origin, "https:", 6) == 0 ? ":443" : ":80";
    size_t tail = strlen(port);
    if (length > tail && strcmp(origin + length - tail, port) == 0)
        origin[length - tail] = '\0';
    return origin;
}

const char *site_origin(const struct request *request)
{
    if (*config.base_url)
        return origin_of(request->arena, config.base_url);
    const char *host = request_header(request, "Host");
    return origin_of(request->arena,
                     arena_print(request->arena, "http://%s", host ? host : ""));
}

/* NULL when the request comes from a page of this site, else what is wrong. */
static const char *origin_fault(const struct request *request)
{
    const char *ours = site_origin(request);
    const char *origin = request_header(request, "Origin");
    if (origin && strcmp(origin, "null") != 0)
        return strcasecmp(origin, ours) == 0 ? NULL : "origin";
    const char *referer = request_header(request, "Referer");
    if (referer)
        return strcasecmp(origin_of(request->arena, referer), ours) == 0 ? NULL
                                                                         : "referer";
    const char *site = request_header(request, "Sec-Fetch-Site");
    if (site)
        return strcmp(site, "same-origin") == 0 ? NULL : "sec_fetch_site";
    /* A page with Referrer-Policy: no-referrer posts Origin: null (Fetch, "append a
     * request Origin header"), over plain http without Sec-Fetch-Site; its token decides.
     */
    return origin ? NULL : "no_origin";
}

bool csrf_own_page(const struct request *request)
{
    return origin_fault(request) == NULL;
}

enum result csrf_check(const struct request *request)
{
    const char *fault = origin_fault(request);
    const char *sent = field(request, "csrf"), *right = csrf_token(request);
    if (!fault && !*right)
        fault = "no_cookie";
    if (!fault && (!sent || !token_equal(sent, right)))
        fault = "token";
    if (!fault)
        return OK;
    log_warning("guard.forged", "fault", fault, "peer", request->peer);
    return DENIED;
}
