/* What gate.c (reading) and reaper.c (deadlines) share. */
#ifndef LABD_HTTP_GATE_PRIVATE_H
#define LABD_HTTP_GATE_PRIVATE_H

#include "server/http/chunked.h"
#include "server/http/gate.h"

#include <pthread.h>
#include <stdatomic.h>

struct gate {
    struct gates *gates;
    struct gate *next, *before; /* in gates->first */
    int fd;

    /* Shared by the event thread and the reaper. */
    atomic_int phase, fault; /* fault: the status to refuse with */
    atomic_llong deadline;   /* clock_ms(); 0: none */
    atomic_ullong heads;

    /* The event thread's alone. */
    char *held; /* bytes read: [0, sent) are the library's, [sent, passed) may be */
    size_t room, length, sent, passed, scanned;
    bool empty_line; /* one was let through before this head */
    bool chunking, ended;
    uint64_t body_left;
    struct chunked chunked;
};

enum { LINGER_MAX = 64 };

struct gates {
    pthread_mutex_t lock; /* of the list, of closing, and of the lingering sockets */
    pthread_t reaper;
    struct gate *first;
    int count;
    int seconds[GATE_REPLY + 1];
    atomic_bool stop, close_idle;
    struct lingering {
        int fd;
        bool shut; /* reads nothing any more, and poll() would not wait for it */
        int64_t until;
    } lingering[LINGER_MAX];
    int lingering_count;
};

/* Notes the fault and wakes the event thread, which then calls recv() again. */
void gate_fault(struct gate *gate, int status);

#endif
