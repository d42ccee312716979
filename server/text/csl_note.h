/* The note of a CSL-JSON item. Reference managers keep lines of their own there ("Select:
 * zotero://...", "Citation Key: lin24", "PMID: 123", "tex.shortjournal: ..."): nobody
 * wrote them for readers. For csl.c. */
#ifndef LABD_TEXT_CSL_NOTE_H
#define LABD_TEXT_CSL_NOTE_H

#include "server/text/draft.h"

/* Puts what is a note, and takes identifiers, publisher and place from such lines. */
void csl_put_note(struct draft *draft, struct slice note);

#endif
