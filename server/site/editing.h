/* Writing a document through the one door: a form page, what comes back from it, and the
 * page that shows both texts when somebody else was faster. Used for profiles, works and
 * the lab, by members (a change is proposed) and admins (it takes effect at once). */
#ifndef LABD_SITE_EDITING_H
#define LABD_SITE_EDITING_H

#include "server/http/request.h"
#include "server/http/response.h"

struct editing {
    const char *code;   /* of the page: its words are edit.title.CODE and so on */
    const char *entity; /* also the form's name */
    int64_t target;     /* 0: a new one */
    json_t *change;     /* the open change to go on with (change_show()), or NULL */
    bool at_once;       /* by an admin, without review */
    const char *action; /* where the form posts */
    const char *back;   /* where the page leads back to */
    const char *done;   /* where to go afterwards; NULL: `back` */
};

/* GET: the form, with what is there or what the member has proposed already. POST: what
 * came back. */
MUST_USE enum result editing_answer(struct request *request, struct response *response,
                                    const struct editing *editing);

/* The editing of the work that param "slug" names, on a page below `base` ("/my"). */
MUST_USE enum result editing_of_work(struct editing *editing,
                                     const struct request *request, const char *base);

#endif
