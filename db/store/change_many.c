/* Many changes saved at once. New works, of which imports bring thousands, are written by
 * a few statements for all; whatever else is among them, one by one. */
#include "db/store/change.h"

#include "db/connection.h"
#include "db/store/change.sql.h"
#include "db/store/entity.h"
#include "db/store/join.h"
#include "db/store/publication.sql.h"

#include <string.h>

struct saving {
    const struct actor *actor;
    const struct proposal *proposals;
    size_t count;
    json_t *empty;     /* document of a new work: which keys there are, in order */
    json_t **outcome;  /* of each, or NULL */
    json_t **document; /* of those that go together: merged; else NULL */
};

static json_t *refused(enum result result, json_t *outcome)
{
    json_t *item = json_pack("{s:s, s:s}", "outcome", "refused", "result",
                             result == CONFLICT  ? "conflict"
                             : result == INVALID ? "invalid"
                                                 : "missing");
    if (result == CONFLICT && outcome != NULL)
        json_object_set(item, "current", outcome);
    else if (outcome != NULL)
        json_object_set(item, "errors", json_object_get(outcome, "errors"));
    return item;
}

static enum result save_one(struct db *db, struct saving *s, size_t i)
{
    json_t *outcome = NULL;
    enum result result = change_save(&outcome, db, s->actor, &s->proposals[i]);
    if ((result == CONFLICT || result == INVALID || result == NOT_FOUND) &&
        db->broken == OK)
        outcome = refused(result, outcome);
    else
        TRY(result);
    s->outcome[i] = outcome;
    return OK;
}

static bool names_people(json_t *document)
{
    json_t *authors = json_object_get(document, "authors");
    for (size_t i = 0; i < json_array_size(authors); i++)
        if (text_of(json_array_get(authors, i), "person") != NULL)
            return true;
    return false;
}

/* A new work of nobody's open change, with nothing that has to be looked for. */
static bool plain(const struct proposal *proposal)
{
    return strcmp(proposal->entity, "publication") == 0 && proposal->target == 0 &&
           proposal->change == 0 && proposal->author == 0 &&
           json_array_size(json_object_get(proposal->document, "files")) == 0 &&
           json_array_size(json_object_get(proposal->document, "topics")) == 0 &&
           !names_people(proposal->document);
}

/* With all keys of a work, in their order; NULL: it has one that works do not have. */
static json_t *whole(struct saving *s, json_t *document)
{
    json_t *merged = json_object(), *value;
    const char *key;
    json_object_foreach(document, key, value)
    {
        if (json_object_get(s->empty, key) == NULL)
            return NULL;
    }
    json_object_foreach(s->empty, key, value)
    {
        json_t *given = json_object_get(document, key);
        json_object_set(merged, key, given != NULL ? given : json_null());
    }
    publication_tidy(merged, arena_current());
    return merged;
}

/* Leaves those out whose identifiers another work has, here or among them. */
static enum result leave_taken(struct saving *s, struct db *db)
{
    json_t *asked = json_array(), *seen = json_object(), *rows, *row;
    size_t i, j;
    for (i = 0; i < s->count; i++) {
        json_t *list = json_object_get(s->document[i], "identifiers");
        json_array_foreach(list, j, row)
        {
            const char *name =
                arena_print(arena_current(), "%s:%s", text_at(row, "scheme", ""),
                            text_at(row, "value", ""));
            json_t *first = json_object_get(seen, name);
            if (first != NULL && json_integer_value(first) != (json_int_t)i) {
                s->document[i] = NULL;
                break;
            }
            json_object_set_new(seen, name, json_integer((json_int_t)i));
            json_array_append_new(asked,
                                  json_pack("{s:I, s:O, s:O}", "n", (json_int_t)i,
                                            "scheme", json_object_get(row, "scheme"),
                                            "value", json_object_get(row, "value")));
        }
    }
    if (json_array_size(asked) == 0)
        return OK;
    TRY(db_rows(&rows, db, &publication_taken, json_dumps(asked, JSON_COMPACT)));
    json_array_foreach(rows, i, row) s->document[integer_at(row, "n")] = NULL;
    return OK;
}

