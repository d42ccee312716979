/* Reading for exports; see export.h. */
#include "db/store/export.h"

#include "db/store/change.h"
#include "db/store/export.sql.h"
#include "db/store/join.h"

struct export
{
    enum result (*work)(struct db * db, void *data);
    void *data;
};

static enum result begin(struct db *db, void *data)
{
    const struct export *export = data;
    TRY(db_script(db, "export_begin",
                  "set transaction isolation level repeatable read, read only"));
    return export->work(db, export->data);
}

enum result export_run(struct db *db, enum result (*work)(struct db *db, void *data),
                       void *data)
{
    struct export export = {work, data};
    return db_transaction(db, begin, &export);
}

enum result export_answers(json_t **answers, struct db *db, json_t *ids, bool approved)
{
    return db_rows(answers, db, &export_answer_rows, json_dumps(ids, JSON_COMPACT),
                   approved ? "true" : "false");
}

enum result export_people(json_t **people, struct db *db, int64_t after, int limit)
{
    size_t index;
    json_t *person, *current;
    TRY(db_rows(people, db, &export_person_rows, NUM(after), NUM(limit)));
    json_array_foreach(*people, index, person)
    {
        TRY(entity_current(&current, db, "person", integer_at(person, "id")));
        json_object_set(person, "document", json_object_get(current, "document"));
    }
    return OK;
}
