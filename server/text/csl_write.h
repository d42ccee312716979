/* One work as a CSL-JSON item (schema csl-data 1.0.2, docs.citationstyles.org). What the
 * schema has no variable for, or its readers take for something else, stands under our
 * name in its `custom`, as in the document: {"labd": {"award": ..., "links": [...]}}. So
 * csl_document() makes the same document of it, but for
 *
 *   - bibtex, bibtex_key and bibtex_type: `id` is the key in files of ours (work_key.h);
 *   - topics, files, person, selected and weight, which are the lab's own. */
#ifndef LABD_TEXT_CSL_WRITE_H
#define LABD_TEXT_CSL_WRITE_H

#include <jansson.h>

/* On the current arena, keys in the order of the schema. */
json_t *csl_item(json_t *document);

#endif
