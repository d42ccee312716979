/* Starting and stopping the server: the socket, libmicrohttpd, the workers. */
#include "server/http/daemon.h"

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/http/exchange.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    SPARE_DESCRIPTORS = 512, /* beside the connections: database, files, lingering */
    CONNECTION_MEMORY = HEAD_WEIGHT_MAX + 4 * 1024, /* the rest: the answer's head */
    BACKLOG = 1024,
    CANCEL_MS = 5000 /* that running handlers get after drain_seconds */
};

/* One connection, and the exchange on it. */
struct connection {
    struct gate *gate;
    struct exchange exchange;
};

struct daemon_options daemon_options(const struct config *from)
{
    return (struct daemon_options){.host = from->host,
                                   .port = (int)from->port,
                                   .threads = (int)from->threads,
                                   .workers = (int)from->workers,
                                   .queue = (int)from->queue,
                                   .connections = (int)from->connections,
                                   .head_seconds = (int)from->head_seconds,
                                   .body_seconds = (int)from->body_seconds,
                                   .reply_seconds = (int)from->reply_seconds,
                                   .drain_seconds = (int)from->drain_seconds,
                                   .trust_proxy = from->trust_proxy};
}

/* --- arenas, kept for the next request ---------------------------------------------- */

struct arena *daemon_take_arena(struct daemon *daemon)
{
    struct arena *arena = NULL;
    pthread_mutex_lock(&daemon->arenas_lock);
    if (daemon->arenas_kept > 0)
        arena = daemon->arenas[--daemon->arenas_kept];
    pthread_mutex_unlock(&daemon->arenas_lock);
    return arena != NULL ? arena : arena_new();
}

void daemon_give_arena(struct daemon *daemon, struct arena *arena)
{
    arena_reset(arena);
    pthread_mutex_lock(&daemon->arenas_lock);
    if (daemon->arenas_kept < ARENAS_KEPT) {
        daemon->arenas[daemon->arenas_kept++] = arena;
        arena = NULL;
    }
    pthread_mutex_unlock(&daemon->arenas_lock);
    arena_free(arena);
}

/* --- what libmicrohttpd calls ------------------------------------------------------- */

