/* Nothing typed is lost when a session or the token of a form has run out. What was
 * posted is kept for the account whose form it was (the token says whose), nobody else;
 * signing in leads to a page that shows it and has one button: back to the form as it was
 * typed (the action "redraw", submission.h), or where that is not known, sending it now.
 * Forms for nobody in particular, signing in for one, are answered with that page at
 * once. */
#ifndef LABD_SITE_HELD_H
#define LABD_SITE_HELD_H

#include "server/http/router.h"

/* When guard_admit() refused. DENIED: nothing to keep, the refusal stands. */
MUST_USE enum result held_answer(struct request *request, struct response *response);
/* After a handler has answered: what was kept for a path goes when it has been sent. */
MUST_USE enum result held_settle(struct request *request, struct response *response);
/* Where to after signing in: to what was kept, else `location`. */
MUST_USE enum result held_location(const char **location, struct request *request,
                                   int64_t account);

handler my_held_show, my_held_discard;

#endif
