/* COinS: a work as an OpenURL context object (ANSI/NISO Z39.88-2004) in the title of an
 * empty <span class="Z3988">, where Zotero and library tools look for it. */
#ifndef LABD_TEXT_COINS_H
#define LABD_TEXT_COINS_H

#include "server/base/buf.h"

#include <jansson.h>

/* Appends the context object, percent-encoded, with "&" between its parts: plain text,
 * to be escaped like any value. `url` (NULL: none) is the page's own address. */
void coins_write(struct buf *out, const json_t *work, const char *url);

#endif
