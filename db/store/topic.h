/* Topics and projects that works are put under. */
#ifndef LABD_DB_STORE_TOPIC_H
#define LABD_DB_STORE_TOPIC_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>

struct db;

/* Topics, then projects, in their order: [{id, slug, kind: "topic" | "project", name_en,
 * name_zh, position, count}]. */
MUST_USE enum result topic_list(json_t **topics, struct db *db);
/* One of these. */
MUST_USE enum result topic_find(json_t **topic, struct db *db, const char *slug);

/* `document`: {kind, name_en, name_zh, position}; a name left out is the other one.
 * `current`: topic_find(), or NULL for a new one. *outcome: {id, slug}. */
MUST_USE enum result topic_save(json_t **outcome, struct db *db,
                                const struct actor *actor, const json_t *current,
                                json_t *document);

/* The works of `topic` get `into` in its place (NULL: none), each through its own change,
 * so that its history says so; then `topic` goes. All or nothing. */
MUST_USE enum result topic_remove(struct db *db, const struct actor *actor,
                                  const json_t *topic, const json_t *into);

#endif
