/* What CSL-JSON has no words for, in an item's custom.labd (csl_write.h). */
#ifndef LABD_TEXT_CSL_REST_H
#define LABD_TEXT_CSL_REST_H

#include <jansson.h>
#include <stdbool.h>

/* Puts what `rest` says into a document that was read: only keys that the document has,
 * and only values of the shape that they have there. `rest` may be any JSON, or NULL. */
void csl_put_rest(json_t *document, const json_t *rest);

/* Do two values say the same? null, "", false and [] do; of objects in lists the keys of
 * `read` count. */
bool csl_same(json_t *written, json_t *read);

#endif
