/* How many pages a second the template engine renders on one thread:
 *   template HOME NAME DOCUMENT.json SECONDS
 * HOME holds templates/. Prints {"renders_per_s": ..., "bytes": ..., "renders": ...}. */
#include "server/base/clock.h"
#include "server/view/view.h"

#include <stdlib.h>

static int fail(const char *what)
{
    fprintf(stderr, "template: %s\n", what);
    return 1;
}

static int measure(struct view *view, const char *name, json_t *document, double seconds)
{
    struct arena *arena = arena_new();
    int64_t begin = clock_us();
    int64_t now = begin;
    long renders = 0;
    size_t bytes = 0;
    while ((double)(now - begin) < seconds * 1e6) {
        for (int i = 0; i < 50; i++) {
            struct buf out = buf_on(arena);
            if (view_render(view, &out, name, document, ENGLISH) != OK)
                return fail("the page cannot be rendered");
            bytes = out.length;
            arena_reset(arena);
        }
        renders += 50;
        now = clock_us();
    }
    arena_free(arena);
    printf("{\"renders_per_s\": %.1f, \"bytes\": %zu, \"renders\": %ld}\n",
           (double)renders * 1e6 / (double)(now - begin), bytes, renders);
    return 0;
}

int main(int argc, char *argv[])
{
    if (argc != 5)
        return fail("usage: template HOME NAME DOCUMENT.json SECONDS");
    char problem[512];
    struct view *view;
    json_on_arena();
    arena_enter(arena_new());
    json_t *document = json_load_file(argv[3], 0, NULL);
    if (document == NULL)
        return fail("the document cannot be read");
    if (view_open(&view, argv[1], "", false, problem, sizeof problem) != OK)
        return fail(problem);
    int status = measure(view, argv[2], document, strtod(argv[4], NULL));
    view_close(view);
    arena_free(arena_enter(NULL));
    return status;
}