static struct connection *connection_of(struct MHD_Connection *native)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(native, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static void open_connection(struct daemon *daemon, struct MHD_Connection *native,
                            void **context)
{
    const union MHD_ConnectionInfo *fd =
        MHD_get_connection_info(native, MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *address =
        MHD_get_connection_info(native, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL)
        abort();
    struct exchange *exchange = &connection->exchange;
    *context = connection;
    connection->gate = gate_new(daemon->gates, fd->connect_fd);
    exchange->daemon = daemon;
    exchange->gate = connection->gate;
    exchange->native = native;
    socklen_t size = address->client_addr->sa_family == AF_INET6
                         ? sizeof(struct sockaddr_in6)
                         : sizeof(struct sockaddr_in);
    if (getnameinfo(address->client_addr, size, exchange->peer, sizeof exchange->peer,
                    NULL, 0, NI_NUMERICHOST) != 0)
        strcpy(exchange->peer, "unknown");
}

static void on_connection(void *context, struct MHD_Connection *native,
                          void **socket_context, enum MHD_ConnectionNotificationCode code)
{
    struct connection *connection = *socket_context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        open_connection(context, native, socket_context);
        return;
    }
    if (connection == NULL)
        return;
    if (connection->gate != NULL)
        gate_free(connection->gate);
    free(connection);
    *socket_context = NULL;
}

/* The request line is there; what this returns is the request's context. */
static void *on_target(void *context, const char *target, struct MHD_Connection *native)
{
    (void)context;
    struct connection *connection = connection_of(native);
    if (connection == NULL || connection->gate == NULL)
        return NULL;
    exchange_start(&connection->exchange, target);
    return &connection->exchange;
}

static enum MHD_Result on_step(void *context, struct MHD_Connection *native,
                               const char *url, const char *method, const char *version,
                               const char *bytes, size_t *length, void **request)
{
    (void)context;
    (void)native;
    (void)url;
    (void)version;
    struct exchange *exchange = *request;
    return exchange != NULL ? exchange_step(exchange, method, bytes, length) : MHD_NO;
}

static void on_end(void *context, struct MHD_Connection *native, void **request,
                   enum MHD_RequestTerminationCode code)
{
    (void)context;
    (void)native;
    (void)code;
    if (*request != NULL)
        exchange_end(*request);
    *request = NULL;
}

/* Keeps the target as it was sent: the router decodes it, once. */
static size_t keep_encoded(void *context, struct MHD_Connection *native, char *text)
{
    (void)context;
    (void)native;
    return strlen(text);
}

/* At most one line a second: without descriptors the library logs without end. */
__attribute__((format(printf, 2, 0))) static void
on_log(void *context, const char *format, va_list arguments)
{
    static atomic_llong last;
    char line[256];
    (void)context;
    long long now = clock_ms();
    long long before = last;
    if (now - before < 1000 || !atomic_compare_exchange_strong(&last, &before, now))
        return;
    vsnprintf(line, sizeof line, format, arguments);
    line[strcspn(line, "\r\n")] = '\0';
    log_info("http.library", "says", line);
}

static void run_job(void *worker, struct job *job)
{
    char *place = (char *)job - offsetof(struct exchange, job);
    exchange_render((struct exchange *)(void *)place, worker);
}

/* --- start -------------------------------------------------------------------------- */

static enum result raise_descriptors(struct daemon_options *options)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return FAILED;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < 2 * SPARE_DESCRIPTORS) {
        log_error("http.few_descriptors", "limit", NUM(limit.rlim_cur));
        return FAILED;
    }
    if ((rlim_t)options->connections > limit.rlim_cur - SPARE_DESCRIPTORS) {
        options->connections = (int)(limit.rlim_cur - SPARE_DESCRIPTORS);
        log_warning("http.connections_limited", "to", NUM(options->connections));
    }
    return OK;
}

/* The port lies at the same place in addresses of either family. */
static int bound_port(int fd)
{
    struct sockaddr_in6 address = {0};
    socklen_t size = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        return 0;
    return ntohs(address.sin6_port);
}

static enum result bind_address(struct daemon *daemon, const struct addrinfo *address)
{
    int yes = 1;
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, address->ai_addr, address->ai_addrlen) != 0 ||
        listen(fd, BACKLOG) != 0) {
        log_error("http.not_listening", "host", daemon->options.host, "port",
                  NUM(daemon->options.port), "reason", strerrordesc_np(errno));
        if (fd >= 0)
            close(fd);
        return FAILED;
    }
    daemon->listening = fd;
    daemon->port = bound_port(fd);
    return OK;
}

static enum result open_socket(struct daemon *daemon)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *address = NULL;
    int failure =
        getaddrinfo(daemon->options.host, NUM(daemon->options.port), &hints, &address);
    if (failure != 0) {
        log_error("http.bad_address", "host", daemon->options.host, "reason",
                  gai_strerror(failure));
        return FAILED;
    }
    enum result result = bind_address(daemon, address);
    freeaddrinfo(address);
    return result;
}

static enum result start_library(struct daemon *daemon)
{
    const struct daemon_options *options = &daemon->options;
    struct MHD_OptionItem items[] = {
        {MHD_OPTION_EXTERNAL_LOGGER,         (intptr_t)on_log,                            NULL  },
        {MHD_OPTION_LISTEN_SOCKET,           daemon->listening,                           NULL  },
        {MHD_OPTION_THREAD_POOL_SIZE,        options->threads > 1 ? options->threads : 0, NULL  },
        {MHD_OPTION_CONNECTION_LIMIT,        options->connections,                        NULL  },
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY,                           NULL  },
        {MHD_OPTION_NOTIFY_CONNECTION,       (intptr_t)on_connection,                     daemon},
        {MHD_OPTION_NOTIFY_COMPLETED,        (intptr_t)on_end,                            NULL  },
        {MHD_OPTION_URI_LOG_CALLBACK,        (intptr_t)on_target,                         NULL  },
        {MHD_OPTION_UNESCAPE_CALLBACK,       (intptr_t)keep_encoded,                      NULL  },
        {MHD_OPTION_END,                     0,                                           NULL  }
    };
    daemon->native = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0,
        NULL, NULL, on_step, NULL, MHD_OPTION_ARRAY, items, MHD_OPTION_END);
    if (daemon->native == NULL)
        log_error("http.library_failed", "reason", strerrordesc_np(errno));
    return daemon->native != NULL ? OK : FAILED;
}

