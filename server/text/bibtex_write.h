/* One work as a BibTeX entry. Values are UTF-8 with TeX's special characters escaped
 * (tex_write.h), the key is ASCII (work_key.h), and the braces of every entry balance,
 * whatever the document holds. Our own reader makes the same document of it, but for
 *
 *   - the key, where it was none for a file (work_key.h), and the type, which follows
 * from the kind;
 *   - topics, files, person, selected and weight, which are the lab's own;
 *   - second links of one kind, and links of the kind "other";
 *   - line breaks in abstracts, and white space other than single spaces.
 *
 * The entry that a work came from is shown in place of it where bibtex_original.h allows
 * that. */
#ifndef LABD_TEXT_BIBTEX_WRITE_H
#define LABD_TEXT_BIBTEX_WRITE_H

#include "server/base/buf.h"

#include <jansson.h>

/* `work` is a publication document (db/store/publication.h), with `key_shared` and
 * `others` besides where they are known; any key may be missing or null. Appends the
 * entry and a line end. */
void bibtex_write(struct buf *out, json_t *work);

#endif
