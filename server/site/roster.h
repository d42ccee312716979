/* A row of a roster (templates/forms/roster.json) as a person document; for
 * import_people.c alone. */
#ifndef LABD_SITE_ROSTER_H
#define LABD_SITE_ROSTER_H

#include "server/base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/* The person document that the row gives, with the keys that it fills alone. */
json_t *roster_person(struct arena *arena, json_t *row);

/* The name by which the person is looked for; NULL when the row has none that could be
 * one: no letters, or a row with nothing but a text with digits ("9 people in all"). */
const char *roster_name(struct arena *arena, json_t *row, json_t *person);

/* What the row adds to a person who is here: keys that are empty so far, and the
 * appointment. `kept` gets the names of fields that say something else already. */
json_t *roster_addition(json_t *current, json_t *person, json_t *kept);

#endif
