/* Markdown (CommonMark 0.30 with tables, strikethrough and bare addresses as links) to
 * HTML that is safe to show as it is: the only way by which text of a person may become
 * markup.
 *
 * No raw HTML: it comes out as text. Links lead to http, https, mailto and to paths of
 * this site; others lose their link and keep their text. Images come from this site
 * alone; others leave their description. Headings start at <h2>, since the page has its
 * <h1>. */
#ifndef LABD_TEXT_MARKDOWN_H
#define LABD_TEXT_MARKDOWN_H

#include "server/base/arena.h"
#include "server/base/result.h"
#include "server/base/slice.h"

enum {
    MARKDOWN_SOURCE = 64 * 1024, /* bytes at most */
    MARKDOWN_HTML = 1024 * 1024, /* the same of the result: reference definitions can
                                    make gigabytes of a page */
    MARKDOWN_DEPTH = 64          /* of lists and quotes in each other */
};

/* `source` is well-formed UTF-8. INVALID: one of the limits. */
MUST_USE enum result markdown_html(struct slice *html, struct arena *arena,
                                   struct slice source);

#endif
