/* Changes as pages show them: the queue, a member's own, one with its differences. */
#include "db/store/change.h"
#include "db/store/change.sql.h"
#include "db/store/entity.h"
#include "db/store/join.h"

#include <string.h>

bool change_entity(const char *name)
{
    return entity_find(name) != NULL;
}

enum result change_queue(json_t **changes, struct db *db)
{
    return db_rows(changes, db, &change_rows, NULL, NULL);
}

enum result change_mine(json_t **changes, struct db *db, int64_t account)
{
    return db_rows(changes, db, &change_rows, NUM(account), NULL);
}

/* What the author had before them: the revision that the change was written against; the
 * current document where none was kept (a row older than its history). */
static enum result base_document(json_t **document, struct db *db, json_t *change,
                                 json_t *current)
{
    json_t *row;
    *document = json_object_get(current, "document");
    const struct entity *entity = entity_find(text_of(change, "entity"));
    int64_t base = integer_at(change, "base_version");
    if (base == 0 || (base == 1 && entity != NULL && entity->own_forms)) {
        TRY(entity_current(&row, db, text_of(change, "entity"), 0));
        *document = json_object_get(row, "document");
        return OK;
    }
    enum result result = db_row(&row, db, &change_revision, text_of(change, "entity"),
                                NUM(integer_at(change, "target_id")),
                                NUM(integer_at(change, "base_version")));
    if (result == OK)
        *document = json_object_get(row, "document");
    return result == NOT_FOUND ? OK : result;
}

/* Of `old`, the keys that `said` has; in the records in it, too. */
static json_t *narrowed(json_t *old, json_t *said)
{
    json_t *narrow = json_object(), *value;
    const char *key;
    json_object_foreach(said, key, value)
    {
        json_t *own = json_object_get(old, key);
        if (json_is_object(own) && json_is_object(value))
            json_object_set_new(narrow, key, narrowed(own, value));
        else if (own != NULL)
            json_object_set(narrow, key, own);
    }
    return narrow;
}

/* A first answer is shown beside the profile that it goes into: of that, what the answer
 * speaks of. */
static enum result shown_before(json_t **before, struct db *db, int64_t id,
                                json_t *document)
{
    json_t *row;
    enum result result = db_row(&row, db, &change_profile_before, NUM(id));
    if (result == OK)
        *before = narrowed(json_object_get(row, "document"), document);
    return result == NOT_FOUND ? OK : result;
}

enum result change_show(json_t **change, struct db *db, int64_t id)
{
    json_t *row, *current, *before, *shown;
    TRY(db_row(change, db, &change_rows, NULL, NUM(id)));
    TRY(db_row(&row, db, &change_document, NUM(id)));
    json_t *document = json_object_get(row, "document");
    TRY(entity_current(&current, db, text_of(*change, "entity"),
                       integer_at(*change, "target_id")));
    TRY(base_document(&before, db, *change, current));
    const char *state = text_of(*change, "state");
    bool decided = strcmp(state, "approved") == 0 || strcmp(state, "withdrawn") == 0;
    bool stale =
        !decided && integer_at(*change, "base_version") != integer_at(current, "version");
    json_object_set(*change, "document", document);
    json_object_set(*change, "proposed", json_object_get(row, "proposed"));
    json_object_set(*change, "base", before);
    json_object_set(*change, "current", current);
    json_object_set_new(*change, "stale", json_boolean(stale));
    shown = before;
    TRY(shown_before(&shown, db, id, document));
    json_object_set_new(*change, "differences", change_differences(shown, document));
    return OK;
}

enum result change_open(json_t **change, struct db *db, int64_t account,
                        const char *entity, int64_t target)
{
    json_t *row;
    TRY(db_row(&row, db, &change_open_id, NUM(account), entity, NUM(target)));
    return change_show(change, db, integer_at(row, "id"));
}

enum result change_revisions(json_t **revisions, struct db *db, const char *entity,
                             int64_t target)
{
    return db_rows(revisions, db, &change_revision_list, entity, NUM(target));
}

void change_merge(json_t **merged, json_t **clashes, json_t *base, json_t *current,
                  json_t *proposed)
{
    const char *key;
    json_t *mine;
    *merged = json_copy(current);
    *clashes = json_array();
    json_object_foreach(proposed, key, mine)
    {
        json_t *old = json_object_get(base, key), *theirs = json_object_get(current, key);
        if (change_same(mine, old))
            continue;
        json_object_set(*merged, key, mine);
        if (!change_same(theirs, old) && !change_same(theirs, mine))
            json_array_append_new(*clashes, json_pack("{s:s,s:O?,s:O}", "field", key,
                                                      "before", theirs, "after", mine));
    }
}
