/* Sends what waits in the outbox, on a thread with its own connection; any number of
 * instances may do so at once. Each mail goes out at least once, always with its one
 * Message-ID: a try that ended without a known outcome is repeated when its lease ends.
 * Between tries: one minute, then twice as long each time, an hour at most; given up
 * after about three days, or at once when the server refuses the recipient or the
 * message. */
#ifndef LABD_MAIL_WORKER_H
#define LABD_MAIL_WORKER_H

struct mail_worker;

/* NULL without the option smtp_url. mail_use() was called before. */
struct mail_worker *mail_worker_start(const char *conninfo);
/* There may be something to send; from any thread, at any time. */
void mail_worker_wake(struct mail_worker *worker); /* NULL is allowed */
/* Takes no further mail; a message already handed over has `drain_seconds` for its
 * answer. */
void mail_worker_halt(struct mail_worker *worker, int drain_seconds); /* NULL as well */
/* Waits for its end. */
void mail_worker_stop(struct mail_worker *worker); /* NULL as well */

#endif
