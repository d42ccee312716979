/* Published forms; see form_version.h. Who publishes them is in collection.c. */
#include "db/store/form_version.h"

#include "db/connection.h"
#include "db/store/form_version.sql.h"
#include "server/base/buf.h"
#include "server/base/document.h"

enum result form_version_read(json_t **version, struct db *db, int64_t id)
{
    return db_row(version, db, &form_version_definition, NUM(id));
}

enum result form_version_asked(int64_t *id, struct db *db, int64_t invitation)
{
    json_t *row;
    TRY(db_row(&row, db, &form_version_of_invitation, NUM(invitation)));
    *id = integer_at(row, "id");
    return OK;
}

enum result form_version_list(json_t **versions, struct db *db, int64_t collection)
{
    return db_rows(versions, db, &form_version_all, NUM(collection));
}

enum result form_draft_read(json_t **draft, struct db *db, int64_t collection,
                            int64_t version)
{
    return db_row(draft, db, &form_draft_row, NUM(collection), NUM(version));
}

enum result form_draft_list_removed(json_t **fields, struct db *db, int64_t collection)
{
    return db_rows(fields, db, &form_draft_removed, NUM(collection));
}
