/* Asking a request; see request.h. Query arguments are read here too. */
#include "server/http/request.h"

#include "server/base/percent.h"
#include "server/base/utf8.h"
#include "server/http/cookie.h"
#include "server/http/exchange.h"
#include "server/http/query.h"

#include <string.h>
#include <strings.h>

struct search {
    struct arena *arena;
    const char *name, *found;
};

static enum MHD_Result collect(void *context, enum MHD_ValueKind kind, const char *name,
                               const char *value)
{
    struct search *search = context;
    (void)kind;
    if (strcasecmp(name, search->name) != 0)
        return MHD_YES;
    const char *joint = strcasecmp(name, "cookie") == 0 ? "; " : ", ";
    if (value == NULL)
        value = "";
    search->found = search->found == NULL ? value
                                          : arena_print(search->arena, "%s%s%s",
                                                        search->found, joint, value);
    return MHD_YES;
}

const char *request_header(const struct request *request, const char *name)
{
    const struct exchange *exchange = request->native;
    if (exchange == NULL)
        return NULL;
    struct search search = {.arena = request->arena, .name = name};
    MHD_get_connection_values(exchange->native, MHD_HEADER_KIND, collect, &search);
    return search.found;
}

const char *request_cookie(const struct request *request, const char *name)
{
    const char *value = NULL;
    size_t length = 0;
    const char *header = request_header(request, "Cookie");
    if (header == NULL ||
        !cookie_find(header, cookie_name(request->arena, name), &value, &length))
        return NULL;
    return arena_copy(request->arena, value, length);
}

const char *param(const struct request *request, const char *name)
{
    return json_string_value(json_object_get(request->params, name));
}

const char *query_argument(const struct request *request, const char *name)
{
    return json_string_value(json_object_get(request->query, name));
}

const char *field(const struct request *request, const char *name)
{
    return json_string_value(json_array_get(json_object_get(request->fields, name), 0));
}

const struct upload *request_upload(const struct request *request, const char *name)
{
    const struct upload *upload = request->uploads;
    while (upload != NULL && strcmp(upload->name, name) != 0)
        upload = upload->next;
    return upload;
}

/* Is `name` a word of the space-separated `names`? */
static bool listed(const char *names, const char *name, size_t length)
{
    while (names != NULL && *names != '\0') {
        names += strspn(names, " ");
        size_t word = strcspn(names, " ");
        if (word == length && memcmp(names, name, length) == 0)
            return true;
        names += word;
    }
    return false;
}

static enum result decode(struct arena *arena, const char *text, size_t length,
                          char **decoded, size_t *decoded_length)
{
    *decoded = arena_alloc(arena, length + 1);
    TRY(percent_decode(*decoded, decoded_length, text, length, true));
    (*decoded)[*decoded_length] = '\0';
    if (memchr(*decoded, '\0', *decoded_length) != NULL ||
        !utf8_valid(*decoded, *decoded_length))
        return INVALID;
    return OK;
}

static enum result read_argument(struct request *request, const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    size_t name_end = equals != NULL ? (size_t)(equals - text) : length;
    size_t value_start = equals != NULL ? name_end + 1 : length;
    char *name;
    char *value;
    size_t name_length;
    size_t value_length;
    TRY(decode(request->arena, text, name_end, &name, &name_length));
    TRY(decode(request->arena, text + value_start, length - value_start, &value,
               &value_length));
    const struct route *route = request->route;
    if (route->cache && !listed(route->arguments, name, name_length))
        return OK;
    if (json_object_get(request->query, name) != NULL)
        return INVALID;
    json_object_set_new(request->query, name, json_stringn(value, value_length));
    return OK;
}

enum result query_read(struct request *request, const char *query)
{
    struct arena *before = arena_enter(request->arena);
    enum result result = OK;
    request->query = json_object();
    while (result == OK && *query != '\0') {
        size_t length = strcspn(query, "&");
        if (length > 0)
            result = read_argument(request, query, length);
        query += length + (query[length] == '&');
    }
    arena_enter(before);
    return result;
}

/* Sorted insertion: routes know few arguments. */
const char *query_page_key(const struct request *request)
{
    struct buf key = buf_on(request->arena);
    if (request->language_in_path)
        buf_print(&key, "/%s", language_codes[request->language]);
    percent_encode(&key, request->path, strlen(request->path), true);
    const char *names[HEAD_ARGUMENTS_MAX];
    size_t count = 0;
    const char *name;
    json_t *value;
    json_object_foreach(request->query, name, value)
    {
        size_t place = count++;
        for (; place > 0 && strcmp(names[place - 1], name) > 0; place--)
            names[place] = names[place - 1];
        names[place] = name;
    }
    for (size_t i = 0; i < count; i++) {
        value = json_object_get(request->query, names[i]);
        buf_char(&key, i == 0 ? '?' : '&');
        percent_encode(&key, names[i], strlen(names[i]), false);
        buf_char(&key, '=');
        percent_encode(&key, json_string_value(value), json_string_length(value), false);
    }
    return key.data;
}
