/* What ris.c and ris_bare.c share. */
#ifndef LABD_TEXT_RIS_PRIVATE_H
#define LABD_TEXT_RIS_PRIVATE_H

#include "server/text/tagged_draft.h"

/* From tags in their order; a date without a year ("MAY 4") takes the one of before. */
void ris_put_date(struct draft *draft, const struct tagged_record *record,
                  const char *const *tags, size_t count);
/* DOI and PubMed number, wherever databases put them. */
void ris_put_identifiers(struct draft *draft, const struct tagged_record *record);

#endif