static json_t *derived(json_t *document, struct arena *arena)
{
    json_t *ready = document_stripped(document);
    publication_derive(ready, arena);
    const char *given = text_of(ready, "slug");
    const char *slug = slug_from(arena, given != NULL ? given : "", 20, 80);
    if (*slug == '\0')
        slug = publication_slug(arena, ready);
    json_object_set_new(ready, "slug", json_string(slug));
    return ready;
}

/* The document as it stands now: with its slug, and the persons who were recognised. */
static json_t *after(json_t *document, const json_t *row)
{
    json_t *now = json_copy(document), *people = json_object_get(row, "people"), *one;
    size_t i;
    json_object_set(now, "slug", json_object_get(row, "slug"));
    if (json_array_size(people) == 0)
        return now;
    json_t *authors = json_deep_copy(json_object_get(document, "authors"));
    json_array_foreach(people, i, one)
        json_object_set(json_array_get(authors, (size_t)integer_at(one, "position") - 1),
                        "person", json_object_get(one, "person"));
    json_object_set_new(now, "authors", authors);
    return now;
}

static enum result write_together(struct saving *s, struct db *db)
{
    json_t *ready = json_array(), *applied = json_array(), *rows, *changes, *row;
    struct arena *arena = arena_current();
    size_t *place = ARENA_ARRAY(arena, size_t, s->count);
    size_t i, count = 0;
    for (i = 0; i < s->count; i++)
        if (s->document[i] != NULL) {
            json_array_append_new(ready, derived(s->document[i], arena));
            place[count++] = i;
        }
    if (count == 0)
        return OK;
    TRY(db_rows(&rows, db, &publication_insert_many, json_dumps(ready, JSON_COMPACT)));
    if (json_array_size(rows) != count)
        return FAILED;
    json_array_foreach(rows, i, row)
    {
        size_t at = place[integer_at(row, "n") - 1];
        json_array_append_new(applied, json_pack("{s:O, s:O, s:o}", "target",
                                                 json_object_get(row, "id"), "before",
                                                 s->document[at], "after",
                                                 after(s->document[at], row)));
        s->outcome[at] = json_pack("{s:s, s:i, s:O, s:O}", "outcome", "created",
                                   "version", 1, "target_id", json_object_get(row, "id"),
                                   "slug", json_object_get(row, "slug"));
    }
    TRY(db_rows(&changes, db, &change_apply_many, "publication",
                json_dumps(applied, JSON_COMPACT), s->proposals[place[0]].source,
                ID(s->actor->account), s->actor->name, s->actor->request_id, db->peer));
    return OK;
}

static enum result save(struct db *db, void *data)
{
    struct saving *s = data;
    json_t *current;
    TRY(entity_current(&current, db, "publication", 0));
    s->empty = json_object_get(current, "document");
    for (size_t i = 0; i < s->count; i++)
        s->document[i] =
            plain(&s->proposals[i]) ? whole(s, s->proposals[i].document) : NULL;
    TRY(leave_taken(s, db));
    TRY(write_together(s, db));
    for (size_t i = 0; i < s->count; i++)
        if (s->outcome[i] == NULL)
            TRY(save_one(db, s, i));
    return OK;
}

enum result change_save_many(json_t **outcomes, struct db *db, const struct actor *actor,
                             const struct proposal *proposals, size_t count)
{
    struct arena *arena = arena_current();
    struct saving s = {.actor = actor,
                       .proposals = proposals,
                       .count = count,
                       .outcome = ARENA_ARRAY(arena, json_t *, count + 1),
                       .document = ARENA_ARRAY(arena, json_t *, count + 1)};
    memset(s.outcome, 0, (count + 1) * sizeof *s.outcome);
    *outcomes = json_array();
    TRY(db_join(db, save, &s));
    for (size_t i = 0; i < count; i++)
        json_array_append(*outcomes, s.outcome[i]);
    return OK;
}
