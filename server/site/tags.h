/* How states look: the class of the .tag that names one (static/site.css). */
#ifndef LABD_SITE_TAGS_H
#define LABD_SITE_TAGS_H

#include <jansson.h>

/* "good", "warn", "bad", "none" or, for what is under way, "". `thing`: "change",
 * "invitation", "mail", "collection", "section" (of an answer). What is not known is
 * under way. */
const char *tag_class(const char *thing, const char *state);
/* Adds `state_class`, of the row's `state`. */
void tag_add(json_t *row, const char *thing);
void tag_add_all(json_t *rows, const char *thing);

#endif
