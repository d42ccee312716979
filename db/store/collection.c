/* Collections and their waves. */
#include "db/store/collection.h"

#include "db/connection.h"
#include "db/store/collection.sql.h"
#include "db/store/join.h"

#include <string.h>

static const char *dumped(json_t *value)
{
    return json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
}

static enum result note(struct db *db, const struct actor *actor, const char *action,
                        int64_t id, json_t *detail)
{
    return event_add(
        db, actor,
        &(struct event){
            .action = action, .entity = "collection", .target = id, .detail = detail});
}

enum result collection_row(json_t **collection, struct db *db, int64_t id)
{
    return db_row(collection, db, &collection_one, NUM(id));
}

enum result collection_today(json_t **today, struct db *db)
{
    return db_row(today, db, &collection_lab_today);
}

enum result collection_list(json_t **collections, struct db *db)
{
    return db_rows(collections, db, &collection_rows);
}

/* One write and its event. */
struct writing {
    const struct actor *actor;
    int64_t id, version, *made;
    const char *kind, *title_en, *title_zh, *from, *to;
    json_t *document, *definition, *pilot;
};

static enum result create(struct db *db, void *data)
{
    struct writing *w = data;
    json_t *row;
    TRY(db_row(&row, db, &collection_insert, w->kind, dumped(w->document),
               dumped(w->definition), ID(w->actor->account)));
    *w->made = integer_at(row, "id");
    return note(db, w->actor, "collection.created", *w->made, NULL);
}

enum result collection_create(int64_t *id, struct db *db, const struct actor *actor,
                              const char *kind, json_t *document, json_t *definition)
{
    struct writing w = {.actor = actor,
                        .made = id,
                        .kind = kind,
                        .document = document,
                        .definition = definition};
    return db_join(db, create, &w);
}

/* No row of an update with a version: somebody was faster, or there is nothing. */
static enum result stale(struct db *db, int64_t id, enum result result)
{
    json_t *row;
    if (result != NOT_FOUND)
        return result;
    TRY(db_row(&row, db, &collection_id_exists, NUM(id)));
    return CONFLICT;
}

static enum result update(struct db *db, void *data)
{
    struct writing *w = data;
    json_t *row;
    TRY(stale(db, w->id,
              db_row(&row, db, &collection_update_settings, NUM(w->id), NUM(w->version),
                     dumped(w->document))));
    return note(db, w->actor, "collection.changed", w->id, NULL);
}

enum result collection_update(struct db *db, const struct actor *actor, int64_t id,
                              int64_t version, json_t *document)
{
    struct writing w = {
        .actor = actor, .id = id, .version = version, .document = document};
    return db_join(db, update, &w);
}

static enum result set_definition(struct db *db, void *data)
{
    struct writing *w = data;
    json_t *row;
    TRY(stale(db, w->id,
              db_row(&row, db, &collection_update_definition, NUM(w->id), NUM(w->version),
                     dumped(w->definition))));
    *w->made = integer_at(row, "definition_version");
    return note(db, w->actor, "collection.form_changed", w->id, NULL);
}

enum result collection_set_definition(int64_t *now, struct db *db,
                                      const struct actor *actor, int64_t id,
                                      int64_t version, json_t *definition)
{
    struct writing w = {.actor = actor,
                        .id = id,
                        .version = version,
                        .made = now,
                        .definition = definition};
    return db_join(db, set_definition, &w);
}

static enum result publish(struct db *db, void *data)
{
    struct writing *w = data;
    json_t *row, *newest;
    TRY(db_row(&row, db, &collection_lock, NUM(w->id)));
    if (w->version != 0 && integer_at(row, "definition_version") != w->version)
        return CONFLICT;
    enum result found = db_row(&newest, db, &form_version_newest, NUM(w->id));
    if (found != OK && found != NOT_FOUND)
        return found;
    if (found == OK && json_equal(json_object_get(newest, "definition"),
                                  json_object_get(row, "definition"))) {
        *w->made = integer_at(newest, "id");
        return OK;
    }
    TRY(db_row(&newest, db, &form_version_insert, NUM(w->id), ID(w->actor->account)));
    *w->made = integer_at(newest, "id");
    return note(db, w->actor, "collection.form_published", w->id,
                json_pack("{s:O}", "number", json_object_get(newest, "number")));
}

