/* Parameters of a header field: `form-data; name="photo"; filename="a.png"`. */
#ifndef LABD_HTTP_PARAMETERS_H
#define LABD_HTTP_PARAMETERS_H

#include "server/base/arena.h"
#include "server/base/result.h"

#include <stdbool.h>

/* Is the value before the first ";" this one, in any case? */
bool parameters_value_is(const char *field, const char *value);

/* The parameter `name` (any case), a token or a quoted string without its quotes and
 * escapes; *value is NULL when there is none. INVALID: malformed, or there twice. */
MUST_USE enum result parameters_find(struct arena *arena, const char *field,
                                     const char *name, const char **value);

#endif
