/* What is done with many people of a board at once. */
#ifndef LABD_SITE_BOARD_ACT_H
#define LABD_SITE_BOARD_ACT_H

#include "server/base/result.h"
#include "server/http/request.h"

#include <jansson.h>

enum deed {
    DEED_REMIND,
    DEED_EXTEND,
    DEED_RESEND, /* the invitation, or what was asked again, with a new link */
    DEED_LINK,   /* a new link to hand over */
    DEED_WITHDRAW,
    DEED_REINSTATE
};

/* "remind", "extend", ...; NOT_FOUND: another name. */
MUST_USE enum result deed_of(enum deed *deed, const char *name);
const char *deed_name(enum deed deed);

struct acting {
    struct request *request;
    json_t *collection;
    enum deed deed;
    const char *until; /* DEED_EXTEND: "2026-12-20"; NULL: back to the collection's */
};

/* Why it can't be done with a person (a row of the board): a code, board.refused.CODE;
 * "": it can. */
MUST_USE enum result deed_refusal(const char **code, const struct acting *acting,
                                  const json_t *person);

/* The mail that the person would get: mail_preview(). NOT_FOUND: the deed sends none. */
MUST_USE enum result deed_preview(json_t **mail, const struct acting *acting,
                                  const json_t *person);

/* Does it, in a transaction of its own, unless it is refused or the person's latest mail
 * is not `seen` any more (0: there was none): then nothing happens, and *code says why.
 * *link: of DEED_LINK. */
MUST_USE enum result deed_do(const char **code, const char **link,
                             const struct acting *acting, const json_t *person,
                             int64_t seen);

#endif
