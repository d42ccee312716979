/* What lacks or looks wrong; see health.h. */
#include "db/store/health.h"

#include "db/connection.h"
#include "db/store/health.sql.h"
#include "server/base/buf.h"
#include "server/base/document.h"

const char *const health_checks[] = {"year",    "venue", "identifier",
                                     "authors", "title", NULL};

enum result health_of_works(json_t **found, struct db *db, const char *check, int most)
{
    return db_rows(found, db, &health_works, check, NUM(most));
}

enum result health_of_people(json_t **people, struct db *db)
{
    return db_rows(people, db, &health_people);
}

enum result health_of_names(json_t **names, struct db *db)
{
    return db_rows(names, db, &health_names);
}
