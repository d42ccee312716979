/* Answers beside the change engine: what their pages read, drafts as they are typed, and
 * what follows for a person when an answer about the profile is approved. */
#include "db/store/answer.h"

#include "db/store/answer.sql.h"
#include "db/store/change.h"
#include "db/store/change.sql.h"
#include "db/store/claim.h"
#include "db/store/entity.h"
#include "db/store/join.h"

#include <string.h>

enum result answer_state(json_t **state, struct db *db, int64_t collection,
                         int64_t account)
{
    return db_row(state, db, &answer_state_row, NUM(collection), NUM(account));
}

enum result answer_asked(json_t **asked, struct db *db, int64_t account)
{
    return db_rows(asked, db, &answer_asked_list, NUM(account));
}

enum result answer_words(json_t **words, struct db *db, int64_t collection)
{
    return db_row(words, db, &answer_words_row, NUM(collection));
}

enum result answer_previous(json_t **document, struct db *db, int64_t collection,
                            int64_t account)
{
    json_t *row;
    TRY(db_row(&row, db, &answer_previous_row, NUM(collection), NUM(account)));
    *document = json_object_get(row, "document");
    return OK;
}

/* The person's document as it was in a version; where none was kept, as it is. */
static enum result person_at(json_t **document, struct db *db, int64_t person,
                             int64_t version, json_t *current)
{
    json_t *row;
    enum result result =
        db_row(&row, db, &change_revision, "person", NUM(person), NUM(version));
    *document = json_object_get(result == OK ? row : current, "document");
    return result == NOT_FOUND ? OK : result;
}

/* Sets in `mine` what says the same as `base` to what is there now. Keys of `mine` that
 * `now` does not have are its own. */
static json_t *laid_over(json_t *mine, json_t *base, json_t *now)
{
    json_t *laid = json_copy(mine), *value;
    const char *key;
    json_object_foreach(now, key, value)
    {
        json_t *own = json_object_get(mine, key), *old = json_object_get(base, key);
        if (own == NULL)
            continue;
        if (strcmp(key, "visibility") == 0)
            json_object_set_new(laid, key, laid_over(own, old, value));
        else if (change_same(own, old))
            json_object_set(laid, key, value);
    }
    return laid;
}

enum result answer_rebase(json_t **document, struct db *db, int64_t person, int64_t from)
{
    json_t *current, *base;
    if (person == 0 || from == 0)
        return OK;
    TRY(entity_current(&current, db, "person", person));
    if (integer_at(current, "version") == from)
        return OK;
    TRY(person_at(&base, db, person, from, current));
    *document = laid_over(*document, base, json_object_get(current, "document"));
    return OK;
}

/* The keys of `now` that `mine` alters against `base`; of a record (who sees what) the
 * whole, with what it alters. */
static json_t *altered(json_t *mine, json_t *base, json_t *now)
{
    json_t *changed = json_object(), *value;
    const char *key;
    json_object_foreach(now, key, value)
    {
        json_t *own = json_object_get(mine, key), *old = json_object_get(base, key);
        if (own == NULL || strcmp(key, "slug") == 0 || change_same(own, old))
            continue;
        if (strcmp(key, "visibility") == 0) {
            json_t *whole = json_copy(value);
            json_object_update_new(whole, altered(own, old, value));
            own = whole;
        }
        json_object_set(changed, key, own);
    }
    return changed;
}

/* What was said of the works in a check of publications holds from now on. */
static enum result follow_works(struct db *db, const struct actor *actor, int64_t person,
                                json_t *document)
{
    json_t *works = json_object_get(document, "works"), *row;
    int64_t count;
    if (!json_is_array(works))
        return OK;
    TRY(db_row(&row, db, &answer_verdicts, json_dumps(works, JSON_COMPACT)));
    TRY(claim_say(&count, db, actor, person, CLAIM_MINE, json_object_get(row, "mine")));
    return claim_say(&count, db, actor, person, CLAIM_NOT_MINE,
                     json_object_get(row, "not_mine"));
}

