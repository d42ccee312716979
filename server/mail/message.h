/* A mail as bytes: RFC 5322 and MIME, one text in two parts (multipart/alternative). All
 * of it is ASCII in lines of at most 76 characters with CR LF: names and subjects are
 * encoded words (RFC 2047), parts are quoted-printable or base64, whichever is shorter.
 */
#ifndef LABD_MAIL_MESSAGE_H
#define LABD_MAIL_MESSAGE_H

#include "server/base/buf.h"
#include "server/base/result.h"

#include <stdbool.h>

struct message {
    const char *message_id; /* without < > */
    const char *date;       /* RFC 5322 */
    const char *from_name, *from_address;
    const char *to_name, *to_address; /* name: or NULL */
    const char *reply_to;             /* or NULL */
    const char *subject;
    const char *text, *html; /* well-formed UTF-8 */
    const char *language;    /* "en" or "zh" */
    const char *stop_url;    /* RFC 8058: a POST there stops mails like this; or NULL */
};

/* INVALID: an address that can't stand in a header. What else there is in a name or the
 * subject, line ends too, stays within its header. */
MUST_USE enum result message_write(struct buf *out, const struct message *message);

/* NAME@HOST of printable ASCII, nothing in it that means something in a header or to
 * SMTP, and short enough for both (RFC 5321 4.5.3.1). */
bool message_address_fit(const char *address);

#endif
