/* Routing: the path is decoded once, segment by segment, and compared with the tables;
 * literal segments win over parameters. */
#include "server/http/router.h"

#include "server/base/percent.h"
#include "server/base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { SEGMENTS_MAX = 12, ALLOW_SIZE = 64 };

struct segment {
    const char *text;
    size_t length;
};

struct path {
    struct segment segments[SEGMENTS_MAX];
    size_t count;
};

struct pattern {
    const struct route *route;
    struct path path;
};

struct router {
    struct pattern *patterns;
    size_t count;
};

static const char *const method_names[METHOD_COUNT] = {"GET", "POST", "PATCH", "DELETE"};

/* Splits what follows the first "/"; false: too many segments. "/" has none. */
static bool split(struct path *path, const char *text)
{
    path->count = 0;
    if (strcmp(text, "/") == 0)
        return true;
    while (*text == '/') {
        text++;
        size_t length = strcspn(text, "/");
        if (path->count == SEGMENTS_MAX)
            return false;
        path->segments[path->count++] = (struct segment){text, length};
        text += length;
    }
    return true;
}

static bool is_parameter(const struct segment *segment)
{
    return segment->length > 0 && segment->text[0] == ':';
}

/* Literals before parameters, position by position; else the order of the tables. */
static int compare(const void *left, const void *right)
{
    const struct pattern *a = left;
    const struct pattern *b = right;
    for (size_t i = 0; i < a->path.count && i < b->path.count; i++) {
        int order =
            is_parameter(&a->path.segments[i]) - is_parameter(&b->path.segments[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

static void insertion_sort(struct pattern *patterns, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct pattern moving = patterns[i];
        size_t place = i;
        while (place > 0 && compare(&patterns[place - 1], &moving) > 0) {
            patterns[place] = patterns[place - 1];
            place--;
        }
        patterns[place] = moving;
    }
}

struct router *router_new(struct arena *arena, const struct route *const *tables)
{
    struct router *router = ARENA_NEW(arena, struct router);
    size_t count = 0;
    for (const struct route *const *table = tables; *table != NULL; table++)
        for (const struct route *route = *table; route->pattern != NULL; route++)
            count++;
    router->patterns = ARENA_ARRAY(arena, struct pattern, count);
    for (const struct route *const *table = tables; *table != NULL; table++)
        for (const struct route *route = *table; route->pattern != NULL; route++) {
            struct pattern *pattern = &router->patterns[router->count++];
            pattern->route = route;
            if (!split(&pattern->path, route->pattern))
                abort(); /* a table of ours is wrong: found by the first start */
        }
    insertion_sort(router->patterns, router->count);
    return router;
}

static bool is_text(const struct segment *segment, const char *text)
{
    return segment->length == strlen(text) &&
           memcmp(segment->text, text, segment->length) == 0;
}

static enum result decode_segment(struct arena *arena, struct segment *segment)
{
    char *text = arena_alloc(arena, segment->length + 1);
    size_t length = 0;
    TRY(percent_decode(text, &length, segment->text, segment->length, false));
    text[length] = '\0';
    *segment = (struct segment){text, length};
    if (is_text(segment, ".") || is_text(segment, "..") || !utf8_valid(text, length))
        return INVALID;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f || text[i] == '/' ||
            text[i] == '\\')
            return INVALID;
    return OK;
}

/* Takes the language prefix off and joins the rest to request->path. */
static void read_language(struct request *request, struct path *path)
{
    request->language = ENGLISH;
    request->language_in_path = false;
    for (int i = 0; i < LANGUAGE_COUNT && path->count > 0; i++)
        if (is_text(&path->segments[0], language_codes[i])) {
            request->language = (enum language)i;
            request->language_in_path = true;
        }
    if (request->language_in_path) {
        path->count--;
        memmove(path->segments, path->segments + 1, path->count * sizeof(struct segment));
        if (path->count == 1 && path->segments[0].length == 0)
            path->count = 0; /* "/en/" is the home page, as "/en" */
    }
    struct buf joined = buf_on(request->arena);
    for (size_t i = 0; i < path->count; i++) {
        buf_char(&joined, '/');
        buf_append(&joined, path->segments[i].text, path->segments[i].length);
    }
    if (joined.length == 0)
        buf_char(&joined, '/');
    request->path = joined.data;
}

static bool matches(const struct pattern *pattern, const struct request *request,
                    const struct path *path)
{
    if (pattern->path.count != path->count ||
        (request->language_in_path && !pattern->route->localized))
        return false;
    for (size_t i = 0; i < path->count; i++) {
        const struct segment *wanted = &pattern->path.segments[i];
        const struct segment *given = &path->segments[i];
        if (is_parameter(wanted)
                ? given->length == 0
                : wanted->length != given->length ||
                      memcmp(wanted->text, given->text, given->length) != 0)
            return false;
    }
    return true;
}

static json_t *parameters(const struct pattern *pattern, const struct path *path)
{
    json_t *params = json_object();
    for (size_t i = 0; i < path->count; i++) {
        const struct segment *wanted = &pattern->path.segments[i];
        if (is_parameter(wanted))
            json_object_setn_new(
                params, wanted->text + 1, wanted->length - 1,
                json_stringn(path->segments[i].text, path->segments[i].length));
    }
    return params;
}

static void allow_method(char allow[ALLOW_SIZE], enum method method)
{
    const char *name = method == GET ? "GET, HEAD" : method_names[method];
    if (strstr(allow, name) != NULL)
        return;
    if (*allow != '\0')
        strncat(allow, ", ", ALLOW_SIZE - strlen(allow) - 1);
    strncat(allow, name, ALLOW_SIZE - strlen(allow) - 1);
}

enum result router_match(const struct router *router, struct request *request,
                         const char *raw_path, const char **allow)
{
    struct path path;
    request->route = NULL;
    request->path = "/";
    *allow = NULL;
    if (*raw_path != '/')
        return INVALID;
    bool fits = split(&path, raw_path);
    for (size_t i = 0; i < path.count; i++)
        TRY(decode_segment(request->arena, &path.segments[i]));
    if (!fits)
        return NOT_FOUND;
    read_language(request, &path);

    char allowed[ALLOW_SIZE] = "";
    for (size_t i = 0; i < router->count; i++) {
        const struct pattern *pattern = &router->patterns[i];
        if (!matches(pattern, request, &path))
            continue;
        if (pattern->route->method == request->method) {
            struct arena *before = arena_enter(request->arena);
            request->route = pattern->route;
            request->params = parameters(pattern, &path);
            arena_enter(before);
            return OK;
        }
        allow_method(allowed, pattern->route->method);
    }
    if (*allowed == '\0')
        return NOT_FOUND;
    *allow = arena_string(request->arena, allowed);
    return DENIED;
}
