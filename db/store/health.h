/* What of the lab's works lacks or looks wrong; for admins. */
#ifndef LABD_DB_STORE_HEALTH_H
#define LABD_DB_STORE_HEALTH_H

#include "server/base/result.h"

#include <jansson.h>

struct db;

/* The checks of works, in the order in which they are shown; ended by NULL. */
extern const char *const health_checks[];

/* [{check, found (counted up to 5,000), rows: [{slug, title, year, detail}]}], one for
 * each check that found something; `rows` of them have `most` at most. check NULL: all.
 */
MUST_USE enum result health_of_works(json_t **found, struct db *db, const char *check,
                                     int most);

/* Members without a work: [{slug, name_latin, name_han}]. */
MUST_USE enum result health_of_people(json_t **people, struct db *db);

/* Authors' names that somebody here has, and that are linked to nobody: [{name, count of
 * works, slug of the newest one, people: how many have the name}]. */
MUST_USE enum result health_of_names(json_t **names, struct db *db);

#endif
