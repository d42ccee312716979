/* The thread that ends what lasts too long, and lets refused clients read their refusal;
 * see gate.h. */
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/http/gate_private.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    TICK_MS = 100,
    SLOWEST = 16 * 1024, /* bytes a second that a long body or reply must move */
    LINGER_MS = 2000,
    FAULT_MS = 5000
};

void gate_phase(struct gate *gate, enum gate_phase phase, uint64_t bytes)
{
    int64_t deadline = 0;
    if (phase != GATE_WORK)
        deadline = clock_ms() + gate->gates->seconds[phase] * 1000LL +
                   (int64_t)(bytes / SLOWEST) * 1000;
    atomic_store_explicit(&gate->deadline, deadline, memory_order_relaxed);
    atomic_store_explicit(&gate->phase, phase, memory_order_relaxed);
}

void gate_linger(struct gate *gate)
{
    struct gates *gates = gate->gates;
    pthread_mutex_lock(&gates->lock);
    int fd = gates->lingering_count < LINGER_MAX ? dup(gate->fd) : -1;
    if (fd >= 0) {
        gates->lingering[gates->lingering_count++] =
            (struct lingering){.fd = fd, .until = clock_ms() + LINGER_MS};
    }
    pthread_mutex_unlock(&gates->lock);
}

/* The client has all that was sent, and has not closed. */
static bool client_stays(int fd)
{
    struct tcp_info info;
    socklen_t size = sizeof info;
    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
           info.tcpi_state == TCP_FIN_WAIT2;
}

/* Drops what has come; true: the client is done, or had its time. A socket that the gate
 * has shut reads as if the client were. */
static bool drain(struct lingering *socket)
{
    char dropped[16 * 1024];
    for (int i = 0; i < 64; i++) {
        ssize_t got = read(socket->fd, dropped, sizeof dropped);
        if (got < 0 && errno != EAGAIN && errno != EINTR)
            return true;
        socket->shut = got == 0;
        if (got == 0 && !client_stays(socket->fd))
            return true;
        if (got <= 0)
            break;
    }
    return clock_ms() >= socket->until;
}

/* Closed simply, one that still sends could wait for minutes for room that never comes.
 */
static void close_lingering(int fd)
{
    struct linger reset = {.l_onoff = 1};
    if (client_stays(fd))
        (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(fd);
}

static void reap_lingering(struct gates *gates)
{
    for (int i = 0; i < gates->lingering_count;) {
        if (!drain(&gates->lingering[i])) {
            i++;
            continue;
        }
        close_lingering(gates->lingering[i].fd);
        gates->lingering[i] = gates->lingering[--gates->lingering_count];
    }
}

static void reap_gate(struct gate *gate, int64_t now)
{
    int phase = gate->phase;
    int64_t deadline = gate->deadline;
    if (gate->gates->close_idle && phase == GATE_HEAD)
        shutdown(gate->fd, SHUT_RD); /* what has arrived is still read */
    if (deadline == 0 || now < deadline)
        return;
    if (phase == GATE_REPLY || gate->fault != 0) {
        shutdown(gate->fd, SHUT_RDWR);
        return;
    }
    /* If the phase changed meanwhile, a request that came at the last moment is lost. */
    gate->deadline = now + FAULT_MS;
    gate_fault(gate, 408);
}

static void wait_a_tick(struct gates *gates)
{
    struct pollfd ready[LINGER_MAX];
    pthread_mutex_lock(&gates->lock);
    int count = 0;
    for (int i = 0; i < gates->lingering_count; i++)
        if (!gates->lingering[i].shut)
            ready[count++] =
                (struct pollfd){.fd = gates->lingering[i].fd, .events = POLLIN};
    pthread_mutex_unlock(&gates->lock);
    (void)poll(ready, (nfds_t)count, TICK_MS);
}

static void *reaper(void *context)
{
    struct gates *gates = context;
    while (!gates->stop) {
        wait_a_tick(gates);
        int64_t now = clock_ms();
        pthread_mutex_lock(&gates->lock);
        for (struct gate *gate = gates->first; gate != NULL; gate = gate->next)
            reap_gate(gate, now);
        reap_lingering(gates);
        pthread_mutex_unlock(&gates->lock);
    }
    return NULL;
}

struct gates *gates_new(int head_seconds, int body_seconds, int reply_seconds)
{
    struct gates *gates = calloc(1, sizeof *gates);
    if (gates == NULL)
        return NULL;
    gates->seconds[GATE_HEAD] = head_seconds;
    gates->seconds[GATE_BODY] = body_seconds;
    gates->seconds[GATE_REPLY] = reply_seconds;
    pthread_mutex_init(&gates->lock, NULL);
    if (pthread_create(&gates->reaper, NULL, reaper, gates) != 0) {
        log_error("http.reaper_failed");
        free(gates);
        return NULL;
    }
    return gates;
}

void gates_free(struct gates *gates)
{
    gates->stop = true;
    pthread_join(gates->reaper, NULL);
    for (int i = 0; i < gates->lingering_count; i++)
        close_lingering(gates->lingering[i].fd);
    pthread_mutex_destroy(&gates->lock);
    free(gates);
}

void gates_close_idle(struct gates *gates)
{
    gates->close_idle = true;
}

int gates_open(struct gates *gates)
{
    pthread_mutex_lock(&gates->lock);
    int count = gates->count;
    pthread_mutex_unlock(&gates->lock);
    return count;
}
