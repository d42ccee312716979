/* How a value is written, by the place of its tag.
 *
 * URLs: a value that begins an attribute such as href is a whole URL and must pass the
 * policy: http:// or https://, mailto: (href alone), a path of ours ("/" not followed by
 * "/" or "\"), "#..." or "?..."; no control characters anywhere (browsers drop TAB, CR
 * and LF before they look at the scheme). Anything else is written as "#". A value behind
 * the first character of the attribute is one component of the URL: everything but RFC
 * 3986 unreserved characters is percent-encoded ("/" too: a value that holds a path of
 * several segments must come as a whole URL), and "@" is kept behind a literal "mailto:".
 */
#ifndef LABD_VIEW_ESCAPE_H
#define LABD_VIEW_ESCAPE_H

#include "server/base/buf.h"

#include <stdbool.h>

enum escape {
    ESCAPE_HTML,
    ESCAPE_NONE,
    ESCAPE_URL,       /* a whole URL */
    ESCAPE_HREF,      /* a whole URL, mailto: allowed */
    ESCAPE_COMPONENT, /* a part of a URL */
    ESCAPE_ADDRESS    /* a part of a mailto: URL */
};

void escape_html(struct buf *out, const char *text, size_t length);
void escape_component(struct buf *out, const char *text, size_t length, bool keep_at);
bool url_allowed(const char *url, size_t length, bool mailto);
/* By kind. */
void escape_value(struct buf *out, enum escape escape, const char *text, size_t length);

#endif
