/* A work's page; see public_work.h. */
#include "db/store/public_work.h"

#include "db/connection.h"
#include "db/store/public_work.sql.h"
#include "server/base/document.h"

enum result public_work_leads_to(const char **slug, struct db *db, const char *former)
{
    json_t *row;
    TRY(db_row(&row, db, &public_work_moved, former));
    *slug = text_of(row, "leads_to");
    return *slug != NULL ? OK : NOT_FOUND;
}
