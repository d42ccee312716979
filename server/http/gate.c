/* The gate between socket and library: reading, judging, refusing; see gate.h. */
#include "server/http/gate_private.h"
#include "server/http/head.h"
#include "server/http/headers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    DESCRIPTORS_MAX = 128 * 1024,
    FIRST_ROOM = 2048,
    ROOM_MAX = HEAD_BYTES_MAX + 4096,
    REFUSAL_MAX = 2048
};

static _Atomic(struct gate *) by_descriptor[DESCRIPTORS_MAX];

struct gate *gate_new(struct gates *gates, int fd)
{
    struct gate *gate = calloc(1, sizeof *gate);
    if (gate == NULL || fd < 0 || fd >= DESCRIPTORS_MAX) {
        shutdown(fd, SHUT_RDWR);
        free(gate);
        return NULL;
    }
    gate->gates = gates;
    gate->fd = fd;
    gate_phase(gate, GATE_HEAD, 0);
    atomic_store(&by_descriptor[fd], gate);
    pthread_mutex_lock(&gates->lock);
    gate->next = gates->first;
    if (gate->next != NULL)
        gate->next->before = gate;
    gates->first = gate;
    gates->count++;
    pthread_mutex_unlock(&gates->lock);
    return gate;
}

void gate_free(struct gate *gate)
{
    struct gates *gates = gate->gates;
    pthread_mutex_lock(&gates->lock);
    if (gate->before != NULL)
        gate->before->next = gate->next;
    else
        gates->first = gate->next;
    if (gate->next != NULL)
        gate->next->before = gate->before;
    gates->count--;
    pthread_mutex_unlock(&gates->lock);
    atomic_store(&by_descriptor[gate->fd], NULL);
    free(gate->held);
    free(gate);
}

uint64_t gate_heads(const struct gate *gate)
{
    return gate->heads;
}

void gate_fault(struct gate *gate, int status)
{
    int none = 0;
    atomic_compare_exchange_strong(&gate->fault, &none, status);
    shutdown(gate->fd, SHUT_RD);
}

void gate_refuse(struct gate *gate, int status)
{
    gate_fault(gate, status);
}

/* Lets a head at the start of what is held pass; false: there is none yet, or a bad one.
 * One empty line before it is tolerated (RFC 9112 2.2), by the library too. */
static bool pass_head(struct gate *gate)
{
    const char *bytes = gate->held + gate->passed;
    size_t length = gate->length - gate->passed;
    if (bytes[0] == '\r' && !gate->empty_line) {
        gate->empty_line = length > 1 && bytes[1] == '\n';
        if (length > 1 && !gate->empty_line)
            gate_fault(gate, 400);
        gate->passed += gate->empty_line ? 2 : 0;
        return gate->empty_line;
    }
    int status = 0;
    size_t end = head_end(bytes, length, &gate->scanned, &status);
    struct head head = {.status = status};
    if (end > 0)
        head = head_read(bytes, end);
    if (head.status != 0)
        gate_fault(gate, head.status);
    if (end == 0 || head.status != 0)
        return false;
    gate->passed += end;
    gate->scanned = 0;
    gate->empty_line = false;
    gate->body_left = head.content_length;
    gate->chunking = head.chunked;
    gate->chunked = (struct chunked){0};
    gate->heads++;
    return true;
}

static bool pass_chunks(struct gate *gate)
{
    size_t used = chunked_read(&gate->chunked, gate->held + gate->passed,
                               gate->length - gate->passed);
    if (gate->chunked.state == CHUNK_FAULT) {
        gate_fault(gate, 400);
        return false;
    }
    gate->passed += used;
    gate->chunking = gate->chunked.state != CHUNK_END;
    return true;
}

static bool pass_body(struct gate *gate)
{
    size_t there = gate->length - gate->passed;
    size_t part = there < gate->body_left ? there : (size_t)gate->body_left;
    gate->passed += part;
    gate->body_left -= part;
    return true;
}

static void judge(struct gate *gate)
{
    bool more = true;
    while (more && gate->passed < gate->length) {
        if (gate->body_left > 0)
            more = pass_body(gate);
        else if (gate->chunking)
            more = pass_chunks(gate);
        else
            more = pass_head(gate);
    }
}

