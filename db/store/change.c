/* Changes are proposed and decided here, and nowhere else is lab, person, publication or
 * answer written. */
#include "db/store/change.h"

#include "db/store/change.sql.h"
#include "db/store/entity.h"
#include "db/store/join.h"
#include "server/base/log.h"

#include <string.h>

static enum result find_entity(const struct entity **entity, const char *name)
{
    *entity = entity_find(name);
    if (*entity != NULL)
        return OK;
    log_error("change.misuse", "entity", name);
    return FAILED;
}

enum result entity_current(json_t **current, struct db *db, const char *name, int64_t id)
{
    const struct entity *entity;
    TRY(find_entity(&entity, name));
    TRY(db_row(current, db, entity->document, NUM(id)));
    return id != 0 && integer_at(*current, "id") == 0 ? NOT_FOUND : OK;
}

enum result entity_by_slug(json_t **current, struct db *db, const char *name,
                           const char *slug)
{
    const struct entity *entity;
    json_t *row;
    TRY(find_entity(&entity, name));
    if (entity->by_slug == NULL)
        return NOT_FOUND;
    TRY(db_row(&row, db, entity->by_slug, slug));
    return entity_current(current, db, name, integer_at(row, "id"));
}

/* A proposal being worked on. */
struct proposing {
    const struct actor *actor;
    const struct proposal *proposal;
    const struct entity *entity;
    json_t *current;  /* entity_current() */
    json_t *open;     /* the author's open change, or NULL */
    json_t *document; /* merged */
    json_t **outcome;
    bool at_once;
};

/* The document that a partial proposal is laid over. An open change written against an
 * older version keeps what it altered and takes the rest from the current one. */
static enum result ground(json_t **document, struct db *db, struct proposing *p)
{
    json_t *current = json_object_get(p->current, "document"), *value, *revision;
    int64_t version = integer_at(p->current, "version");
    const char *key;
    *document = current;
    if (p->open == NULL)
        return OK;
    json_t *proposed = json_object_get(p->open, "document");
    *document = proposed;
    if (version == integer_at(p->open, "base_version"))
        return OK;
    enum result result =
        db_row(&revision, db, &change_revision, p->entity->name, NUM(p->proposal->target),
               NUM(integer_at(p->open, "base_version")));
    *document = current;
    if (result != OK)
        return result == NOT_FOUND ? OK : result;
    revision = json_object_get(revision, "document");
    *document = json_copy(current);
    json_object_foreach(current, key, value)
    {
        json_t *mine = json_object_get(proposed, key);
        if (!change_same(mine, json_object_get(revision, key)))
            json_object_set(*document, key, mine);
    }
    return OK;
}

/* In the order of the form that the document comes from; what it does not ask for stays.
 */
static enum result merge_own(struct db *db, struct proposing *p)
{
    json_t *base, *value;
    const char *key;
    TRY(ground(&base, db, p));
    p->document = json_copy(p->proposal->document);
    json_object_foreach(base, key, value)
    {
        if (json_object_get(p->document, key) == NULL)
            json_object_set(p->document, key, value);
    }
    return OK;
}

/* Keys in the order of the current document; a key that it doesn't have is a fault of the
 * program, for the form has refused unknown ones. */
static enum result merge(struct db *db, struct proposing *p)
{
    json_t *base, *value;
    const char *key;
    if (p->entity->own_forms)
        return merge_own(db, p);
    TRY(ground(&base, db, p));
    json_object_foreach(p->proposal->document, key, value)
    {
        if (json_object_get(json_object_get(p->current, "document"), key) == NULL) {
            log_error("change.unknown_key", "entity", p->entity->name, "key", key);
            return FAILED;
        }
    }
    p->document = json_object();
    json_object_foreach(json_object_get(p->current, "document"), key, value)
    {
        json_t *given = json_object_get(p->proposal->document, key);
        if (given == NULL)
            given = json_object_get(base, key);
        json_object_set(p->document, key, given == NULL ? json_null() : given);
    }
    json_t *slug = json_object_get(p->current, "slug");
    if (json_is_string(slug) && text_of(p->document, "slug") == NULL)
        json_object_set(p->document, "slug", slug);
    if (p->entity->tidy != NULL)
        p->entity->tidy(p->document, arena_current());
    return OK;
}

