/* One SMTP conversation at a time, by libcurl: STARTTLS where the server offers it, TLS
 * from the start for smtps://, certificates checked against the system's authorities. A
 * name and password are only ever sent over TLS, or to this machine. */
#ifndef LABD_MAIL_SMTP_H
#define LABD_MAIL_SMTP_H

#include "server/base/buf.h"

#include <stdbool.h>

struct smtp;

/* `stopping` is asked about once a second; once it says yes, a conversation that has not
 * handed over its message ends, one that has waits for the answer until the time that
 * *stopping sets has passed. */
struct smtp_stop {
    bool (*stopping)(void *data);
    bool (*late)(void *data); /* nothing may wait any longer */
    void *data;
};

struct smtp *smtp_open(struct smtp_stop stop);
void smtp_close(struct smtp *smtp); /* NULL is allowed; ends the connection too */

enum smtp_outcome {
    SMTP_SENT,
    SMTP_LATER,   /* this message was not taken for now (4xx), or who knows */
    SMTP_NOBODY,  /* no conversation came about: it would be so for any message */
    SMTP_REFUSED, /* 5xx to this recipient or message */
    SMTP_STOPPED
};

/* Hands over a message of message.h. The connection is kept for the next. *words: the
 * server's last answer, or libcurl's reason; on the current arena. */
enum smtp_outcome smtp_send(struct smtp *smtp, const char **words, const char *from,
                            const char *to, const struct buf *message);

/* NULL when the options are fit for sending, or there is no smtp_url; else a sentence. */
const char *smtp_options_fault(void);

#endif
