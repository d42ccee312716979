/* Venues; see venue.h. */
#include "db/store/venue.h"

#include "db/store/join.h"
#include "db/store/slug.h"
#include "db/store/venue.sql.h"
#include "server/base/utf8.h"

#include <string.h>

enum result venue_list(json_t **venues, struct db *db, const char *text)
{
    const char *pattern = NULL;
    if (text != NULL && *text != '\0' && utf8_valid(text, strlen(text)) &&
        strpbrk(text, "%_\\") == NULL) {
        struct arena *arena = arena_current();
        pattern = arena_print(arena, "%%%s%%", utf8_fold(arena, text, strlen(text)));
    }
    return db_rows(venues, db, &venue_rows, pattern);
}

enum result venue_unknown(json_t **texts, struct db *db)
{
    return db_rows(texts, db, &venue_unlisted);
}

enum result venue_find(json_t **venue, struct db *db, const char *slug)
{
    return db_row(venue, db, &venue_by_slug, slug);
}

/* The names of a document in one list, its own first. */
static const char *names_of(const json_t *document)
{
    json_t *names = json_array(), *name;
    size_t i;
    json_array_append(names, json_object_get(document, "name"));
    if (filled_of(document, "short_name") != NULL)
        json_array_append(names, json_object_get(document, "short_name"));
    json_array_foreach(json_object_get(document, "aliases"), i, name)
        json_array_append(names, name);
    return json_dumps(names, JSON_COMPACT);
}

static enum result event(struct db *db, const struct actor *actor, const char *action,
                         int64_t id, json_t *detail)
{
    struct event event = {
        .action = action, .entity = "venue", .target = id, .detail = detail};
    return event_add(db, actor, &event);
}

struct saving {
    const struct actor *actor;
    const json_t *current;
    json_t *document, *outcome;
};

/* Which field a name stands in. */
static const char *field_of(const json_t *document, const char *name)
{
    if (strcmp(text_at(document, "name", ""), name) == 0)
        return "name";
    return strcmp(text_at(document, "short_name", ""), name) == 0 ? "short_name"
                                                                  : "aliases";
}

/* INVALID: a name that can't be this venue's. */
static enum result check(struct saving *saving, struct db *db, const char *names)
{
    json_t *taken, *row, *errors = json_array();
    size_t i;
    const json_t *current = saving->current;
    TRY(db_rows(&taken, db, &venue_named,
                current != NULL ? NUM(integer_at(current, "id")) : NULL, names));
    json_array_foreach(taken, i, row)
    {
        json_array_append_new(
            errors,
            json_pack("{s:s,s:s,s:O,s:O}", "field",
                      field_of(saving->document, text_at(row, "name", "")), "code",
                      truth_at(row, "nothing") ? "venue_empty" : "venue_taken", "venue",
                      json_object_get(row, "venue"), "slug",
                      json_object_get(row, "slug")));
    }
    if (json_array_size(errors) == 0)
        return OK;
    saving->outcome = json_pack("{s:o}", "errors", errors);
    return INVALID;
}

static const char *new_slug(const json_t *document)
{
    static const char *const taken[] = {"new", "add", "import", ""};
    struct arena *arena = arena_current();
    const char *name = text_at(document, "short_name", text_at(document, "name", ""));
    const char *slug = slug_from(arena, name, 8, 60);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(slug, taken[i]) == 0)
            return arena_print(arena, "venue%s%s", *slug != '\0' ? "-" : "", slug);
    return slug;
}

static enum result save(struct db *db, void *data)
{
    struct saving *saving = data;
    json_t *document = saving->document, *row;
    const json_t *current = saving->current;
    const char *name = text_of(document, "name"), *rank = filled_of(document, "rank"),
               *other = filled_of(document, "short_name"),
               *kind = text_at(document, "kind", "conference"),
               *names = names_of(document);
    TRY(check(saving, db, names));
    if (current == NULL) {
        TRY(db_row(&row, db, &venue_insert, new_slug(document), name, other, kind, rank));
    } else {
        enum result updated =
            db_row(&row, db, &venue_update, NUM(integer_at(current, "id")),
                   NUM(integer_at(current, "version")), name, other, kind, rank);
        if (updated != OK)
            return updated == NOT_FOUND ? CONFLICT : updated;
    }
    int64_t id = integer_at(row, "id");
    TRY(db_run(NULL, db, &venue_forget_names, NUM(id)));
    TRY(db_run(NULL, db, &venue_names, NUM(id), names));
    saving->outcome = row;
    return event(db, saving->actor, "venue.saved", id, json_pack("{s:s}", "name", name));
}

