/* The part of an address that names one thing: "mingyuan-li", "lin-2026-ferry". */
#ifndef LABD_DB_STORE_SLUG_H
#define LABD_DB_STORE_SLUG_H

#include "server/base/arena.h"

/* Letters and digits of `text`, folded, words joined by single hyphens; at most `words`
 * words and `length` characters. Latin letters come without accents (ø is o, ß is ss),
 * others as they are (林晓): whoever writes an address out encodes it. May be empty, and
 * other things may have the same: the caller puts something behind it. */
char *slug_from(struct arena *arena, const char *text, int words, int length);

#endif
