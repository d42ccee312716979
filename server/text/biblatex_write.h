/* One work as a biblatex entry (biblatex manual 3.19, section 2): the types and fields
 * that Biber knows (@thesis, @report, @online, date, journaltitle, location); the rest is
 * as in bibtex_write.h. */
#ifndef LABD_TEXT_BIBLATEX_WRITE_H
#define LABD_TEXT_BIBLATEX_WRITE_H

#include "server/base/buf.h"

#include <jansson.h>

void biblatex_write(struct buf *out, json_t *work);

#endif
