/* MEDLINE records, as PubMed gives them in files (.nbib) and answers (NLM,
 * "MEDLINE/PubMed Data Element (Field) Descriptions"), as documents (work.h). nbib_reader
 * reads files. */
#ifndef LABD_TEXT_NBIB_H
#define LABD_TEXT_NBIB_H

#include "server/text/tagged.h"

#include <jansson.h>

/* `arena` is the current one. */
json_t *nbib_document(struct arena *arena, const struct tagged_record *record);

#endif
