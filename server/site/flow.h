/* What the pages of signed-in people share. */
#ifndef LABD_SITE_FLOW_H
#define LABD_SITE_FLOW_H

#include "db/store/event.h"
#include "server/base/document.h"
#include "server/form/submission.h"
#include "server/http/request.h"
#include "server/http/response.h"

/* The signed-in account as the doer of something; nobody's name is "visitor". */
struct actor actor_of(const struct request *request);
int64_t account_id(const struct request *request);

/* A positive decimal number; NOT_FOUND for anything else. */
MUST_USE enum result number_of(int64_t *number, const char *text);

/* The numbers in a field of the body, however often it stands there, each of its values a
 * list with commas: a body has few fields, and numbers are many. Empty when anything of
 * it is no number: nothing is done to half of a list. */
json_t *flow_numbers(const struct request *request, const char *name);
/* "1,2,3": the values of `key` in the rows of a list; key NULL: the list is of numbers.
 */
json_t *flow_number_list(json_t *rows, const char *key);

/* 303 to `path` with ?notice=`notice` (words: notice.NOTICE), which flow_page() shows. */
void flow_done(struct response *response, const char *path, const char *notice);
/* page(), for one person alone: never stored. Adds `notice` (null or a code), `section`
 * {overview, changes, people, ...: true for the admin's section that this is} and, beside
 * every x_at, x_at_day "2026-12-01" and x_at_minute "2026-12-01 02:05 UTC+8", by the
 * clock of the lab (beside `at`: day and minute). */
MUST_USE enum result flow_page(struct request *request, struct response *response,
                               const char *template, json_t *document);

/* Adds to each change of a list: open (can still be worked on), waiting, was_returned,
 * and state_class for its .tag. */
void flow_change_states(json_t *changes);
/* Adds to each event of a list `named`: whether its action has words, event.ACTION. */
void flow_event_names(json_t *events);
/* Reads the body by the form `name`. OK or INVALID: then 422 is set. */
MUST_USE enum result flow_form(struct submission *submission, struct request *request,
                               struct response *response, const char *name,
                               enum form_audience audience);

/* Adds what only the store could find, [{field, code}]; "refused" when it doesn't say. */
void flow_store_errors(struct submission *submission, json_t *errors);

/* What goes through a page in a hidden field and back fits the limit of all fields of a
 * body, with room for the others. */
enum { FLOW_CARRIED_BYTES = 900 * 1000 };

/* A text of a form with plain line ends. */
const char *flow_plain_lines(struct arena *arena, const char *text, size_t length);

/* The choices of a <select>, [{value, selected}], of a list that ends with NULL. `chosen`
 * may be NULL. */
json_t *flow_options(const char *const *values, const char *chosen);

/* Adds `form`, an admin's form as its page draws it: with `values` (may be NULL), or with
 * what was `sent` and is wrong. */
void flow_add_form(json_t *document, const struct request *request, const char *name,
                   json_t *values, const struct submission *sent);

#endif
