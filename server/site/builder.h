/* What the pages of the form builder share: /admin/collections/:id/form and below. */
#ifndef LABD_SITE_BUILDER_H
#define LABD_SITE_BUILDER_H

#include "server/base/result.h"
#include "server/form/definition.h"
#include "server/http/request.h"
#include "server/http/response.h"

struct builder {
    struct request *request;
    struct response *response;
    json_t *collection;  /* collection_row() */
    json_t *definition;  /* that is being written */
    int64_t id, version; /* of the collection; its definition_version */
    json_t *published; /* {path: {values: {value: true}}} of every field that any version
                          has, "links.url" for those of groups */
    bool profile;      /* its fields that have the name of one of the profile are that */
    const char *base;  /* "/admin/collections/7/form" */
};

/* By :id. */
MUST_USE enum result builder_open(struct builder *builder, struct request *request,
                                  struct response *response);

/* collection_page(), which also has `base` and `version`. */
MUST_USE enum result builder_page(struct builder *builder, const char *template,
                                  json_t *document);

/* Is the body's `version` the one that stands there? The page that shows otherwise what
 * somebody else has changed is builder_conflict(). */
bool builder_is_current(const struct builder *builder);

/* Saves the definition and goes to `below` (of base) with a notice and an anchor ("" for
 * none). CONFLICT: somebody was faster. */
MUST_USE enum result builder_save(struct builder *builder, const char *below,
                                  const char *notice, const char *anchor);

/* 409: what was changed since the body's `version`, and the body once more behind a
 * button, unless sections are others now and a number in it may mean another one. With
 * `action` the button posts there, with the fields `more` too. */
MUST_USE enum result builder_conflict(struct builder *builder, const char *action,
                                      json_t *more);
/* What the section of that number, when the body's page was drawn, is now; -1: it is not
 * there any more, or nobody knows. */
int64_t builder_section_now(const struct builder *builder, size_t number);
/* For templates/builder/conflict_words.html. With `form`: 409, the same changes, and both
 * texts of what was edited (documents of the form). Without: there is no conflict. */
MUST_USE enum result builder_add_conflict(json_t *document, struct builder *builder,
                                          const struct form *form, json_t *theirs,
                                          json_t *mine);

/* `what` of changes for templates/builder/changes.html: [{word, last}]; any_what. */
void builder_dress_changes(json_t *changes);

/* Does the path name a question of the profile? */
bool builder_of_profile(const struct builder *builder, const char *path);

/* KEY_en and KEY_zh of {en, zh}; null where there are no words. */
void builder_put_words(json_t *shown, const char *key, json_t *words);

/* A field's path as an anchor: "q-links-url". */
const char *builder_anchor(struct arena *arena, const char *path);

#endif
