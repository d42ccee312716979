/* Two versions of a form side by side: what changed, and what that asks again of people
 * who have answered the older one. */
#ifndef LABD_FORM_DIFFERENCE_H
#define LABD_FORM_DIFFERENCE_H

#include "server/form/definition.h"

/* What `after` has that `before` has not, in the order of `after`, then what it has no
 * more; both as written (templates/forms/NAME.json), drafts too:
 *
 *   [{kind, section, name, type, label_en, label_zh, what: [ATTRIBUTE]}]
 *
 * kind: "added", "removed", "altered" (what: the attributes, such as "label", "choices",
 * "fields"), "moved" (alone) or, altered and moved, "altered" with "place" among `what`.
 * section: it is about a section, which has no name; its label is its title. Labels are
 * null where there are none. */
json_t *form_changes(json_t *before, json_t *after);

/* The names of the fields of `after` that somebody must be asked who has given `answer`
 * (a document of `before`, as for members): new ones, those of another type, those they
 * were not shown before and are now, and those whose answer is no longer valid. An empty
 * array: nothing. Without an answer (NULL, null) it is null: everything. */
MUST_USE enum result form_asked_again(json_t **names, const struct form *before,
                                      const struct form *after, json_t *answer);

#endif