enum result collection_publish(int64_t *form_version_id, struct db *db,
                               const struct actor *actor, int64_t id,
                               int64_t definition_version)
{
    struct writing w = {
        .actor = actor, .id = id, .version = definition_version, .made = form_version_id};
    return db_join(db, publish, &w);
}

/* Where a collection may be led, and the event that says so. */
static const struct {
    const char *from, *to, *action;
} ways[] = {
    {"draft",   "open",    "collection.opened"  },
    {"open",    "closing", "collection.closing" },
    {"open",    "closed",  "collection.closed"  },
    {"closing", "open",    "collection.reopened"},
    {"closing", "closed",  "collection.closed"  },
    {"closed",  "open",    "collection.reopened"},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* A draft opens with its first wave. */
static bool led_by_hand(const char *from)
{
    return strcmp(from, "draft") != 0;
}

json_t *collection_moves(const char *state)
{
    json_t *moves = json_array();
    for (size_t i = 0; i < WAYS && led_by_hand(state); i++)
        if (strcmp(ways[i].from, state) == 0)
            json_array_append_new(moves,
                                  json_pack("{s:s, s:b}", "to", ways[i].to, "again",
                                            strcmp(ways[i].to, "open") == 0));
    return moves;
}

static const char *state_action(const char *from, const char *to)
{
    for (size_t i = 0; i < WAYS; i++)
        if (strcmp(ways[i].from, from) == 0 && strcmp(ways[i].to, to) == 0)
            return ways[i].action;
    return NULL;
}

static enum result set_state(struct db *db, void *data)
{
    struct writing *w = data;
    const char *action = state_action(w->from, w->to);
    json_t *row;
    if (action == NULL)
        return CONFLICT;
    TRY(stale(db, w->id,
              db_row(&row, db, &collection_update_state, NUM(w->id), w->from, w->to)));
    return note(db, w->actor, action, w->id, NULL);
}

enum result collection_set_state(struct db *db, const struct actor *actor, int64_t id,
                                 const char *from, const char *to)
{
    struct writing w = {.actor = actor, .id = id, .from = from, .to = to};
    if (!led_by_hand(from))
        return CONFLICT;
    return db_join(db, set_state, &w);
}

static enum result duplicate(struct db *db, void *data)
{
    struct writing *w = data;
    json_t *row;
    TRY(db_row(&row, db, &collection_copy, NUM(w->id), w->title_en, w->title_zh,
               ID(w->actor->account)));
    *w->made = integer_at(row, "id");
    TRY(db_run(NULL, db, &collection_copy_people, NUM(w->id), NUM(*w->made)));
    return note(db, w->actor, "collection.created", *w->made,
                json_pack("{s:I}", "copied_from", (json_int_t)w->id));
}

enum result collection_duplicate(int64_t *copy, struct db *db, const struct actor *actor,
                                 int64_t id, const char *title_en, const char *title_zh)
{
    struct writing w = {.actor = actor,
                        .id = id,
                        .made = copy,
                        .title_en = title_en,
                        .title_zh = title_zh};
    return db_join(db, duplicate, &w);
}

static enum result delete_draft(struct db *db, void *data)
{
    struct writing *w = data;
    json_t *row;
    TRY(stale(db, w->id, db_row(&row, db, &collection_delete_draft, NUM(w->id))));
    return note(db, w->actor, "collection.deleted", w->id, NULL);
}

enum result collection_delete(struct db *db, const struct actor *actor, int64_t id)
{
    struct writing w = {.actor = actor, .id = id};
    return db_join(db, delete_draft, &w);
}

enum result collection_people(json_t **people, struct db *db, int64_t id)
{
    return db_rows(people, db, &collection_people_rows, NUM(id));
}

static enum result choose(struct db *db, void *data)
{
    struct writing *w = data;
    json_t *row;
    TRY(db_row(&row, db, &collection_lock, NUM(w->id)));
    TRY(db_run(NULL, db, &collection_choose_shown, NUM(w->id), dumped(w->document),
               dumped(w->definition), dumped(w->pilot)));
    return note(db, w->actor, "collection.people_chosen", w->id, NULL);
}

enum result collection_choose(struct db *db, const struct actor *actor, int64_t id,
                              json_t *shown, json_t *asked, json_t *pilot)
{
    struct writing w = {
        .actor = actor, .id = id, .document = shown, .definition = asked, .pilot = pilot};
    return db_join(db, choose, &w);
}

static enum result choose_random(struct db *db, void *data)
{
    struct writing *w = data;
    json_t *row;
    TRY(db_row(&row, db, &collection_lock, NUM(w->id)));
    TRY(db_run(w->made, db, &collection_choose_at_random, NUM(w->id), NUM(w->version)));
    return note(db, w->actor, "collection.people_chosen", w->id, NULL);
}

enum result collection_choose_random(int64_t *chosen, struct db *db,
                                     const struct actor *actor, int64_t id, int count)
{
    struct writing w = {.actor = actor, .id = id, .version = count, .made = chosen};
    return db_join(db, choose_random, &w);
}

enum result collection_waves(json_t **waves, struct db *db, int64_t id)
{
    return db_rows(waves, db, &wave_rows, NUM(id));
}

enum result collection_latest_wave(json_t **wave, struct db *db, int64_t id)
{
    return db_row(wave, db, &wave_of_everyone, NUM(id));
}

struct opening {
    json_t **wave;
    const struct actor *actor;
    int64_t id;
    const char *kind;
    json_t *accounts;
};

/* The collection, locked, and open from now on. */
static enum result make_open(struct db *db, const struct opening *o)
{
    json_t *row;
    TRY(db_row(&row, db, &collection_lock, NUM(o->id)));
    const char *state = text_at(row, "state", "");
    if (json_is_false(json_object_get(row, "ahead")))
        return CONFLICT;
    if (strcmp(state, "open") == 0)
        return OK;
    struct writing w = {.actor = o->actor, .id = o->id, .from = "draft", .to = "open"};
    return strcmp(state, "draft") == 0 ? set_state(db, &w) : CONFLICT;
}

static enum result open_wave(struct db *db, void *data)
{
    struct opening *o = data;
    int64_t version;
    json_t *invitations, *older, *wave;
    TRY(make_open(db, o));
    TRY(collection_publish(&version, db, o->actor, o->id, 0));
    TRY(db_row(&wave, db, &wave_insert, NUM(o->id), o->kind, NUM(version),
               ID(o->actor->account)));
    TRY(db_rows(&invitations, db, &invitation_insert, NUM(o->id),
                NUM(integer_at(wave, "id")),
                strcmp(o->kind, "pilot") == 0 ? "true" : "false", NUM(version),
                dumped(o->accounts)));
    TRY(db_rows(&older, db, &invitation_older, NUM(o->id), NUM(version)));
    json_object_set(wave, "invitations", invitations);
    json_object_set(wave, "older", older);
    *o->wave = wave;
    return note(db, o->actor, "wave.opened", o->id,
                json_pack("{s:O, s:s, s:i}", "number", json_object_get(wave, "number"),
                          "kind", o->kind, "invited", (int)json_array_size(invitations)));
}

enum result wave_insert_invitations(json_t **wave, struct db *db,
                                    const struct actor *actor, int64_t id,
                                    const char *kind, json_t *accounts)
{
    struct opening o = {
        .wave = wave, .actor = actor, .id = id, .kind = kind, .accounts = accounts};
    return db_join(db, open_wave, &o);
}
