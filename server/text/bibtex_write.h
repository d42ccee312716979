/* One work as a BibTeX entry. Values are UTF-8 with TeX's special characters escaped; the
 * braces of every entry balance, whatever the document holds. The entry that a work came
 * from is kept but not shown to visitors: reference managers put notes, owners and the
 * paths of files in it, its macros are defined elsewhere, and it knows no correction. */
#ifndef LABD_TEXT_BIBTEX_WRITE_H
#define LABD_TEXT_BIBTEX_WRITE_H

#include "server/base/buf.h"

#include <jansson.h>

/* `work` is {slug, kind, title, authors[{name, family, given}], venue, year, month,
 * volume, issue, pages, publisher, note, url, identifiers[{scheme, value}], bibtex_key,
 * bibtex_type}; a key may be missing or null. Appends the entry and a line end. */
void bibtex_write(struct buf *out, json_t *work);

#endif
