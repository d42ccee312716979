/* The part of an address that names one thing: "mingyuan-li", "caching-for-humans".
 *
 * Small Latin letters and digits with single hyphens between; accents are folded (ø is o,
 * ß is ss). A text without Latin letters keeps the letters it has (林晓): whoever writes
 * an address out encodes it, once. The result may be empty (a text of nothing but signs),
 * and other things may have the same: the caller puts something behind it. */
#ifndef LABD_TEXT_SLUG_H
#define LABD_TEXT_SLUG_H

#include "server/base/arena.h"
#include "server/base/slice.h"

enum { SLUG_BYTES = 80 }; /* at most, before the caller's addition */

/* All words of a name. */
const char *slug_of_name(struct arena *arena, struct slice name);

/* The first six words that mean something. */
const char *slug_of_title(struct arena *arena, struct slice title);

#endif