/* Gives the library what has passed. */
static size_t hand_over(struct gate *gate, char *bytes, size_t length)
{
    size_t part = gate->passed - gate->sent;
    if (part > length)
        part = length;
    if (part == 0)
        return 0;
    memcpy(bytes, gate->held + gate->sent, part);
    gate->sent += part;
    if (gate->sent == gate->length) {
        gate->sent = gate->passed = gate->length = 0;
        if (gate->room > FIRST_ROOM) { /* idle connections stay small */
            free(gate->held);
            gate->held = NULL;
            gate->room = 0;
        }
    }
    return part;
}

/* Room for more at the end of what is held. */
static bool make_room(struct gate *gate)
{
    if (gate->sent > 0) {
        memmove(gate->held, gate->held + gate->sent, gate->length - gate->sent);
        gate->length -= gate->sent;
        gate->passed -= gate->sent;
        gate->sent = 0;
    }
    if (gate->length < gate->room)
        return true;
    size_t room = gate->room == 0 ? FIRST_ROOM : gate->room * 2;
    if (room > ROOM_MAX)
        room = ROOM_MAX;
    char *held = room > gate->room ? realloc(gate->held, room) : NULL;
    if (held == NULL)
        return false;
    gate->held = held;
    gate->room = room;
    return true;
}

/* Writes the refusal; the library then sees the end of the connection. */
static ssize_t refuse(struct gate *gate, int status)
{
    if (gate->ended)
        return 0;
    gate->ended = true;
    bool nothing_asked = gate->phase == GATE_HEAD && gate->length == gate->sent;
    if (status == 408 && nothing_asked)
        return 0;
    char answer[REFUSAL_MAX];
    size_t length = bare_answer(answer, sizeof answer, status);
    (void)send(gate->fd, answer, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(gate->fd, SHUT_WR);
    gate_linger(gate);
    return 0;
}

static ssize_t read_socket(int fd, void *bytes, size_t length, int flags)
{
    return syscall(SYS_recvfrom, fd, bytes, length, flags, NULL, NULL);
}

enum more { ENDED = -1, DRAINED, MORE };

static enum more outcome(ssize_t got, size_t wanted)
{
    if (got > 0)
        return (size_t)got == wanted ? MORE : DRAINED;
    if (got == 0)
        errno = 0;
    return got < 0 && (errno == EAGAIN || errno == EINTR) ? DRAINED : ENDED;
}

/* Reads from the socket, into the library's own memory where the bytes need no judging;
 * with ENDED, errno is 0 or the error. */
static enum more read_more(struct gate *gate, char *bytes, size_t length, size_t *given)
{
    if (gate->body_left > 0 && gate->sent == gate->length) {
        size_t wanted = length < gate->body_left ? length : (size_t)gate->body_left;
        ssize_t got = read_socket(gate->fd, bytes, wanted, MSG_DONTWAIT);
        if (got > 0) {
            *given += (size_t)got;
            gate->body_left -= (uint64_t)got;
        }
        return outcome(got, wanted);
    }
    if (!make_room(gate)) {
        errno = ENOMEM;
        return ENDED;
    }
    size_t wanted = gate->room - gate->length;
    ssize_t got = read_socket(gate->fd, gate->held + gate->length, wanted, MSG_DONTWAIT);
    if (got > 0) {
        gate->length += (size_t)got;
        judge(gate);
    }
    return outcome(got, wanted);
}

/* The library takes a short read for an empty socket and waits for the next edge of
 * epoll. So a read is short only when the socket was empty, or when gate_fault or the
 * shutdown() here makes an edge. */
static ssize_t gate_read(struct gate *gate, char *bytes, size_t length)
{
    size_t given = 0;
    enum more more = MORE;
    for (;;) {
        given += hand_over(gate, bytes + given, length - given);
        if (given == length)
            break;
        int status = gate->fault;
        if (status != 0 && given == 0)
            return refuse(gate, status);
        if (status != 0 || (more == ENDED && given > 0)) {
            shutdown(gate->fd, SHUT_RD);
            break;
        }
        if (more == ENDED)
            return errno == 0 ? 0 : -1;
        if (more == DRAINED && given > 0)
            break;
        if (more == DRAINED) {
            errno = EAGAIN;
            return -1;
        }
        more = read_more(gate, bytes + given, length - given, &given);
    }
    return (ssize_t)given;
}

/* Takes the place of the C library's function, for every library of the program. */
__attribute__((visibility("default"))) ssize_t recv(int fd, void *bytes, size_t length,
                                                    int flags)
{
    struct gate *gate =
        fd >= 0 && fd < DESCRIPTORS_MAX ? atomic_load(&by_descriptor[fd]) : NULL;
    if (gate == NULL)
        return read_socket(fd, bytes, length, flags);
    return gate_read(gate, bytes, length);
}
