/* Hears from the database which content tables were written, by any instance or by psql:
 * statement triggers there say pg_notify('content', table). Runs on its own thread and
 * connection. */
#ifndef LABD_DB_LISTENER_H
#define LABD_DB_LISTENER_H

#include <stdint.h>

struct listener;

/* Called on the listener's thread. It begins in the lost state: the first call is
 * back(). Between lost() and back() changes are missed, so what depends on them must be
 * bypassed, and flushed at back(). A connection that is cut without a word is noticed
 * within about eight seconds. */
struct listener_events {
    void (*changed)(uint64_t tables); /* bits of enum table */
    void (*lost)(void);
    void (*back)(void);
};

struct listener *listener_start(const char *conninfo, struct listener_events events);
/* Ends the thread, within the two seconds that a try to connect may take. */
void listener_stop(struct listener *listener); /* NULL is allowed */

#endif
