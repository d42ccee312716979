/* Where Markdown may lead. For markdown.c. */
#ifndef LABD_TEXT_MARKDOWN_LINK_H
#define LABD_TEXT_MARKDOWN_LINK_H

#include "server/base/buf.h"
#include "server/base/slice.h"

#include <md4c.h>

/* The address that an attribute of md4c means, entities decoded, ready for an attribute
 * of HTML: what has no place in an address percent-encoded, & escaped. Empty when it may
 * not be used: for an image everything but a path of this site. */
struct slice markdown_address(struct arena *arena, const MD_ATTRIBUTE *attribute,
                              bool image);

/* Text escaped for HTML, attributes included. */
void markdown_escape(struct buf *out, struct slice text);

#endif
