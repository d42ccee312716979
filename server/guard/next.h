/* Where to go after signing in. Only to a path of this site. */
#ifndef LABD_GUARD_NEXT_H
#define LABD_GUARD_NEXT_H

#include "server/base/arena.h"

/* `wanted` when it begins with one "/" that neither "/" nor "\" follows and holds no
 * control characters, backslashes or encoded line ends; else `fallback`. NULL is allowed.
 */
const char *next_path(const char *wanted, const char *fallback);
/* text as one query argument value (percent-encoded). */
const char *next_encode(struct arena *arena, const char *text);

#endif
