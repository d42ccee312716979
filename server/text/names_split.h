/* Cutting name lists outside braces. For names.c. */
#ifndef LABD_TEXT_NAMES_SPLIT_H
#define LABD_TEXT_NAMES_SPLIT_H

#include "server/base/arena.h"
#include "server/base/slice.h"

struct words {
    struct slice *list;
    size_t count;
};

/* The single names of a list: between "and" (any case), 、 and ； - and ; where there is
 * no "and". Trimmed, none empty. */
void names_of(struct words *names, struct arena *arena, struct slice source);
/* Between commas; trimmed, empty ones left out. */
void commas_of(struct words *parts, struct arena *arena, struct slice source);
/* Between white space and ties. */
void words_of(struct words *words, struct arena *arena, struct slice source);

/* Does a word start with a small letter, by BibTeX's rule: the first letter outside
 * braces counts, or that of a special character {\...}? Words without case are not small.
 */
bool word_is_small(struct slice word);

#endif
