/* What a pilot tells of a form: see templates/builder/pilot.html. */
#ifndef LABD_DB_STORE_PILOT_H
#define LABD_DB_STORE_PILOT_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdint.h>

struct db;

/* NOT_FOUND: there was no pilot. Else of its newest form version
 *   version      {id, number, definition, opened_at}
 *   people       {asked, opened, started, submitted, timed, seconds (the median of those
 *                who sent in, or null)}
 *   sections     [{section, people, timed, pauses, seconds (median or null), stopped}]:
 *                stopped there, and did not send in
 *   corrections  [{field, code, times, people}], the most frequent first
 *   feedback     [{section, field, unclear, comment, email, name_latin, name_han}]
 *   changed      [{field, people}]: have another value than they were shown */
MUST_USE enum result pilot_read(json_t **pilot, struct db *db, int64_t collection);

#endif
