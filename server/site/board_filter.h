/* Whom a board shows and in which order, as its address says it: state, wave, role, mail,
 * q, sort ("-name": descending), page. What is unknown or out of range is left out. */
#ifndef LABD_SITE_BOARD_FILTER_H
#define LABD_SITE_BOARD_FILTER_H

#include "db/store/board.h"
#include "server/http/request.h"

enum { BOARD_PAGE = 100 };

/* `values` is request->query, or a form's fields with the same names. The page is in
 * offset and limit. */
struct board_filter board_filter_of(json_t *values, int64_t collection);

/* Narrows it to less than everybody? */
bool board_filter_narrows(const struct board_filter *filter);

/* "?state=started&sort=-name", or "": the filter with `key` as `value` (NULL: without it)
 * in place of its own; anything but "page" leads to the first page. `key` may be NULL. */
const char *board_filter_query(struct arena *arena, const struct board_filter *filter,
                               const char *key, const char *value);

/* {q, state, wave, role, mail, sort}: for hidden fields; null where there is none. */
json_t *board_filter_document(const struct board_filter *filter);

/* The choices of its selects: {states, roles, mails: [{value, selected}], waves: [{value,
 * kind, selected}]}. */
json_t *board_filter_options(const struct board_filter *filter, json_t *waves);

/* The columns to sort by: [{key, url, sort: "ascending" | "descending" | "none"}]. */
json_t *board_filter_columns(struct arena *arena, const char *base,
                             const struct board_filter *filter);

#endif