static enum result find_open(struct db *db, struct proposing *p)
{
    const struct proposal *proposal = p->proposal;
    enum result result = NOT_FOUND;
    if (proposal->author != 0)
        return OK;
    if (proposal->target != 0 && p->actor->account != 0)
        result = db_row(&p->open, db, &change_own_open, NUM(p->actor->account),
                        p->entity->name, NUM(proposal->target));
    else if (proposal->change != 0)
        TRY(result = db_row(&p->open, db, &change_own_by_id, NUM(proposal->change),
                            ID(p->actor->account), p->entity->name));
    if (result != OK) {
        p->open = NULL;
        if (result != NOT_FOUND)
            return result;
        return proposal->change_version > 0 ? CONFLICT : OK;
    }
    const char *state = text_of(p->open, "state");
    if (strcmp(state, "approved") == 0 || strcmp(state, "withdrawn") == 0)
        return CONFLICT;
    return proposal->change_version >= 0 &&
                   proposal->change_version != integer_at(p->open, "version")
               ? CONFLICT
               : OK;
}

/* Who stands where: what everything else is judged by. */
static enum result prepare(struct db *db, struct proposing *p)
{
    const struct proposal *proposal = p->proposal;
    TRY(find_entity(&p->entity, proposal->entity));
    if (proposal->target == 0 && p->entity->insert == NULL)
        return NOT_FOUND;
    TRY(entity_current(&p->current, db, proposal->entity, proposal->target));
    *p->outcome = p->current;
    if (proposal->base_version != 0 &&
        proposal->base_version != integer_at(p->current, "version"))
        return CONFLICT;
    enum result result = find_open(db, p);
    if (p->open != NULL)
        json_object_set(p->current, "change", p->open);
    TRY(result);
    return merge(db, p);
}

static void report(struct proposing *p, const char *outcome, json_t *change)
{
    *p->outcome = json_pack("{s:s, s:O?, s:O?, s:O, s:O}", "outcome", outcome, "id",
                            json_object_get(change, "id"), "version",
                            json_object_get(change, "version"), "target_id",
                            json_object_get(p->current, "id"), "slug",
                            json_object_get(p->current, "slug"));
}

static enum result note(struct db *db, const struct actor *actor, const char *action,
                        const char *entity, int64_t target, int64_t change)
{
    return event_add(
        db, actor,
        &(struct event){
            .action = action, .entity = entity, .target = target, .change = change});
}

static enum result settle_unchanged(struct db *db, struct proposing *p)
{
    report(p, "unchanged", NULL);
    if (p->open == NULL)
        return OK;
    int64_t change = integer_at(p->open, "id");
    TRY(db_run(NULL, db, &change_settle, NUM(change), "withdrawn", NULL, NULL, NULL));
    return note(db, p->actor, "change.withdrawn", p->entity->name, p->proposal->target,
                change);
}

static enum result write_change(json_t **row, struct db *db, struct proposing *p,
                                const char *state)
{
    const char *text = json_dumps(p->document, JSON_COMPACT);
    int64_t version = integer_at(p->current, "version");
    if (p->open != NULL)
        return db_row(row, db, &change_replace, NUM(integer_at(p->open, "id")),
                      ID(version), text, state, p->proposal->source);
    return db_row(row, db, &change_insert, p->entity->name, ID(p->proposal->target),
                  ID(version), text, state, p->proposal->source, ID(p->actor->account));
}

/* Insert or update, the rows beside it, and what then stands there. *version is the
 * target's before (0: new), and after. */
static enum result apply(json_t **after, struct db *db, const struct entity *entity,
                         int64_t target, int64_t version, json_t *document)
{
    struct arena *arena = arena_current();
    json_t *plain = document_stripped(document), *row;
    if (entity->derive != NULL)
        entity->derive(plain, arena);
    if (entity->slug != NULL) {
        const char *given = text_of(plain, "slug");
        const char *slug = slug_from(arena, given != NULL ? given : "", 20, 80);
        if (*slug == '\0')
            slug = entity->slug(arena, plain);
        json_object_set_new(plain, "slug", json_string(slug));
    }
    const char *text = json_dumps(plain, JSON_COMPACT);
    if (target == 0) {
        TRY(db_row(&row, db, entity->insert, text));
        target = integer_at(row, "id");
    } else {
        enum result result =
            db_row(&row, db, entity->update, NUM(target), text, NUM(version));
        TRY(result == NOT_FOUND ? CONFLICT : result);
        if (entity->clear != NULL)
            TRY(db_run(NULL, db, entity->clear, NUM(target), text));
    }
    for (size_t i = 0; i < sizeof entity->steps / sizeof *entity->steps; i++)
        if (entity->steps[i] != NULL)
            TRY(db_run(NULL, db, entity->steps[i], NUM(target), text));
    return entity_current(after, db, entity->name, target);
}

