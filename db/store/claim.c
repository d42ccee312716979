/* See claim.h. */
#include "db/store/claim.h"

#include "db/store/claim.sql.h"
#include "db/store/entity.h"
#include "db/store/join.h"

enum result claim_list(json_t **claims, struct db *db, int64_t person, const char *list,
                       int limit, int64_t offset)
{
    return db_row(claims, db, &claim_rows, NUM(person), list, NUM(limit), NUM(offset));
}

enum result claim_waiting(int64_t *count, struct db *db, int64_t person)
{
    json_t *row;
    TRY(db_row(&row, db, &claim_waiting_count, NUM(person)));
    *count = integer_at(row, "waiting");
    return OK;
}

struct saying {
    const struct actor *actor;
    int64_t person;
    enum claim_verdict verdict;
    json_t *ids;
    int64_t *count;
};

static enum result note(struct db *db, const struct actor *actor, const char *action,
                        int64_t publication, int64_t person)
{
    return event_add(
        db, actor,
        &(struct event){.action = action,
                        .entity = "publication",
                        .target = publication,
                        .detail = json_pack("{s:I}", "person", (json_int_t)person)});
}

static enum result say(struct db *db, void *data)
{
    static const struct query *const queries[] = {
        [CLAIM_MINE] = &claim_mine,
        [CLAIM_NOT_MINE] = &claim_not_mine,
        [CLAIM_UNDO] = &claim_undo,
    };
    static const char *const actions[] = {
        [CLAIM_MINE] = "claim.mine",
        [CLAIM_NOT_MINE] = "claim.not_mine",
        [CLAIM_UNDO] = "claim.undone",
    };
    struct saying *s = data;
    json_t *rows, *row;
    size_t index;
    TRY(db_rows(&rows, db, queries[s->verdict], NUM(s->person),
                json_dumps(s->ids, JSON_COMPACT), ID(s->actor->account)));
    json_array_foreach(rows, index, row)
        TRY(note(db, s->actor, actions[s->verdict], integer_at(row, "id"), s->person));
    *s->count = (int64_t)json_array_size(rows);
    return OK;
}

enum result claim_say(int64_t *count, struct db *db, const struct actor *actor,
                      int64_t person, enum claim_verdict verdict, json_t *ids)
{
    struct saying s = {actor, person, verdict, ids, count};
    return db_join(db, say, &s);
}

enum result claim_open(json_t **open, struct db *db, int limit, int64_t offset)
{
    return db_row(open, db, &claim_open_rows, NUM(limit), NUM(offset));
}

enum result claim_said(json_t **said, struct db *db)
{
    return db_rows(said, db, &claim_recent);
}

struct linking {
    const struct actor *actor;
    const struct claim_link *link;
    bool linked;
};

static enum result set(struct db *db, void *data)
{
    struct linking *l = data;
    const struct claim_link *link = l->link;
    json_t *row;
    enum result result =
        db_row(&row, db, l->linked ? &claim_link : &claim_unlink, NUM(link->publication),
               NUM(link->position), NUM(link->person), ID(l->actor->account), link->name);
    TRY(result == NOT_FOUND ? CONFLICT : result);
    return note(db, l->actor, l->linked ? "claim.linked" : "claim.unlinked",
                link->publication, link->person);
}

enum result claim_set(struct db *db, const struct actor *actor,
                      const struct claim_link *link, bool linked)
{
    struct linking l = {actor, link, linked};
    return db_join(db, set, &l);
}

static enum result drop(struct db *db, void *data)
{
    struct linking *l = data;
    json_t *row;
    enum result result =
        db_row(&row, db, &claim_forget, NUM(l->link->publication), NUM(l->link->person));
    TRY(result == NOT_FOUND ? CONFLICT : result);
    return note(db, l->actor, "claim.undone", l->link->publication, l->link->person);
}

enum result claim_drop(struct db *db, const struct actor *actor, int64_t publication,
                       int64_t person)
{
    struct claim_link link = {.publication = publication, .person = person};
    struct linking l = {.actor = actor, .link = &link};
    return db_join(db, drop, &l);
}

enum result claim_entered_list(json_t **changes, struct db *db, int64_t account)
{
    return db_rows(changes, db, &claim_entered, NUM(account));
}

enum result claim_confirm(struct db *db, const struct actor *actor, int64_t change,
                          int64_t version, const char *verdict, const char *comment)
{
    json_t *row;
    enum result result = db_row(&row, db, &claim_confirm_change, NUM(actor->account),
                                NUM(change), NUM(version), verdict, comment);
    return result == NOT_FOUND ? CONFLICT : result;
}

enum result claim_confirm_undo(struct db *db, const struct actor *actor, int64_t change)
{
    return db_run(NULL, db, &claim_take_back, NUM(actor->account), NUM(change));
}

enum result claim_confirmed(json_t **said, struct db *db, int64_t change)
{
    return db_rows(said, db, &claim_confirmations, NUM(change));
}

enum result claim_name_authors(struct db *db, int64_t change, json_t *document)
{
    json_t *plain = document_stripped(document);
    publication_derive(plain, arena_current());
    json_t *authors = json_object_get(plain, "authors");
    TRY(db_run(NULL, db, &claim_named_clear, NUM(change)));
    return db_run(NULL, db, &claim_named, NUM(change),
                  authors == NULL ? "[]" : json_dumps(authors, JSON_COMPACT));
}
