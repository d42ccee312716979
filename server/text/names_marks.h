/* What journals put at authors: marks of equal contribution and of correspondence,
 * numbers of affiliations. For names.c. */
#ifndef LABD_TEXT_NAMES_MARKS_H
#define LABD_TEXT_NAMES_MARKS_H

#include "server/text/names.h"

/* `text`, a part of `name`, without the marks at either end; the name's star and dagger
 * are set by them. */
struct slice name_without_marks(struct name *name, struct slice text);

#endif