static enum result apply_at_once(struct db *db, struct proposing *p)
{
    json_t *after, *row;
    int64_t target = p->proposal->target, version = integer_at(p->current, "version");
    TRY(apply(&after, db, p->entity, target, version, p->document));
    const char *text = json_dumps(json_object_get(after, "document"), JSON_COMPACT);
    if (p->open != NULL)
        TRY(db_row(&row, db, &change_apply_decided, NUM(integer_at(p->open, "id")),
                   NUM(integer_at(after, "id")), NUM(integer_at(after, "version")), text,
                   ID(p->actor->account), p->actor->name, p->actor->request_id,
                   db->peer));
    else
        TRY(db_row(&row, db, &change_apply_at_once, p->entity->name,
                   NUM(integer_at(after, "id")), NUM(integer_at(after, "version")), text,
                   ID(p->actor->account), p->actor->name, p->actor->request_id,
                   ID(version), json_dumps(p->document, JSON_COMPACT),
                   p->proposal->source,
                   ID(p->proposal->author != 0 ? p->proposal->author : p->actor->account),
                   db->peer));
    if (p->entity->follow != NULL)
        TRY(p->entity->follow(db, p->actor, integer_at(after, "id")));
    *p->outcome =
        json_pack("{s:s, s:O, s:O, s:O, s:O}", "outcome",
                  target == 0 ? "created" : "updated", "id", json_object_get(row, "id"),
                  "version", json_object_get(after, "version"), "target_id",
                  json_object_get(after, "id"), "slug", json_object_get(after, "slug"));
    return OK;
}

/* Does the document name a stored file? Most do not, and need no query. */
static bool names_files(json_t *document)
{
    const char *key, *text;
    json_t *value;
    json_object_foreach(document, key,
                        value) if ((text = json_string_value(value)) != NULL &&
                                   strncmp(text, "photo-", 6) == 0) return true;
    return json_array_size(json_object_get(document, "files")) > 0;
}

/* A file belongs to who uploaded it: nobody else can take it into a document, unless the
 * document's history has it. Admins, who see all, may. What is named is kept from then
 * on. */
static enum result check_files(struct db *db, struct proposing *p)
{
    json_t *errors;
    if (!names_files(p->document))
        return OK;
    const char *text = json_dumps(p->document, JSON_COMPACT);
    TRY(db_rows(&errors, db, &change_foreign_files, ID(p->actor->account),
                p->entity->name, ID(p->proposal->target), text));
    if (json_array_size(errors) == 0)
        return db_run(NULL, db, &change_keep_files, text);
    *p->outcome = json_pack("{s:o}", "errors", errors);
    return INVALID;
}

/* Rules that no form can see, such as an identifier that another work has. */
static enum result check(struct db *db, struct proposing *p)
{
    json_t *errors;
    if (p->entity->check == NULL)
        return OK;
    TRY(db_rows(&errors, db, p->entity->check, ID(p->proposal->target),
                json_dumps(document_stripped(p->document), JSON_COMPACT)));
    if (json_array_size(errors) == 0)
        return OK;
    *p->outcome = json_pack("{s:o}", "errors", errors);
    return INVALID;
}

static bool returned(const struct proposing *p)
{
    return p->open != NULL && strcmp(text_of(p->open, "state"), "returned") == 0;
}

/* Is there nothing to write, as far as the target goes? */
static bool unchanged(const struct proposing *p)
{
    bool first = p->entity->own_forms && integer_at(p->current, "version") == 1;
    if (p->proposal->draft ? returned(p) : first)
        return false;
    return change_same(p->document, json_object_get(p->current, "document"));
}

/* Has the draft been kept already? */
static bool kept(const struct proposing *p)
{
    return p->proposal->draft && p->open != NULL &&
           strcmp(text_of(p->open, "state"), "submitted") != 0 &&
           integer_at(p->open, "base_version") == integer_at(p->current, "version") &&
           change_same(p->document, json_object_get(p->open, "document"));
}

