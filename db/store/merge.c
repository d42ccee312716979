/* Merging works and undoing it, and finding pairs that may be one; see merge.h. */
#include "db/store/merge.h"

#include "db/store/change.h"
#include "db/store/join.h"
#include "db/store/merge.sql.h"
#include "db/store/publication.h"
#include "server/base/arena.h"
#include "server/text/same_work.h"

#include <string.h>

struct merging {
    const struct actor *actor;
    const struct merge *merge;
    json_t **outcome;
    json_t *into, *from; /* entity_current() */
};

/* Locks both rows, the older first, so that two merges of one pair wait for each other.
 */
static enum result lock(struct db *db, int64_t one, int64_t other)
{
    json_t *rows, *row;
    size_t index;
    TRY(db_rows(&rows, db, &merge_lock, NUM(one), NUM(other)));
    if (json_array_size(rows) != 2)
        return NOT_FOUND;
    json_array_foreach(rows, index, row)
    {
        if (integer_at(row, "merged_into") != 0)
            return CONFLICT;
    }
    return OK;
}

static enum result note(struct db *db, const struct actor *actor, const char *action,
                        int64_t into, int64_t from)
{
    return event_add(
        db, actor,
        &(struct event){.action = action,
                        .entity = "publication",
                        .target = into,
                        .detail = json_pack("{s:I}", "from", (json_int_t)from)});
}

static json_t *persons_of(json_t *rows)
{
    json_t *persons = json_array(), *row;
    size_t index;
    json_array_foreach(rows, index, row)
        json_array_append(persons, json_object_get(row, "person_id"));
    return persons;
}

/* A copy of `document` whose authors are linked to nobody who said that it is not theirs.
 */
static enum result without_denied(json_t **document, struct db *db, int64_t id)
{
    json_t *rows, *row, *author, *copy = json_deep_copy(*document);
    size_t index, at;
    TRY(db_rows(&rows, db, &merge_denied, NUM(id)));
    json_array_foreach(rows, index, row){
        json_array_foreach(json_object_get(copy, "authors"), at, author){
            if (strcmp(text_at(author, "person", ""), text_of(row, "slug")) == 0)
                json_object_set_new(author, "person", json_null());
}
}
*document = copy;
return OK;
}

/* The survivor's new document, through the one door. */
static enum result save(json_t **outcome, struct db *db, const struct actor *actor,
                        json_t *current, int64_t version, json_t *document)
{
    *outcome = NULL;
    TRY(without_denied(&document, db, integer_at(current, "id")));
    struct proposal proposal = {.entity = "publication",
                                .target = integer_at(current, "id"),
                                .base_version = version,
                                .document = document,
                                .source = "form",
                                .author = actor->account};
    return change_save(outcome, db, actor, &proposal);
}

static enum result read_both(struct db *db, struct merging *m)
{
    const struct merge *merge = m->merge;
    TRY(entity_by_slug(&m->into, db, "publication", merge->into));
    TRY(entity_by_slug(&m->from, db, "publication", merge->from));
    int64_t into = integer_at(m->into, "id"), from = integer_at(m->from, "id");
    if (into == from)
        return INVALID;
    TRY(lock(db, into, from));
    TRY(entity_current(&m->into, db, "publication", into));
    TRY(entity_current(&m->from, db, "publication", from));
    return integer_at(m->into, "version") == merge->into_version &&
                   integer_at(m->from, "version") == merge->from_version
               ? OK
               : CONFLICT;
}

static enum result merge_both(struct db *db, void *data)
{
    struct merging *m = data;
    json_t *saved, *claims, *row, *after;
    TRY(read_both(db, m));
    int64_t into = integer_at(m->into, "id"), from = integer_at(m->from, "id");
    json_t *mine = json_object_get(m->into, "document");
    json_t *theirs = json_object_get(m->from, "document");
    json_t *document = merge_document(mine, theirs, m->merge->choices);
    TRY(db_run(NULL, db, &merge_retire, NUM(from), NUM(into)));
    TRY(db_rows(&claims, db, &merge_take_claims, NUM(into), NUM(from)));
    enum result result =
        save(&saved, db, m->actor, m->into, m->merge->into_version, document);
    if (result != OK) {
        *m->outcome = saved;
        return result;
    }
    TRY(entity_current(&after, db, "publication", into));
    TRY(db_row(&row, db, &merge_insert, NUM(into), NUM(from),
               json_dumps(mine, JSON_COMPACT), json_dumps(theirs, JSON_COMPACT),
               NUM(m->merge->into_version), NUM(integer_at(after, "version")),
               NUM(m->merge->from_version), json_dumps(persons_of(claims), JSON_COMPACT),
               ID(m->actor->account), m->actor->name));
    *m->outcome = json_pack("{s:O, s:O}", "id", json_object_get(row, "id"), "slug",
                            json_object_get(after, "slug"));
    return note(db, m->actor, "publication.merged", into, from);
}

enum result merge_works(json_t **outcome, struct db *db, const struct actor *actor,
                        const struct merge *merge)
{
    struct merging m = {.actor = actor, .merge = merge, .outcome = outcome};
    *outcome = NULL;
    return db_join(db, merge_both, &m);
}

