/* A daemon with one stand-in page of about 9 KB, cached: what http.sh measures.
 *
 *   http PAGE_FILE      serves its bytes at /en/page; prints the port; ends with stdin */
#include "server/base/log.h"
#include "server/http/daemon.h"

#include <stdio.h>
#include <stdlib.h>

static struct buf page;

static enum result show(struct request *request, struct response *response)
{
    (void)request;
    response->cacheable = true;
    response->tables = 7;
    buf_append(&response->body, page.data, page.length);
    return OK;
}

static enum result work(void *worker, struct request *request, struct response *response,
                        int refusal)
{
    (void)worker;
    return refusal != 0 ? OK : request->route->handler(request, response);
}

static bool read_page(const char *path)
{
    char bytes[4096];
    size_t got;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
        buf_append(&page, bytes, got);
    fclose(file);
    return true;
}

int main(int argc, char *argv[])
{
    static const struct route routes[] = {
        {GET,                "/page", PUBLIC, show, .localized = true, .cache = true},
        {GET,            "/work", PUBLIC, show},
        {0},
    };
    static const struct route *const tables[] = {routes, NULL};
    char problem[256];
    struct arena *arena = arena_new();
    struct daemon *daemon = NULL;
    json_on_arena();
    page = buf_on(arena);
    if (argc != 2 || !read_page(argv[1]) ||
        config_load("/dev/null", problem, sizeof problem) != OK) {
        fputs("usage: http PAGE_FILE\n", stderr);
        return 2;
    }
    struct daemon_options options = daemon_options(&config);
    options.port = 0;
    options.router = router_new(arena, tables);
    options.pages = page_cache_new(64 * 1024 * 1024);
    options.work = work;
    if (daemon_start(&daemon, &options) != OK)
        return 1;
    printf("%d\n", daemon_port(daemon));
    fflush(stdout);
    while (getchar() != EOF)
        continue;
    enum result result = daemon_stop(daemon);
    page_cache_free(options.pages);
    arena_free(arena);
    return result == OK ? 0 : 1;
}
