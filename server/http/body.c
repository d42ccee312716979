/* Bodies by their content type; see body.h. */
#include "server/http/body.h"

#include "server/base/log.h"
#include "server/http/multipart.h"
#include "server/http/parameters.h"
#include "server/http/urlencoded.h"

#include <string.h>
#include <strings.h>

struct body {
    struct request *request;
    size_t limit, received;
    struct form_fields fields;
    struct urlencoded urlencoded;
    struct multipart *multipart; /* NULL: urlencoded or JSON */
    bool is_json;
    struct buf json;
};

/* A charset other than UTF-8 is not read. */
static bool utf8_charset(struct arena *arena, const char *type)
{
    const char *charset = NULL;
    return parameters_find(arena, type, "charset", &charset) == OK &&
           (charset == NULL || strcasecmp(charset, "utf-8") == 0);
}

static int begin_form(struct body *body, const char *type)
{
    struct arena *arena = body->request->arena;
    body->fields.fields = json_object();
    body->urlencoded = (struct urlencoded){&body->fields, buf_on(arena)};
    if (parameters_value_is(type, "multipart/form-data")) {
        body->multipart = multipart_new(arena, type, &body->fields);
        return body->multipart != NULL ? 0 : 400;
    }
    return parameters_value_is(type, "application/x-www-form-urlencoded") &&
                   utf8_charset(arena, type)
               ? 0
               : 415;
}

int body_begin(struct body **made, struct request *request, enum body_kind kind,
               const char *type, size_t limit)
{
    struct arena *before = arena_enter(request->arena);
    struct body *body = ARENA_NEW(request->arena, struct body);
    int status = 415;
    body->request = request;
    body->limit = limit;
    body->is_json = kind == BODY_JSON;
    if (type != NULL && kind == BODY_FORMS) {
        status = begin_form(body, type);
    } else if (type != NULL && parameters_value_is(type, "application/json") &&
               utf8_charset(request->arena, type)) {
        body->json = buf_on(request->arena);
        status = 0;
    }
    *made = status == 0 ? body : NULL;
    arena_enter(before);
    return status;
}

int body_feed(struct body *body, const char *bytes, size_t length)
{
    body->received += length;
    if (body->received > body->limit)
        return 413;
    struct arena *before = arena_enter(body->request->arena);
    int status = 0;
    if (body->is_json)
        buf_append(&body->json, bytes, length);
    else if (body->multipart != NULL)
        status = multipart_feed(body->multipart, bytes, length);
    else
        status = urlencoded_feed(&body->urlencoded, bytes, length);
    arena_enter(before);
    return status;
}

/* jansson goes 2048 deep and makes any number of values; brackets and commas outside
 * strings are counted before it. */
static bool modest(const char *text, size_t length)
{
    int depth = 0, values = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{') && ++depth > BODY_JSON_DEPTH_MAX)
            return false;
        else if (!quoted && (c == ']' || c == '}'))
            depth--;
        if (!quoted && strchr("[{,", c) != NULL && ++values > BODY_JSON_VALUES_MAX)
            return false;
    }
    return true;
}

static int finish_json(struct body *body)
{
    json_error_t error;
    if (!modest(body->json.data, body->json.length))
        return 400;
    json_t *json =
        json_loadb(body->json.data, body->json.length, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(json))
        return 400;
    body->request->json = json;
    return 0;
}

static int finish_form(struct body *body)
{
    int status = body->multipart != NULL
                     ? multipart_finish(body->multipart, &body->request->uploads)
                     : urlencoded_finish(&body->urlencoded);
    if (status == 0)
        body->request->fields = body->fields.fields;
    return status;
}

int body_finish(struct body *body)
{
    struct arena *before = arena_enter(body->request->arena);
    int status = body->is_json ? finish_json(body) : finish_form(body);
    arena_enter(before);
    return status;
}

void body_release(struct body *body)
{
    if (body != NULL && body->multipart != NULL)
        multipart_release(body->multipart);
}
