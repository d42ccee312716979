/* What several descriptions of a work tell in the same way, from its document (work.h).
 */
#ifndef LABD_TEXT_WORK_FACTS_H
#define LABD_TEXT_WORK_FACTS_H

#include "server/base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/* The value of the first identifier of the scheme, or NULL. */
const char *work_identifier(const json_t *work, const char *scheme);

/* Where an identifier leads: https://doi.org/10.1/x, with what no address may hold
 * percent-encoded; NULL for a scheme that leads nowhere. */
const char *identifier_address(struct arena *arena, const char *scheme,
                               const char *value);

/* "2020", "2020-06" or "2020-06-01", as far as the date is known; NULL without a year. */
const char *work_date_text(struct arena *arena, const json_t *work);

struct work_pages {
    const char *first, *last; /* NULL: not told apart, or the same */
    const char *shown; /* the whole, a range with an en dash; NULL: there are none */
};

/* "100--112", "e12", "3, 5-7": the ends of one range, else the text alone. */
struct work_pages work_pages(struct arena *arena, const json_t *work);

/* Has the text Han characters, Chinese therefore? "zh" or "en". */
const char *text_language(const char *text);

/* The language of the work, "en" where nothing tells: what the document says, if that is
 * a tag (BCP 47) or a name that is known, else by the script of its title. */
const char *work_language(const json_t *work);

#endif
