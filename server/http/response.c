/* What handlers add to an answer; see response.h. */
#include "server/http/response.h"

#include "server/base/log.h"
#include "server/base/percent.h"
#include "server/http/cookie.h"

/* RFC 9110 5.5: visible characters, spaces, tabs, and the bytes of UTF-8. */
static bool sendable(const char *value)
{
    for (const char *c = value; *c != '\0'; c++)
        if (((unsigned char)*c < 0x20 && *c != '\t') || *c == 0x7f)
            return false;
    return *value != '\0';
}

void response_header(struct response *response, const char *name, const char *value)
{
    if (!sendable(value) || response->header_count == RESPONSE_HEADERS_MAX) {
        log_error("response.header_dropped", "name", name);
        return;
    }
    response->headers[response->header_count].name = arena_string(response->arena, name);
    response->headers[response->header_count].value =
        arena_string(response->arena, value);
    response->header_count++;
}

void response_redirect(struct response *response, const char *location)
{
    response->status = 303;
    response->cacheable = false;
    struct buf uri = buf_on(response->arena);
    for (const char *c = location; *c != '\0'; c++) {
        if ((unsigned char)*c >= 0x80 || strchr(" \"<>\\^`{|}", *c) != NULL)
            percent_encode(&uri, c, 1, false);
        else
            buf_char(&uri, *c);
    }
    response_header(response, "Location", uri.data);
}

void response_cookie(struct response *response, const char *name, const char *value,
                     long max_age)
{
    struct buf field = buf_on(response->arena);
    buf_print(&field, "%s=%s; Path=/; HttpOnly; SameSite=Lax%s",
              cookie_name(response->arena, name), value,
              cookie_secure() ? "; Secure" : "");
    if (max_age >= 0)
        buf_print(&field, "; Max-Age=%ld", max_age);
    response->cacheable = false;
    response_header(response, "Set-Cookie", field.data);
}
