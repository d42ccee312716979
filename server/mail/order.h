/* Ordering a mail: its words are made, and it waits in the outbox, in the transaction
 * that causes it. */
#ifndef LABD_MAIL_ORDER_H
#define LABD_MAIL_ORDER_H

#include "db/store/event.h"
#include "server/base/language.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdint.h>

struct db;

struct mail_order {
    const char *template; /* a kind of text.h: its words are templates/mail/NAME.*.txt, or
                             the admin's of that name */
    int64_t account;      /* whose address, name and language */
    int64_t collection;   /* 0: none; whose own words stand before the lab's */
    int64_t invitation;   /* 0: none */
    json_t *values;       /* for its placeholders; may be NULL. "missing" may be an array
                             of labels. Known by themselves: name, lab, collection,
                             deadline, link, code; hours */
    const char *next;    /* path that its {{link}} leads to after signing in; NULL: a mail
                            without link */
    int link_hours;      /* how long the link is good, from when it goes out */
    const char *address; /* NULL: the account's */
};

/* *id of the mail. Joins the open transaction. Of a disabled account the mail is
 * cancelled at once. NOT_FOUND: no such account. */
MUST_USE enum result mail_order(int64_t *id, struct db *db, const struct actor *actor,
                                const struct mail_order *order);

/* The same without writing: {language, subject, body, html, to_name, to_address,
 * problems: [{code: "disabled" | "bounced" | "no_smtp" | "words"}]}; the link and the
 * code are invented. */
MUST_USE enum result mail_preview(json_t **mail, struct db *db,
                                  const struct mail_order *order);

/* A copy of a mail that has gone out, or failed, as a new one with a new link. CONFLICT:
 * it is neither. `mail` is of mail_find(). */
MUST_USE enum result mail_resend(int64_t *id, struct db *db, const struct actor *actor,
                                 const json_t *mail);

/* A test mail: words as they are being written, filled in with invented values and a link
 * of the account's own. INVALID: they can't be filled in. */
struct mail_kind;
MUST_USE enum result mail_order_example(int64_t *id, struct db *db,
                                        const struct actor *actor, int64_t account,
                                        const struct mail_kind *kind,
                                        enum language language, const char *subject,
                                        const char *body);

/* The short code that stands for a link on another device: 40 bits of the secret in
 * Crockford's base 32, "7K3M-9QXT". */
const char *mail_code(const char *secret);
/* Its hash for link_redeem_code(), however it was typed (case, spaces, O for 0). */
const char *mail_code_hash(int64_t account, const char *typed);

/* Where links lead: the option base_url, else http://HOST:PORT as set at start. */
const char *mail_origin(void);
void mail_set_origin(const char *host, int port);

/* Text and HTML as they go out: {{link}} and {{code}} filled in by the secret (NULL: with
 * an invented one). */
const char *mail_finished(const char *body, const char *secret);

#endif
