/* Finding where delimited text of a BibTeX file ends. For bibtex.c. */
#ifndef LABD_TEXT_BIBTEX_SCAN_H
#define LABD_TEXT_BIBTEX_SCAN_H

#include "server/base/slice.h"

struct bibtex_scan {
    const char *start, *end; /* the file */
    const char *stop;        /* set when a closing delimiter is missing: the next entry's
                                @, or the end */
    size_t depth;            /* the deepest nesting seen so far */
};

/* Is the @ at `at` the first thing on its line, and does `type{key,` follow? */
bool bibtex_entry_starts(const struct bibtex_scan *scan, const char *at);

/* `at` is behind the opening delimiter; gives the place behind the closing one, or NULL.
 */
const char *bibtex_skip_braces(struct bibtex_scan *scan, const char *at);
const char *bibtex_skip_quotes(struct bibtex_scan *scan, const char *at);
/* Braces or parentheses with anything in them, entries too (unless `entries_end_it`). */
const char *bibtex_skip_comment(struct bibtex_scan *scan, const char *at, char closer,
                                bool entries_end_it);

/* The first character at or behind `at` that is no white space; may be the end. */
const char *bibtex_skip_space(const struct bibtex_scan *scan, const char *at);

#endif
