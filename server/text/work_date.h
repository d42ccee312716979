/* When a work appeared, from what bibliographies say. For work.c. */
#ifndef LABD_TEXT_WORK_DATE_H
#define LABD_TEXT_WORK_DATE_H

#include "server/base/slice.h"

struct work_date {
    int year, month, day; /* 0: not known */
};

/* From the texts of biblatex's `date` (ISO 8601-2: 2010-11-03, 2010-11/2011, 2010?) and
 * of BibTeX's `year` ("2010", "2010a", "in press 2011"), `month` ("10", "October", "10
 * October", "10月", "July 12--15") and `day`; any may be empty. */
struct work_date work_date(struct slice date, struct slice year, struct slice month,
                           struct slice day);

#endif
