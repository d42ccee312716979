/* What the admin's pages of a collection share. */
#ifndef LABD_SITE_COLLECTIONS_H
#define LABD_SITE_COLLECTIONS_H

#include "server/base/result.h"
#include "server/http/request.h"
#include "server/http/response.h"

#include <jansson.h>

/* The collection of :id, as collection_row(). */
MUST_USE enum result collection_of(json_t **collection, struct request *request);

/* "/admin/collections/7" and what is below it: "/people", or "". */
const char *collection_path(const struct request *request, const json_t *collection,
                            const char *below);

/* What each page of a collection has, for templates/partials/collection_head.html and
 * collection_nav.html: `collection` is collection_row() without the definition, with
 * state_class, is_draft, is_open, is_closing, is_closed, is_over (the last day is) and
 * answered (submitted or approved); `tab` is {board, people, waves, form, pilot, mails,
 * export, settings}, true for the one that the path is in. The second is flow_page() with
 * it. */
void collection_add(json_t *document, const struct request *request, json_t *collection);
MUST_USE enum result collection_page(struct request *request, struct response *response,
                                     const char *template, json_t *document,
                                     json_t *collection);

/* The same document for a collection of a list. */
void collection_states(json_t *collections);

/* A form's definition without the fields that admins alone fill in; changes it. */
json_t *collection_members_part(json_t *definition);

/* The form that a new collection of a kind begins with. INVALID: there is no such kind.
 */
MUST_USE enum result collection_definition(json_t **definition, const char *kind);

#endif
