/* A work in the vocabulary of schema.org, as search engines read it from pages
 * (developers.google.com/search/docs/appearance/structured-data): JSON-LD. */
#ifndef LABD_TEXT_LINKED_DATA_H
#define LABD_TEXT_LINKED_DATA_H

#include "server/base/buf.h"

#include <jansson.h>

/* `work` is a publication document whose authors may have a `page` (an address), and
 * which may have a `page` and a `pdf` itself. On the current arena; what is not there has
 * no key. */
json_t *linked_data(const json_t *work);

/* Appends a whole <script type="application/ld+json"> element, a block of data that no
 * browser runs. The JSON in it holds neither < nor > nor &: they are written as \u003c
 * and so on, so that nothing in it can end the element or begin another. This is the one
 * way of a value into a <script>. */
void linked_data_html(struct buf *out, json_t *data);

#endif
