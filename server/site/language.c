/* Choosing the language; see language.h. */
#include "server/site/language.h"

#include "server/http/router.h"

#include <stdlib.h>
#include <string.h>

#define COOKIE "labd_language"
#define ONE_YEAR (365L * 24 * 60 * 60)

static bool known(const char *code, enum language *language)
{
    for (int i = 0; code != NULL && i < LANGUAGE_COUNT; i++)
        if (strcmp(code, language_codes[i]) == 0) {
            *language = (enum language)i;
            return true;
        }
    return false;
}

/* The weight that an Accept-Language value gives a language; ranges such as zh-Hans-CN
 * count for zh; the best one counts. -1: not named. */
static double weight(const char *accept, const char *code)
{
    double best = -1;
    while (*accept != '\0') {
        accept += strspn(accept, " \t,");
        size_t length = strcspn(accept, ",");
        size_t range = strcspn(accept, ",; \t");
        bool match = range >= 2 && strncasecmp(accept, code, 2) == 0 &&
                     (range == 2 || accept[2] == '-');
        const char *q = memchr(accept, ';', length);
        double value = 1;
        if (q != NULL) {
            q += 1 + strspn(q + 1, " \t");
            value = strncasecmp(q, "q=", 2) == 0 ? strtod(q + 2, NULL) : 0;
        }
        if (match && value > best)
            best = value;
        accept += length;
    }
    return best;
}

/* Is the page kept for everyone, under a target without a language prefix? */
static bool kept_for_all(const struct request *request)
{
    const struct route *route = request->route;
    return route != NULL && route->cache && !route->localized;
}

void language_choose(struct request *request, struct response *response)
{
    const char *target = request->target;
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        if (target[0] == '/' && strncmp(target + 1, language_codes[i], 2) == 0 &&
            strchr("/?", target[3]) != NULL) {
            request->language = (enum language)i;
            return;
        }
    bool asked = known(query_argument(request, "lang"), &request->language);
    if (kept_for_all(request)) {
        request->language = asked ? request->language : ENGLISH;
        return;
    }
    if (asked) {
        response_cookie(response, COOKIE, language_codes[request->language], ONE_YEAR);
        return;
    }
    if (known(request_cookie(request, COOKIE), &request->language))
        return;
    const char *accept = request_header(request, "Accept-Language");
    if (accept == NULL)
        accept = "";
    request->language = weight(accept, "zh") > weight(accept, "en") ? CHINESE : ENGLISH;
}

enum result language_redirect(struct request *request, struct response *response,
                              bool *answered)
{
    if (!request->route->localized || request->language_in_path)
        return OK;
    response_redirect(response,
                      arena_print(request->arena, "/%s%s",
                                  language_codes[request->language], request->target));
    response->status = 302;
    response_header(response, "Vary", "Accept-Language, Cookie");
    *answered = true;
    return OK;
}