static enum result propose(struct db *db, void *data)
{
    struct proposing *p = data;
    json_t *row;
    TRY(prepare(db, p));
    if (unchanged(p))
        return settle_unchanged(db, p);
    TRY(check_files(db, p));
    if (!p->proposal->draft)
        TRY(check(db, p));
    if (p->at_once)
        return apply_at_once(db, p);
    const char *state = !p->proposal->draft ? "submitted"
                        : returned(p)       ? "returned"
                                            : "draft";
    if (kept(p)) {
        report(p, state, p->open);
        return OK;
    }
    TRY(write_change(&row, db, p, state));
    report(p, state, row);
    if (p->entity->proposed != NULL && strcmp(state, "submitted") == 0)
        TRY(p->entity->proposed(db, integer_at(row, "id"), p->document));
    if (p->proposal->draft && p->open != NULL &&
        strcmp(text_of(p->open, "state"), "submitted") != 0)
        return OK; /* told when the draft was begun */
    return note(db, p->actor, p->proposal->draft ? "change.drafted" : "change.submitted",
                p->entity->name, p->proposal->target, integer_at(row, "id"));
}

enum result change_propose(json_t **outcome, struct db *db, const struct actor *actor,
                           const struct proposal *proposal)
{
    struct proposing p = {.actor = actor, .proposal = proposal, .outcome = outcome};
    *outcome = NULL;
    return db_join(db, propose, &p);
}

enum result change_save(json_t **outcome, struct db *db, const struct actor *actor,
                        const struct proposal *proposal)
{
    struct proposing p = {
        .actor = actor, .proposal = proposal, .outcome = outcome, .at_once = true};
    *outcome = NULL;
    return db_join(db, propose, &p);
}

/* A decision being made. */
struct deciding {
    const struct actor *actor;
    int64_t change, version;
    const char *comment;
    json_t *comments;
    json_t *edited; /* the reviewer's text in place of the author's, or NULL, ... */
    int64_t base;   /* ... written against this version of the target */
    json_t *row;    /* the change, locked */
    json_t **applied;
};

static enum result lock(struct db *db, struct deciding *d)
{
    TRY(db_row(&d->row, db, &change_lock, NUM(d->change)));
    return integer_at(d->row, "version") == d->version ? OK : CONFLICT;
}

static bool in_state(const struct deciding *d, const char *state)
{
    return strcmp(text_of(d->row, "state"), state) == 0;
}

/* The reviewer's text obeys the store as the author's does; and the author's is kept
 * beside it. */
static enum result check_edited(struct db *db, struct deciding *d,
                                const struct entity *entity)
{
    struct proposal proposal = {.entity = entity->name,
                                .target = integer_at(d->row, "target_id")};
    struct proposing p = {.actor = d->actor,
                          .proposal = &proposal,
                          .entity = entity,
                          .document = d->edited,
                          .outcome = d->applied};
    json_t *proposed = json_object_get(d->row, "document");
    TRY(check_files(db, &p));
    TRY(check(db, &p));
    if (change_same(proposed, d->edited))
        return OK;
    return db_run(NULL, db, &change_keep_proposed, NUM(d->change),
                  json_dumps(proposed, JSON_COMPACT), ID(d->base));
}

static enum result approve(struct db *db, void *data)
{
    struct deciding *d = data;
    const struct entity *entity;
    json_t *after, *row;
    TRY(lock(db, d));
    if (!in_state(d, "submitted"))
        return CONFLICT;
    TRY(find_entity(&entity, text_of(d->row, "entity")));
    int64_t target = integer_at(d->row, "target_id");
    int64_t base = integer_at(d->row, "base_version");
    json_t *document = json_object_get(d->row, "document");
    if (d->edited != NULL) {
        TRY(check_edited(db, d, entity));
        document = d->edited;
        base = d->base;
    }
    TRY(apply(&after, db, entity, target, base, document));
    TRY(db_row(&row, db, &change_apply_decided, NUM(d->change),
               NUM(integer_at(after, "id")), NUM(integer_at(after, "version")),
               json_dumps(json_object_get(after, "document"), JSON_COMPACT),
               ID(d->actor->account), d->actor->name, d->actor->request_id, db->peer));
    if (entity->follow != NULL)
        TRY(entity->follow(db, d->actor, integer_at(after, "id")));
    *d->applied =
        json_pack("{s:s, s:O, s:O, s:O, s:b}", "entity", entity->name, "target_id",
                  json_object_get(after, "id"), "slug", json_object_get(after, "slug"),
                  "version", json_object_get(after, "version"), "created", target == 0);
    return OK;
}

