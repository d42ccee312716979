/* Every byte a client sends passes here before libmicrohttpd sees it.
 *
 * That library (0.9.75) takes Content-Length together with Transfer-Encoding, folded
 * lines, two Hosts, bare LF, and cuts at NUL; it has no deadline but an idle one. So this
 * program defines recv(), which the library calls: for a socket of ours it reads, holds a
 * head back until it is complete and judged (head.h), follows the framing of the body,
 * and passes on nothing that follows a fault. A refusal is written to the socket by the
 * gate itself, in its turn, and the library sees the end of the connection. Other sockets
 * are read as ever.
 *
 * The reaper thread ends what lasts too long, and reads on for a moment what a refused
 * client still sends, so that the refusal is not lost in a reset. */
#ifndef LABD_HTTP_GATE_H
#define LABD_HTTP_GATE_H

#include "server/base/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gates; /* all connections of one daemon, and its reaper */
struct gate;  /* one connection */

struct gates *gates_new(int head_seconds, int body_seconds, int reply_seconds);
void gates_free(struct gates *gates);
/* Closes connections that are between two requests, now and from now on. */
void gates_close_idle(struct gates *gates);
int gates_open(struct gates *gates); /* how many connections there are */

/* NULL: no such descriptor; the connection was shut down. */
struct gate *gate_new(struct gates *gates, int fd);
void gate_free(struct gate *gate); /* before the descriptor is closed */

enum gate_phase {
    GATE_HEAD,  /* waits for a request: head_seconds */
    GATE_BODY,  /* receives one: body_seconds, and a second for each 16 KiB expected */
    GATE_WORK,  /* ours to take time */
    GATE_REPLY, /* sends: reply_seconds, and a second for each 16 KiB */
};
void gate_phase(struct gate *gate, enum gate_phase phase, uint64_t bytes);

/* How many heads have been passed on: 0 means that the library reads past the gate. */
uint64_t gate_heads(const struct gate *gate);
/* Refuses the request whose body is being received, in bare words. */
void gate_refuse(struct gate *gate, int status);
/* Keeps reading and dropping what comes for a moment after the library has closed. */
void gate_linger(struct gate *gate);

#endif
