/* What the change engine knows of an entity: its queries, and what is derived from its
 * document before it is stored. For db/store alone; the table is in entity.c. */
#ifndef LABD_DB_STORE_ENTITY_H
#define LABD_DB_STORE_ENTITY_H

#include "db/query.h"
#include "db/store/slug.h"
#include "server/base/arena.h"
#include "server/base/document.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct actor;
struct db;

struct entity {
    const char *name; /* of the entity, of its table and of its form */
    /* Its documents follow forms of their own, which have judged their keys; and to have
     * been asked and to say nothing is something said. */
    bool own_forms;
    const struct query
        *document; /* $1 id -> id, version, slug, document; always one row */
    const struct query *by_slug; /* $1 slug -> id; NULL: it has no slugs */
    const struct query *insert;  /* $1 document -> id, slug; NULL: none is ever added */
    const struct query *update;  /* $1 id, $2 document, $3 version it must have -> slug */
    const struct query *check; /* $1 id or null, $2 document -> field, code: what only the
                                  store can find wrong with it; NULL: nothing */
    const struct query *clear; /* $1 id, $2 document: takes away the old rows beside it */
    const struct query *steps[3]; /* then these, with $1 id, $2 document */
    /* Puts right what was typed, in a copy where needed; NULL: nothing. */
    void (*tidy)(json_t *document, struct arena *arena);
    /* Adds to a document what the queries need beside it; every key of it that is blank
     * is gone by then. */
    void (*derive)(json_t *document, struct arena *arena);
    /* The slug it should have, when the document does not say; never empty. */
    char *(*slug)(struct arena *arena, json_t *document);
    /* What follows from a document that is sent in, in the same transaction; NULL:
     * nothing. */
    enum result (*proposed)(struct db *db, int64_t change, json_t *document);
    /* What else follows from its new document, in the same transaction; NULL: nothing.
     * `actor` has decided. */
    enum result (*follow)(struct db *db, const struct actor *actor, int64_t id);
};

extern const struct entity entities[];
extern const size_t entity_count;

/* NULL: there is no such entity. */
const struct entity *entity_find(const char *name);

void person_derive(json_t *document, struct arena *arena);
char *person_slug(struct arena *arena, json_t *document);
json_t *person_aliases(struct arena *arena, json_t *document);
json_t *authors_without_marks(struct arena *arena, json_t *authors);
void publication_tidy(json_t *document, struct arena *arena);
void publication_derive(json_t *document, struct arena *arena);
char *publication_slug(struct arena *arena, json_t *document);

enum result answer_follow(struct db *db, const struct actor *actor, int64_t id);

/* A copy without what is blank: null, "", false, [], {}, at any depth. */
json_t *document_stripped(json_t *document);

#endif
