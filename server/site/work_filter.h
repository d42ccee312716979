/* Which works a list or a file of works has, as its address says it: q, kind, person,
 * topic, project, venue (slugs), year or from and to, selected=yes, ids (slugs with
 * commas; files alone), after (id of the work before). What names nothing there is counts
 * as not given. */
#ifndef LABD_SITE_WORK_FILTER_H
#define LABD_SITE_WORK_FILTER_H

#include "db/store/public.h"
#include "server/http/request.h"

/* The query arguments of a list's route and of a file's. */
#define WORK_FILTER_ARGUMENTS "q kind person topic project venue year from to selected"

enum { WORK_FILTER_IDS = 2000 };

/* *choices: what there is to choose from, as the form of the list has it, chosen ones
 * with selected: true: {kinds[{kind}], from_years[{year}], to_years[{year}],
 * people[{slug, name_latin, name_han}], topics[{slug, name_en, name_zh}], projects[the
 * same], venues[{slug, name, short_name, label}], has_topics, has_projects, has_venues,
 * has_selected, selected}. limit stays 0. */
MUST_USE enum result work_filter_read(struct public_works_filter *filter,
                                      json_t **choices, struct request *request);

/* Narrows it to less than all works? */
bool work_filter_narrows(const struct public_works_filter *filter);

/* "?kind=article&year=2024", or "": the filter without the page, and without `key`
 * ("years" for year, from and to; may be NULL). */
const char *work_filter_query(struct arena *arena,
                              const struct public_works_filter *filter, const char *key);

/* What narrows it, for links that take it away: {q, kind, person, topic, project, venue,
 * years, selected}, each null or the choice with `remove`, the address without it: `base`
 * and its query. */
json_t *work_filter_active(const struct public_works_filter *filter,
                           const json_t *choices, const char *base);

#endif
