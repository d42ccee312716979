/* Where to go after signing in. Only to a path of this site. */
#ifndef LABD_GUARD_NEXT_H
#define LABD_GUARD_NEXT_H

/* `wanted` when it begins with one "/" that neither "/" nor "\" follows and holds no
 * control characters, backslashes or encoded line ends; else `fallback`. NULL is allowed.
 */
const char *next_path(const char *wanted, const char *fallback);

#endif
