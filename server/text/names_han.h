/* Chinese names: where the family name ends. For names.c. */
#ifndef LABD_TEXT_NAMES_HAN_H
#define LABD_TEXT_NAMES_HAN_H

#include "server/base/slice.h"

/* How many characters `text` has if all are Han; else 0. */
size_t han_length(struct slice text);

/* Is `text` one of the family names of two characters (欧阳)? Of the frequent ones? */
bool han_compound_surname(struct slice text);
bool han_surname(struct slice text);

/* Bytes of the family name in front of a whole name of two to four characters (林晓 3,
 * 欧阳博 6); 0 when it does not look like a person's name. */
size_t han_family(struct slice name);

#endif