enum result venue_save(json_t **outcome, struct db *db, const struct actor *actor,
                       const json_t *current, json_t *document)
{
    struct saving saving = {actor, current, document, NULL};
    enum result result = db_join(db, save, &saving);
    *outcome = saving.outcome;
    return result;
}

struct joining {
    const struct actor *actor;
    const json_t *into, *from;
};

static enum result merge(struct db *db, void *data)
{
    const struct joining *joining = data;
    const char *into = NUM(integer_at(joining->into, "id")),
               *from = NUM(integer_at(joining->from, "id"));
    TRY(db_run(NULL, db, &venue_move_names, from, into));
    TRY(db_run(NULL, db, &venue_delete_row, from));
    return event(db, joining->actor, "venue.merged", integer_at(joining->into, "id"),
                 json_pack("{s:O,s:O,s:O}", "name",
                           json_object_get(joining->into, "name"), "with",
                           json_object_get(joining->from, "name"), "names",
                           json_object_get(joining->from, "aliases")));
}

enum result venue_merge(struct db *db, const struct actor *actor, const json_t *into,
                        const json_t *from)
{
    struct joining joining = {actor, into, from};
    if (integer_at(into, "id") == integer_at(from, "id"))
        return INVALID;
    return db_join(db, merge, &joining);
}

static enum result forget(struct db *db, void *data)
{
    const struct joining *joining = data;
    TRY(db_run(NULL, db, &venue_delete_row, NUM(integer_at(joining->from, "id"))));
    return event(db, joining->actor, "venue.deleted", integer_at(joining->from, "id"),
                 json_pack("{s:O,s:O}", "name", json_object_get(joining->from, "name"),
                           "names", json_object_get(joining->from, "aliases")));
}

enum result venue_delete(struct db *db, const struct actor *actor, const json_t *venue)
{
    struct joining joining = {actor, NULL, venue};
    return db_join(db, forget, &joining);
}

struct importing {
    const struct actor *actor;
    json_t *rows, *refused;
    int added, updated;
};

/* What a row says beside what the venue has. */
static json_t *joined(const json_t *venue, const json_t *row)
{
    static const char *const own[] = {"name", "short_name", "kind", "rank"};
    json_t *document = json_copy(json_object_get(venue, "aliases")), *all = json_object();
    if (filled_of(venue, "name") != NULL)
        json_array_append(document, json_object_get(venue, "name"));
    if (filled_of(venue, "short_name") != NULL)
        json_array_append(document, json_object_get(venue, "short_name"));
    json_array_extend(document, json_object_get(row, "aliases"));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        json_object_set(
            all, own[i],
            json_object_get(filled_of(row, own[i]) != NULL ? row : venue, own[i]));
    json_object_set_new(all, "aliases", document);
    return all;
}

/* The venue of a row: NULL for a new one. INVALID: of several, or of none that could be.
 */
static enum result known(json_t **venue, struct db *db, const json_t *row)
{
    json_t *found, *one;
    size_t i;
    *venue = NULL;
    TRY(db_rows(&found, db, &venue_named, NULL, names_of(row)));
    const char *slug = NULL;
    json_array_foreach(found, i, one)
    {
        const char *its = text_of(one, "slug");
        if (its == NULL || (slug != NULL && strcmp(slug, its) != 0))
            return INVALID;
        slug = its;
    }
    return slug != NULL ? venue_find(venue, db, slug) : OK;
}

static enum result import(struct db *db, void *data)
{
    struct importing *importing = data;
    size_t i;
    json_t *row, *venue;
    json_array_foreach(importing->rows, i, row)
    {
        enum result found =
            filled_of(row, "name") != NULL ? known(&venue, db, row) : INVALID;
        if (found == INVALID) {
            json_array_append_new(importing->refused, json_integer((json_int_t)i));
            continue;
        }
        TRY(found);
        struct saving saving = {importing->actor, venue,
                                venue != NULL ? joined(venue, row) : row, NULL};
        TRY(save(db, &saving));
        importing->added += venue == NULL;
        importing->updated += venue != NULL;
    }
    return OK;
}

enum result venue_import(json_t **report, struct db *db, const struct actor *actor,
                         json_t *rows)
{
    struct importing importing = {.actor = actor, .rows = rows, .refused = json_array()};
    TRY(db_join(db, import, &importing));
    *report = json_pack("{s:i,s:i,s:o}", "added", importing.added, "updated",
                        importing.updated, "refused", importing.refused);
    return OK;
}
