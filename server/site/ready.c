/* /healthz and /readyz. */
#include "server/site/ready.h"

#include "db/connection.h"
#include "server/http/daemon.h"

#include <stdatomic.h>

static const struct daemon *_Atomic watched;

void ready_watch(const struct daemon *daemon)
{
    atomic_store(&watched, daemon);
}

static enum result say(struct response *response, int status, const char *word)
{
    response->status = status;
    response->type = "text/plain; charset=utf-8";
    response_header(response, "Cache-Control", "no-store");
    buf_string(&response->body, word);
    return OK;
}

enum result healthz(struct request *request, struct response *response)
{
    (void)request;
    return say(response, 200, "ok\n");
}

enum result readyz(struct request *request, struct response *response)
{
    const struct daemon *daemon = atomic_load(&watched);
    if (daemon != NULL && daemon_draining(daemon))
        return say(response, 503, "stopping\n");
    if (db_connect(request->db) != OK)
        return say(response, 503, "no database\n");
    return say(response, 200, "ready\n");
}
