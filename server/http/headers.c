/* The security fields, and the bare answer for requests that deserve no page. */
#include "server/http/headers.h"

#include "server/http/cookie.h"

#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct field fields[] = {
    {"Strict-Transport-Security",    "max-age=31536000; includeSubDomains"     },
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
     "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
     "object-src 'none'; frame-ancestors 'none'"                               },
    {"X-Content-Type-Options",       "nosniff"                                 },
    {"Referrer-Policy",              "strict-origin-when-cross-origin"         },
    {"Cross-Origin-Opener-Policy",   "same-origin"                             },
    {"Cross-Origin-Resource-Policy", "same-origin"                             },
    {"Permissions-Policy",           "camera=(), microphone=(), geolocation=()"},
    {NULL,                           NULL                                      },
};

const struct field *security_fields(void)
{
    return cookie_secure() ? fields : fields + 1;
}

const char *reason_phrase(int status)
{
    const char *phrase = MHD_get_reason_phrase_for((unsigned)status);
    return phrase != NULL ? phrase : "Unknown";
}

static void http_date(char out[40])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(out, 40, "%a, %d %b %Y %H:%M:%S GMT", &utc);
}

__attribute__((format(printf, 4, 5))) static void
add(char *out, size_t size, size_t *used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out + *used, size - *used, format, arguments);
    va_end(arguments);
    *used += (size_t)length < size - *used ? (size_t)length : size - *used - 1;
}

size_t bare_answer(char *out, size_t size, int status)
{
    char date[40];
    size_t used = 0;
    const char *phrase = reason_phrase(status);
    http_date(date);
    add(out, size, &used, "HTTP/1.1 %d %s\r\nDate: %s\r\nConnection: close\r\n", status,
        phrase, date);
    for (const struct field *field = security_fields(); field->name != NULL; field++)
        add(out, size, &used, "%s: %s\r\n", field->name, field->value);
    if (status == 405)
        add(out, size, &used, "Allow: GET, HEAD, POST, PATCH, DELETE\r\n");
    if (status == 503)
        add(out, size, &used, "Retry-After: 5\r\n");
    add(out, size, &used,
        "Cache-Control: private, no-store\r\nContent-Type: text/plain\r\n"
        "Content-Length: %zu\r\n\r\n%d %s\n",
        strlen(phrase) + 5, status, phrase);
    return used;
}
