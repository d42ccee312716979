/* libFuzzer: both form parsers and the head. The first byte chooses the parser, the
 * second the size of the pieces; whatever comes, two ways of cutting give one result. */
#include "server/http/body.h"
#include "server/http/chunked.h"
#include "server/http/head.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static int read_body(enum body_kind kind, const char *type, const char *bytes,
                     size_t length, size_t step, char **text)
{
    struct request request = {.arena = arena_new()};
    struct body *body = NULL;
    arena_enter(request.arena);
    int status = body_begin(&body, &request, kind, type, 1 << 20);
    for (size_t at = 0; status == 0 && at < length; at += step)
        status = body_feed(body, bytes + at, length - at < step ? length - at : step);
    if (status == 0)
        status = body_finish(body);
    *text = NULL;
    if (status == 0) {
        char *dumped = json_dumps(kind == BODY_JSON ? request.json : request.fields,
                                  JSON_COMPACT | JSON_SORT_KEYS);
        *text = dumped != NULL ? strdup(dumped) : NULL;
    }
    body_release(body);
    arena_enter(NULL);
    arena_free(request.arena);
    return status;
}

static void compare(enum body_kind kind, const char *type, const char *bytes,
                    size_t length, size_t step)
{
    char *whole;
    char *pieces;
    int one = read_body(kind, type, bytes, length, length > 0 ? length : 1, &whole);
    int two = read_body(kind, type, bytes, length, step, &pieces);
    if (one != two || (whole == NULL) != (pieces == NULL) ||
        (whole != NULL && strcmp(whole, pieces) != 0))
        abort();
    free(whole);
    free(pieces);
}

static void read_head(const char *bytes, size_t length, size_t step)
{
    size_t scanned = 0;
    size_t end = 0;
    int status = 0;
    struct chunked chunked = {0};
    for (size_t there = step; status == 0 && end == 0; there += step) {
        size_t part = there < length ? there : length;
        end = head_end(bytes, part, &scanned, &status);
        if (part == length)
            break;
    }
    if (end > 0)
        (void)head_read(bytes, end);
    (void)chunked_read(&chunked, bytes, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t length)
{
    static bool ready;
    if (!ready)
        json_on_arena();
    ready = true;
    if (length < 2)
        return 0;
    const char *bytes = (const char *)input + 2;
    size_t step = input[1] % 32 + 1;
    length -= 2;
    switch (input[0] % 4) {
    case 0:
        compare(BODY_FORMS, "multipart/form-data; boundary=X", bytes, length, step);
        break;
    case 1:
        compare(BODY_FORMS, "application/x-www-form-urlencoded", bytes, length, step);
        break;
    case 2:
        compare(BODY_JSON, "application/json", bytes, length, step);
        break;
    case 3:
        read_head(bytes, length, step);
        break;
    }
    return 0;
}