static enum result settle(struct db *db, struct deciding *d, const char *state)
{
    const char *comments = NULL;
    if (json_object_size(d->comments) > 0)
        comments = json_dumps(d->comments, JSON_COMPACT);
    TRY(db_run(NULL, db, &change_settle, NUM(d->change), state, d->comment,
               ID(d->actor->account), comments));
    return note(db, d->actor, arena_print(arena_current(), "change.%s", state),
                text_of(d->row, "entity"), integer_at(d->row, "target_id"), d->change);
}

static enum result give_back(struct db *db, void *data)
{
    struct deciding *d = data;
    TRY(lock(db, d));
    return in_state(d, "submitted") ? settle(db, d, "returned") : CONFLICT;
}

static enum result withdraw(struct db *db, void *data)
{
    struct deciding *d = data;
    enum result result = lock(db, d);
    if (result == NOT_FOUND || (result == CONFLICT && d->row == NULL))
        return NOT_FOUND;
    if (result != OK && result != CONFLICT)
        return result;
    if (d->actor->account == 0 || integer_at(d->row, "author_id") != d->actor->account)
        return NOT_FOUND;
    if (result == CONFLICT || in_state(d, "approved") || in_state(d, "withdrawn"))
        return CONFLICT;
    return settle(db, d, "withdrawn");
}

enum result change_approve(json_t **applied, struct db *db, const struct actor *actor,
                           int64_t change, int64_t version)
{
    struct deciding d = {
        .actor = actor, .change = change, .version = version, .applied = applied};
    return db_join(db, approve, &d);
}

enum result change_return(struct db *db, const struct actor *actor, int64_t change,
                          int64_t version, const char *comment)
{
    struct deciding d = {
        .actor = actor, .change = change, .version = version, .comment = comment};
    return db_join(db, give_back, &d);
}

enum result change_withdraw(struct db *db, const struct actor *actor, int64_t change,
                            int64_t version)
{
    struct deciding d = {.actor = actor, .change = change, .version = version};
    return db_join(db, withdraw, &d);
}

enum result change_approve_edited(json_t **applied, struct db *db,
                                  const struct actor *actor, int64_t change,
                                  int64_t version, int64_t base, json_t *document)
{
    struct deciding d = {.actor = actor,
                         .change = change,
                         .version = version,
                         .edited = document,
                         .base = base,
                         .applied = applied};
    *applied = NULL;
    return db_join(db, approve, &d);
}

enum result change_return_with(struct db *db, const struct actor *actor, int64_t change,
                               int64_t version, const char *comment, json_t *comments)
{
    struct deciding d = {.actor = actor,
                         .change = change,
                         .version = version,
                         .comment = comment,
                         .comments = comments};
    return db_join(db, give_back, &d);
}

/* Whose review it is. */
struct claiming {
    const struct actor *actor;
    int64_t change, seen;
    bool release;
};

static enum result claim(struct db *db, void *data)
{
    struct claiming *c = data;
    json_t *row;
    enum result result = c->release ? db_row(&row, db, &change_give_up, NUM(c->change),
                                             ID(c->actor->account))
                                    : db_row(&row, db, &change_take, NUM(c->change),
                                             ID(c->actor->account), ID(c->seen));
    TRY(result == NOT_FOUND ? CONFLICT : result);
    return note(db, c->actor, c->release ? "change.released" : "change.claimed",
                text_of(row, "entity"), integer_at(row, "target_id"), c->change);
}

enum result change_claim(struct db *db, const struct actor *actor, int64_t change,
                         int64_t seen)
{
    struct claiming c = {.actor = actor, .change = change, .seen = seen};
    return db_join(db, claim, &c);
}

enum result change_release(struct db *db, const struct actor *actor, int64_t change)
{
    struct claiming c = {.actor = actor, .change = change, .release = true};
    return db_join(db, claim, &c);
}