struct undoing {
    const struct actor *actor;
    int64_t id;
    json_t **outcome;
};

/* Identifiers of `all` that are not among those that went back. */
static json_t *left_of(json_t *all, json_t *back)
{
    json_t *left = json_array(), *row, *other;
    size_t index, at;
    json_array_foreach(all, index, row)
    {
        bool there = false;
        json_array_foreach(back, at, other) there = there || json_equal(row, other);
        if (!there)
            json_array_append(left, row);
    }
    return left;
}

static enum result undo(struct db *db, void *data)
{
    struct undoing *u = data;
    json_t *row, *saved, *back, *current;
    TRY(db_row(&row, db, &merge_row, NUM(u->id)));
    int64_t into = integer_at(row, "into_id"), from = integer_at(row, "from_id");
    if (text_of(row, "undone_at") != NULL || integer_at(row, "into_merged") != 0 ||
        integer_at(row, "from_merged") != into)
        return CONFLICT;
    bool whole = integer_at(row, "into_now") == integer_at(row, "into_after");
    if (whole) {
        TRY(db_run(NULL, db, &merge_drop_claims, NUM(into),
                   json_dumps(json_object_get(row, "persons"), JSON_COMPACT)));
        TRY(entity_current(&current, db, "publication", into));
        TRY(save(&saved, db, u->actor, current, integer_at(current, "version"),
                 json_object_get(row, "into_document")));
    }
    json_t *identifiers =
        json_object_get(json_object_get(row, "from_document"), "identifiers");
    TRY(db_rows(&back, db, &merge_restore, NUM(from),
                json_dumps(identifiers, JSON_COMPACT)));
    json_t *left = left_of(identifiers, back);
    whole = whole && json_array_size(left) == 0;
    TRY(db_run(NULL, db, &merge_undone, NUM(u->id), ID(u->actor->account),
               whole ? NULL : json_dumps(left, JSON_COMPACT)));
    *u->outcome = json_pack("{s:b, s:O}", "whole", whole, "left", left);
    return note(db, u->actor, "publication.unmerged", into, from);
}

enum result merge_undo(json_t **outcome, struct db *db, const struct actor *actor,
                       int64_t id)
{
    struct undoing u = {actor, id, outcome};
    *outcome = NULL;
    return db_join(db, undo, &u);
}

enum result merge_list(json_t **merges, struct db *db, int limit, int64_t offset)
{
    return db_rows(merges, db, &merge_rows, NUM(limit), NUM(offset));
}

/* Best first. */
static void place(json_t *pairs, json_t *pair)
{
    size_t at = json_array_size(pairs);
    while (at > 0 &&
           integer_at(json_array_get(pairs, at - 1), "score") < integer_at(pair, "score"))
        at--;
    json_array_insert(pairs, at, pair);
}

enum result merge_duplicates(json_t **found, struct db *db, int64_t before)
{
    json_t *row, *pairs = json_array(), *pair, *keys;
    size_t index;
    TRY(publication_match_many(&keys, db, json_array())); /* makes keys that lack */
    TRY(db_row(&row, db, &merge_candidates, ID(before), NUM(MERGE_LOOKED),
               NUM(MERGE_PAIRS)));
    json_array_foreach(json_object_get(row, "pairs"), index, pair)
    {
        json_t *newer = json_object_get(pair, "newer");
        json_t *older = json_object_get(pair, "older");
        struct same_work same = same_work_compare(json_object_get(newer, "work"),
                                                  json_object_get(older, "work"));
        json_object_del(newer, "work");
        json_object_del(older, "work");
        if (!same.likely)
            continue;
        json_object_set_new(pair, "score", json_integer(same.score));
        json_object_set_new(pair, "same", json_boolean(same.same));
        json_object_set_new(pair, "reason", json_string(same.reason));
        place(pairs, pair);
    }
    bool cut = integer_at(row, "paired") == MERGE_PAIRS;
    bool more = cut || integer_at(row, "looked") == MERGE_LOOKED;
    /* The oldest work of a cut list is looked at again: it may have further pairs. */
    int64_t next = cut ? integer_at(row, "least_paired") + 1 : integer_at(row, "least");
    *found = json_pack("{s:o, s:o}", "pairs", pairs, "next",
                       more ? json_integer(next) : json_null());
    return OK;
}

enum result merge_dismiss(struct db *db, const struct actor *actor, int64_t one,
                          int64_t other, bool dismissed)
{
    if (one == other)
        return INVALID;
    return dismissed ? db_run(NULL, db, &merge_dismiss_pair, NUM(one), NUM(other),
                              ID(actor->account))
                     : db_run(NULL, db, &merge_recall_pair, NUM(one), NUM(other));
}

enum result merge_dismissed(json_t **pairs, struct db *db)
{
    return db_rows(pairs, db, &merge_dismissed_rows);
}

enum result merge_leads_to(const char **slug, struct db *db, const char *former)
{
    json_t *row;
    TRY(db_row(&row, db, &merge_former, former));
    *slug = text_of(row, "slug");
    return OK;
}
