/* What BibTeX and biblatex have in common: which field of an entry says what of a work. A
 * dialect names the fields that differ. */
#ifndef LABD_TEXT_ENTRY_WRITE_H
#define LABD_TEXT_ENTRY_WRITE_H

#include "server/base/buf.h"

#include <jansson.h>
#include <stdbool.h>

/* Of one kind of work. */
struct entry_shape {
    const char *kind, *type;
    const char *venue, *publisher, *issue, *number; /* names of their fields */
};

struct entry_dialect {
    const struct entry_shape *shapes; /* the last one, without kind, is for any other */
    const char *place, *genre, *note;
    bool date; /* `date` in place of year, month and day */
};

const struct entry_shape *entry_shape(const struct entry_dialect *dialect, json_t *work);

void entry_write(struct buf *out, const struct entry_dialect *dialect, const char *type,
                 json_t *work);

#endif
