/* LaTeX, as it stands in bibliography fields, to plain Unicode text.
 *
 * Accents in every brace style, special letters, dashes, quotes, spaces, Greek and common
 * mathematics become characters; super- and subscripts too where Unicode has all of them.
 * Braces go; an unknown command goes but its argument stays. Remnants of HTML
 * (<sub>2</sub>, &amp;) are read as well, since export filters leave them. `%` is text,
 * as in BibTeX.
 *
 * The input is well-formed UTF-8 of any content; time is linear and the result at most a
 * few times as long. The result is NFC, has no control or invisible characters, white
 * space is single spaces and none at the ends; a NUL stands behind it. */
#ifndef LABD_TEXT_LATEX_H
#define LABD_TEXT_LATEX_H

#include "server/base/arena.h"
#include "server/base/slice.h"

struct slice latex_text(struct arena *arena, struct slice source);

/* An address (a url or doi field): only escapes, braces and white space go. */
struct slice latex_address(struct arena *arena, struct slice source);

#endif
