/* The lab's one row. */
#include "db/store/lab.h"

#include "db/connection.h"
#include "db/store/lab.sql.h"

enum result lab_ensure(struct db *db)
{
    return db_run(NULL, db, &lab_ensure_row);
}

enum result lab_times(json_t **shown, struct db *db, json_t *times)
{
    json_t *row;
    TRY(db_row(&row, db, &lab_clock, json_dumps(times, JSON_COMPACT)));
    *shown = json_object_get(row, "times");
    return OK;
}

enum result lab_empty(bool *empty, struct db *db)
{
    json_t *row;
    TRY(db_row(&row, db, &lab_is_empty));
    *empty = json_is_true(json_object_get(row, "empty"));
    return OK;
}

enum result lab_analyze(struct db *db)
{
    return db_script(
        db, "analyze",
        "analyze person, person_alias, appointment, person_link, publication, "
        "authorship, publication_identifier, publication_link, change, "
        "revision, event");
}
