/* May a work be shown as the very entry that it came from? People like to find their
 * own back: its macros are expanded, its braces and accents as they typed them. But
 * reference managers write notes, owners, reviews and the paths of files into entries,
 * and an entry knows no correction that was made since. */
#ifndef LABD_TEXT_BIBTEX_ORIGINAL_H
#define LABD_TEXT_BIBTEX_ORIGINAL_H

#include "server/base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/* Does the document's `bibtex` stand for it still: one sound entry without remarks, none
 * of its fields taken from another (crossref, xdata), saying now what the document says?
 * Fields that no entry can tell (topics, files, selected, ...) do not count. */
bool bibtex_original_stands(struct arena *arena, json_t *document);

/* `bibtex` when it stands and holds nothing but fields of the bibliography, none with the
 * path of a file, no comments, and its key is fit for a file of ours; else NULL. */
const char *bibtex_original_shown(struct arena *arena, json_t *document);

#endif
