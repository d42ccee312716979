/* RIS records, and those of Web of Science's .ciw and of RefWorks, as documents (work.h).
 *
 * There is no one RIS: tags mean what the exporting program takes them for. Read here are
 * the specification of 2001 (A1, T1, Y1, JF, N2), that of 2011 (AU, TI, PY, T2, AB) and
 * what Zotero, EndNote, Scopus, Web of Science, PubMed, EBSCO, Ovid, Citavi and CNKI make
 * of them. `bibliography_reader ris_reader` is the reader of files. */
#ifndef LABD_TEXT_RIS_H
#define LABD_TEXT_RIS_H

#include "server/text/tagged.h"

#include <jansson.h>

/* `arena` is the current one. `*unknown`: the type is none we know. */
json_t *ris_document(struct arena *arena, const struct tagged_record *record,
                     bool *unknown);
json_t *wos_document(struct arena *arena, const struct tagged_record *record);
json_t *refworks_document(struct arena *arena, const struct tagged_record *record,
                          bool *unknown);

#endif