enum result answer_follow(struct db *db, const struct actor *actor, int64_t id)
{
    json_t *row, *current, *base, *outcome;
    TRY(db_row(&row, db, &answer_profile, NUM(id)));
    if (integer_at(row, "works_of") != 0)
        return follow_works(db, actor, integer_at(row, "works_of"),
                            json_object_get(row, "document"));
    int64_t person = integer_at(row, "person_id");
    int64_t seen = integer_at(row, "person_version");
    if (person == 0 || seen == 0)
        return OK;
    TRY(entity_current(&current, db, "person", person));
    TRY(person_at(&base, db, person, seen, current));
    json_t *changes = altered(json_object_get(row, "document"), base,
                              json_object_get(current, "document"));
    if (json_object_size(changes) == 0)
        return OK;
    struct proposal proposal = {.entity = "person",
                                .target = person,
                                .document = changes,
                                .source = "form",
                                .author = integer_at(row, "account_id")};
    return change_save(&outcome, db, actor, &proposal);
}

/* A saving at work. */
struct saving {
    const struct actor *actor;
    const struct answer_saving *order;
    json_t **outcome;
    bool at_once;
};

static int64_t person_version(const struct answer_saving *order)
{
    int64_t before = integer_at(order->state, "person_version");
    if (order->person_version != 0)
        return order->person_version;
    return before != 0 ? before : integer_at(order->state, "person_now");
}

static enum result save(struct db *db, void *data)
{
    struct saving *s = data;
    const struct answer_saving *order = s->order;
    int64_t id = integer_at(order->state, "id");
    struct proposal proposal = {.entity = "answer",
                                .target = id,
                                .base_version = integer_at(order->state, "version"),
                                .change_version = order->change_version,
                                .document = order->document,
                                .source = "form",
                                .draft = order->draft};
    TRY(db_run(NULL, db, &answer_base, NUM(id), ID(person_version(order))));
    TRY(s->at_once ? change_save(s->outcome, db, s->actor, &proposal)
                   : change_propose(s->outcome, db, s->actor, &proposal));
    if (!order->draft && strcmp(text_at(*s->outcome, "outcome", ""), "unchanged") == 0)
        return db_run(NULL, db, &answer_hold, NUM(id));
    return db_run(NULL, db, &answer_complete, NUM(id), NUM(order->complete));
}

enum result answer_save(json_t **outcome, struct db *db, const struct actor *actor,
                        const struct answer_saving *saving)
{
    struct saving s = {.actor = actor, .order = saving, .outcome = outcome};
    *outcome = NULL;
    return db_join(db, save, &s);
}

enum result answer_confirm(json_t **outcome, struct db *db, const struct actor *actor,
                           const struct answer_saving *saving)
{
    struct saving s = {
        .actor = actor, .order = saving, .outcome = outcome, .at_once = true};
    *outcome = NULL;
    return db_join(db, save, &s);
}

enum result answer_keep(json_t **kept, struct db *db, const struct actor *actor,
                        const struct answer_saving *saving)
{
    return db_row(kept, db, &answer_keep_draft,
                  NUM(integer_at(saving->state, "change_id")), NUM(actor->account),
                  NUM(saving->change_version), json_dumps(saving->document, JSON_COMPACT),
                  NUM(saving->complete));
}

enum result answer_opened(struct db *db, int64_t invitation)
{
    return db_run(NULL, db, &answer_open, NUM(invitation));
}

enum result answer_step_add(struct db *db, const json_t *state, int section,
                            const char *kind, const char *field, const char *code)
{
    return db_run(NULL, db, &answer_step_insert, NUM(integer_at(state, "id")),
                  NUM(integer_at(state, "form_version_id")), NUM(section), kind, field,
                  code);
}

enum result answer_feedback_save(struct db *db, const json_t *state,
                                 const struct answer_feedback *feedback)
{
    return db_run(NULL, db, &answer_feedback_put, NUM(integer_at(state, "id")),
                  NUM(integer_at(state, "form_version_id")), NUM(feedback->section),
                  feedback->field, feedback->unclear ? "true" : "false",
                  feedback->comment);
}

enum result answer_feedback_rows(json_t **rows, struct db *db, const json_t *state)
{
    return db_rows(rows, db, &answer_feedback_list, NUM(integer_at(state, "id")),
                   NUM(integer_at(state, "form_version_id")));
}
