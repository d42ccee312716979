/* One work as a RIS record (Research Information Systems' specification of 2011, with the
 * tags that EndNote, Zotero and JabRef agree on). The reader makes the same document of
 * it, but for what RIS has no tag for, and what the tags of others made it careful of:
 *
 *   - marks of authors (equal, corresponding), that there are more authors, award, and
 *     links other than PDFs; what ris_says() denies for works of some kinds;
 *   - a name of several words is taken apart, be it a group's, one with a comma in it
 *     too; "1–1" is page 1, and pages with hyphens or long dashes are written anew;
 *   - an article without a venue that has an arXiv number is a preprint; a preprint's
 *     venue that is not told is its publisher; notes that read like those of
 *     databases ("Times cited: 3", a lone DOI) are dropped; "16(6)" as a volume is volume
 *     and issue; what looks like markup of HTML in a text is taken for it;
 *   - bibtex, bibtex_key and bibtex_type: ID is the key in files of ours (work_key.h);
 *   - topics, files, person, selected and weight, which are the lab's own. */
#ifndef LABD_TEXT_RIS_WRITE_H
#define LABD_TEXT_RIS_WRITE_H

#include "server/base/buf.h"

#include <jansson.h>
#include <stdbool.h>

/* Lines end in CR LF, as the specification has it; a value is always one line. */
void ris_write(struct buf *out, json_t *work);

/* Has RIS a tag for this key of works of this kind? Only text keys are denied. */
bool ris_says(const char *kind, const char *key);

#endif
