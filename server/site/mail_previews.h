/* A mail of a collection as one person would read it, before anything is ordered. */
#ifndef LABD_SITE_MAIL_PREVIEWS_H
#define LABD_SITE_MAIL_PREVIEWS_H

#include "server/base/result.h"
#include "server/http/request.h"

#include <jansson.h>

struct mail_look {
    const char *template;
    const json_t *collection;
    int64_t person;       /* who may have no account yet; or */
    int64_t account;      /* else 0 */
    json_t *labels;       /* what is missing or asked again; or NULL */
    const char *language; /* as if the person read this one; NULL: their own */
};

/* mail_preview(), for templates/partials/mail_preview.html, in a transaction that is
 * rolled back: so an account that the mail would need is there for it. NOT_FOUND: there
 * is no such account, and none can be made. */
MUST_USE enum result mail_look_at(json_t **mail, struct request *request,
                                  const struct mail_look *look);

#endif
