/* Many changes saved at once. */
#include "db/store/change.h"

#include "db/connection.h"
#include "db/store/join.h"
#include "server/base/document.h"

struct saving {
    const struct actor *actor;
    const struct proposal *proposals;
    size_t count;
    json_t *outcomes;
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
    json_t *outcome;
    enum result result = change_save(&outcome, db, s->actor, &s->proposals[i]);
    if ((result == CONFLICT || result == INVALID || result == NOT_FOUND) &&
        db->broken == OK)
        outcome = refused(result, outcome);
    else
        TRY(result);
    return json_array_append(s->outcomes, outcome) == 0 ? OK : FAILED;
}

static enum result save(struct db *db, void *data)
{
    struct saving *s = data;
    for (size_t i = 0; i < s->count; i++)
        TRY(save_one(db, s, i));
    return OK;
}

enum result change_save_many(json_t **outcomes, struct db *db, const struct actor *actor,
                             const struct proposal *proposals, size_t count)
{
    struct saving s = {actor, proposals, count, json_array()};
    enum result result = db_join(db, save, &s);
    *outcomes = s.outcomes;
    return result;
}