static enum result start(struct daemon *daemon)
{
    struct daemon_options *options = &daemon->options;
    TRY(raise_descriptors(options));
    TRY(open_socket(daemon));
    daemon->gates =
        gates_new(options->head_seconds, options->body_seconds, options->reply_seconds);
    daemon->busy = answer_bare(503, false);
    if (daemon->gates == NULL || daemon->busy == NULL)
        return FAILED;
    const struct pool_options pool = {.workers = options->workers,
                                      .queue = options->queue,
                                      .context = options->context,
                                      .start = options->worker_start,
                                      .stop = options->worker_stop,
                                      .run = run_job};
    TRY(pool_new(&daemon->pool, &pool));
    return start_library(daemon);
}

static void free_daemon(struct daemon *daemon)
{
    if (daemon->native != NULL)
        MHD_stop_daemon(daemon->native);
    if (daemon->pool != NULL)
        pool_free(daemon->pool);
    if (daemon->gates != NULL)
        gates_free(daemon->gates);
    if (daemon->busy != NULL)
        MHD_destroy_response(daemon->busy);
    if (daemon->listening >= 0)
        close(daemon->listening);
    for (int i = 0; i < daemon->arenas_kept; i++)
        arena_free(daemon->arenas[i]);
    pthread_mutex_destroy(&daemon->arenas_lock);
    free(daemon);
}

enum result daemon_start(struct daemon **made, const struct daemon_options *options)
{
    struct daemon *daemon = calloc(1, sizeof *daemon);
    if (daemon == NULL || sodium_init() < 0) {
        free(daemon);
        return FAILED;
    }
    daemon->options = *options;
    daemon->listening = -1;
    daemon->salt = randombytes_random();
    pthread_mutex_init(&daemon->arenas_lock, NULL);
    enum result result = start(daemon);
    if (result == OK)
        *made = daemon;
    else
        free_daemon(daemon);
    return result;
}

int daemon_port(const struct daemon *daemon)
{
    return daemon->port;
}

int daemon_pending(const struct daemon *daemon)
{
    return daemon->suspended;
}

bool daemon_draining(const struct daemon *daemon)
{
    return daemon->draining;
}

/* --- stop --------------------------------------------------------------------------- */

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

static void cancel_waiting(struct daemon *daemon)
{
    struct job *job;
    while ((job = pool_take(daemon->pool)) != NULL) {
        char *place = (char *)job - offsetof(struct exchange, job);
        exchange_cancel((struct exchange *)(void *)place);
    }
}

enum result daemon_stop(struct daemon *daemon)
{
    daemon->draining = true;
    if (MHD_quiesce_daemon(daemon->native) != MHD_INVALID_SOCKET) {
        close(daemon->listening);
        daemon->listening = -1;
    }
    gates_close_idle(daemon->gates);
    int64_t end = clock_ms() + daemon->options.drain_seconds * 1000LL;
    while (gates_open(daemon->gates) > 0 && clock_ms() < end)
        pause_ms(10);
    end = clock_ms() + CANCEL_MS;
    while (daemon->suspended > 0 && clock_ms() < end) {
        cancel_waiting(daemon);
        pause_ms(10);
    }
    if (daemon->suspended > 0) { /* the library would abort the process */
        log_error("http.handler_still_running", "count", NUM(daemon->suspended));
        return BUSY;
    }
    free_daemon(daemon);
    return OK;
}
