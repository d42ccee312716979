/* What BibTeX and biblatex have in common: which field of an entry says what of a work. A
 * dialect names the fields that differ. */
#ifndef LABD_TEXT_ENTRY_WRITE_H
#define LABD_TEXT_ENTRY_WRITE_H

#include "server/base/buf.h"

#include <jansson.h>
#include <stdbool.h>

/* How a work of one kind is written. */
struct entry_shape {
    const char *kind; /* NULL: any other */
    const char *type;
    const char *venue, *publisher, *issue, *number; /* names of their fields */
};

struct entry_dialect {
    const struct entry_shape *shapes;
    const char *journal, *place;
    bool date; /* `date` in place of year, month and day */
};

/* What is chosen for one work. */
struct entry {
    const char *type, *venue; /* the field of the venue */
    const char *genre; /* value of `type`; NULL: there is none, or the type says it */
};

struct entry entry_of(const struct entry_dialect *dialect, json_t *work);
void entry_write(struct buf *out, const struct entry_dialect *dialect,
                 const struct entry *entry, json_t *work);

#endif
