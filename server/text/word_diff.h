/* What changed between two texts, word by word (Latin and other scripts with spaces) or
 * character by character (Han, kana), as a reader would mark it. */
#ifndef LABD_TEXT_WORD_DIFF_H
#define LABD_TEXT_WORD_DIFF_H

#include "server/base/arena.h"

#include <jansson.h>

/* Appends the parts of each text to its array: [{text, changed}], neighbours of one kind
 * merged; put together they are the text again. Both must be well-formed UTF-8. Beyond
 * some thousand differing words the whole differing stretch counts as changed. */
void word_diff(json_t *before, json_t *after, struct arena *arena, const char *old,
               const char *new);

#endif
