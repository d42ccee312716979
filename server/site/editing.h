/* Writing a document through the one door: a form page, what comes back from it, and the
 * page that shows both texts when somebody else was faster. Used for every
 * entity, by members (a change is proposed) and admins (it takes effect at once). The
 * words of the page are edit.title.CODE, edit.lead.CODE and edit.save.CODE with a CODE
 * such as my_person, admin_publication or, for a new one, my_publication_new. */
#ifndef LABD_SITE_EDITING_H
#define LABD_SITE_EDITING_H

#include "server/form/definition.h"
#include "server/http/router.h"

struct editing {
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

/* The form of a new one with `values` (NULL: empty) as if typed; `look_up` is what
 * templates/partials/look_up.html shows. */
MUST_USE enum result editing_begin(struct request *request, struct response *response,
                                   const struct editing *editing, json_t *values,
                                   json_t *look_up);

/* `people` of a form_page() that has a person field: those whom a name may be linked to;
 * of a work's form the boxes of its topics too. */
MUST_USE enum result editing_people(json_t *form_document, struct request *request,
                                    const struct form *form);

/* Any entity, by a route that names it: the one that :slug says; without :slug a new one.
 * Leads back to the path above for an admin, to /my for a member. */
handler entity_edit;

/* look_up.c: a new work's form, filled in by an identifier. 502: the other side failed.
 */
handler look_up_answer;

#endif
