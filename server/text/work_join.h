/* What becomes of a work when a document of the same work comes (see work.h): an export
 * of later, the published version of a preprint, the same paper from another member's
 * file. Pure; both documents have the keys of templates/forms/publication.json. */
#ifndef LABD_TEXT_WORK_JOIN_H
#define LABD_TEXT_WORK_JOIN_H

#include "server/base/arena.h"

#include <jansson.h>

/* A new document on the current arena. What `coming` says counts, what it does not say
 * stays; identifiers and links of both are kept, and all that is the lab's own (slug,
 * selected, weight, topics, files, who the authors are). A preprint that comes to its
 * published version brings its identifiers and links alone. */
json_t *work_joined(const json_t *here, const json_t *coming);

#endif
