/* libFuzzer: the template engine on any bytes. The first byte picks the kind; what
 * follows up to a NUL is the page, the rest a partial named p. Nothing may crash or hang,
 * and what is refused must be refused with a reason. */
#include "server/view/template.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct template *partial;

static const struct template *find(const struct template_library *library,
                                   enum template_kind kind, const char *name,
                                   size_t length)
{
    (void)library, (void)kind;
    return length == 1 && name[0] == 'p' ? partial : NULL;
}

static const char document[] =
    "{\"a\": \"<&'\\\">\", \"b\": [1, 2.5, null, true, [], {}],"
    " \"c\": {\"d\": \"javascript:x\"}, \"e\": \"p\","
    " \"f\": null, \"g\": [{\"a\": 1}, {\"a\": 2}]}";

static void run(enum template_kind kind, const char *text, size_t length,
                const char *other, size_t other_length)
{
    struct template_problem problem = {0};
    struct template_library library = {find, NULL};
    struct template_call call = {.library = &library, .limit = 65536};
    struct arena *arena = arena_current();
    struct template *page;
    struct buf out = buf_on(arena);
    partial = NULL;
    if (template_read(&partial, arena, kind, "p", other, other_length, &problem) != OK ||
        template_read(&page, arena, kind, "page", text, length, &problem) != OK ||
        template_link(partial, &library, &problem) != OK ||
        template_link(page, &library, &problem) != OK ||
        template_check(page, &problem) != OK)
        return;
    enum result result =
        template_render(page, &out, json_loads(document, 0, NULL), &call, &problem);
    if (result != OK && problem.reason[0] == '\0')
        abort();
    if (out.data[out.length] != '\0')
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum template_kind kinds[] = {TEMPLATE_LENIENT, TEMPLATE_HTML,
                                               TEMPLATE_TEXT, TEMPLATE_MESSAGE_HTML};
    if (size == 0)
        return 0;
    json_on_arena();
    arena_enter(arena_new());
    const char *text = (const char *)data + 1;
    const char *nul = memchr(text, '\0', size - 1);
    size_t length = nul != NULL ? (size_t)(nul - text) : size - 1;
    size_t rest = size - 1 - length;
    run(kinds[data[0] % 4], text, length, nul != NULL ? nul + 1 : "",
        rest > 0 ? rest - 1 : 0);
    arena_free(arena_enter(NULL));
    return 0;
}
