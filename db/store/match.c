/* Finding the works that documents stand for already: by identifier or by match key in
 * the database, then compared here. */
#include "db/connection.h"
#include "db/store/publication.h"
#include "db/store/publication.sql.h"
#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/text/same_work.h"

#include <string.h>

enum { SCORE_LEAST = 30 };
enum { CANDIDATES = 40 }; /* by keys, of one document */

/* Keys for those works that have none yet: older than the keys, or than the way they are
 * made now. */
static enum result make_keys(struct db *db)
{
    for (;;) {
        json_t *rows, *row, *made = json_array();
        size_t i;
        TRY(db_rows(&rows, db, &publication_without_keys));
        if (json_array_size(rows) == 0)
            return OK;
        json_array_foreach(rows, i, row) json_array_append_new(
            made, json_pack("{s:O, s:o}", "id", json_object_get(row, "id"), "keys",
                            same_work_keys(arena_current(), row)));
        TRY(db_run(NULL, db, &publication_set_keys, json_dumps(made, JSON_COMPACT)));
    }
}

static json_t *questions(json_t *documents)
{
    json_t *asked = json_array(), *document;
    size_t i;
    json_array_foreach(documents, i, document)
    {
        json_t *identifiers = json_object_get(document, "identifiers");
        json_array_append_new(
            asked, json_pack("{s:I, s:O, s:o}", "item", (json_int_t)i, "identifiers",
                             json_is_array(identifiers) ? identifiers : json_array(),
                             "keys", same_work_keys(arena_current(), document)));
    }
    return asked;
}

static int64_t rank(json_t *match)
{
    bool identifier = strcmp(text_of(match, "by"), "identifier") == 0;
    return integer_at(match, "score") + (truth_at(match, "exact") ? 500 : 0) +
           (json_is_true(json_object_get(match, "same")) ? 1000 : 0) +
           (identifier ? 10000 : 0);
}

/* The best stay; what is found by an identifier is not taken again by its title. */
static void keep(json_t *list, json_t *match)
{
    size_t at = json_array_size(list);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (integer_at(json_array_get(list, i), "id") == integer_at(match, "id"))
            return;
    while (at > 0 && rank(json_array_get(list, at - 1)) < rank(match))
        at--;
    json_array_insert(list, at, match);
    if (json_array_size(list) > PUBLICATION_MATCHES)
        json_array_remove(list, PUBLICATION_MATCHES);
}

static void judge(json_t *list, json_t *document, json_t *row)
{
    struct same_work found = same_work_compare(document, json_object_get(row, "work"));
    bool exact = strcmp(text_of(row, "by"), "exact") == 0;
    if (exact)
        json_object_set_new(row, "by", json_string("title"));
    if (found.score < SCORE_LEAST && !exact &&
        strcmp(text_of(row, "by"), "identifier") != 0)
        return;
    json_object_del(row, "work");
    json_object_del(row, "item");
    json_object_set_new(row, "exact", json_boolean(exact));
    json_object_set_new(row, "score", json_integer(found.score));
    json_object_set_new(row, "same", json_boolean(found.same));
    json_object_set_new(row, "likely", json_boolean(found.likely));
    json_object_set_new(row, "reason", json_string(found.reason));
    keep(list, row);
}

static enum result add_imports(struct db *db, json_t *matches)
{
    json_t *ids = json_array(), *known = json_object(), *rows, *list, *row;
    size_t i, j;
    json_array_foreach(matches, i, list) json_array_foreach(list, j, row)
        json_array_append(ids, json_object_get(row, "id"));
    if (json_array_size(ids) == 0)
        return OK;
    TRY(db_rows(&rows, db, &publication_imports, json_dumps(ids, JSON_COMPACT)));
    json_array_foreach(rows, i, row)
        json_object_set(known, NUM(integer_at(row, "id")), row);
    json_array_foreach(matches, i, list) json_array_foreach(list, j, row)
        json_object_update_missing(row,
                                   json_object_get(known, NUM(integer_at(row, "id"))));
    return OK;
}

enum result publication_match_many(json_t **matches, struct db *db, json_t *documents)
{
    json_t *rows, *row;
    size_t i;
    *matches = json_array();
    for (i = 0; i < json_array_size(documents); i++)
        json_array_append_new(*matches, json_array());
    TRY(make_keys(db));
    TRY(db_rows(&rows, db, &publication_matches,
                json_dumps(questions(documents), JSON_COMPACT), NUM(CANDIDATES)));
    json_array_foreach(rows, i, row)
    {
        size_t item = (size_t)integer_at(row, "item");
        judge(json_array_get(*matches, item), json_array_get(documents, item), row);
    }
    return add_imports(db, *matches);
}

enum result publication_match(json_t **works, struct db *db, json_t *document)
{
    json_t *documents = json_array();
    json_array_append(documents, document);
    TRY(publication_match_many(works, db, documents));
    *works = json_array_get(*works, 0);
    return OK;
}
