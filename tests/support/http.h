/* A daemon in this process with a stand-in for dispatch, and a client that sends bytes as
 * they are. */
#ifndef LABD_TESTS_SUPPORT_HTTP_H
#define LABD_TESTS_SUPPORT_HTTP_H

#include "server/http/daemon.h"

#include <stdatomic.h>

enum { HTTP_LARGE = 16 * 1024 * 1024 }; /* bytes of GET /large */

/* How often /count, /page and /slow were run since the last start. */
extern atomic_int http_counted;
/* While true, requests of GET /slow stay where they are; then they take 300 ms. */
extern atomic_bool http_held;

struct daemon_options http_test_options(void);
/* Starts on a free port; `pages` and `statics` are the options'. */
struct daemon *http_test_start(const struct daemon_options *options);
void http_test_stop(struct daemon *daemon);

int http_connect(struct daemon *daemon);
void http_send(int fd, const char *bytes, size_t length);
/* Reads until the end, 64 KiB or `ms` of silence; a malloc'd string. *closed tells
 * whether the server closed. */
char *http_receive(int fd, int ms, bool *closed);
/* Reads one answer with a Content-Length, or an interim one; "" when none comes. */
char *http_answer(int fd);
/* Sends on a new connection, reads to the end of the connection. */
char *http_exchange(struct daemon *daemon, const char *bytes, size_t length,
                    bool *closed);
int http_status(const char *answer);

#endif
