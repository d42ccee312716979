/* Decisions on changes, with the mail to the author in the same transaction. */
#ifndef LABD_SITE_DECIDING_H
#define LABD_SITE_DECIDING_H

#include "server/http/request.h"

#include "server/base/result.h"

struct decision {
    int64_t change, version; /* the version that was seen */
    json_t *edited;      /* the reviewer's text in place of the author's, or NULL, ... */
    int64_t base;        /* ... written against this version of the target */
    const char *comment; /* when it is returned; */
    json_t *comments;    /* {"field": "text"}; either may be NULL */
};

/* As change_approve(), or change_approve_edited() with `edited`. */
MUST_USE enum result decide_approve(json_t **applied, struct request *request,
                                    const struct decision *decision);
/* As change_return_with(). */
MUST_USE enum result decide_return(struct request *request,
                                   const struct decision *decision);

#endif
