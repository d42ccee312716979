/* The API's reading queries; see public_api.h. */
#include "db/store/public_api.h"

#include "db/connection.h"
#include "db/store/public_api.sql.h"
#include "server/base/buf.h"

enum result public_api_publication_list(json_t **works, struct db *db,
                                        const struct public_api_works *filter)
{
    bool first = filter->after_id == 0;
    return db_rows(works, db, &public_api_publications, filter->kind,
                   filter->year != 0 ? NUM(filter->year) : NULL, filter->person,
                   filter->pattern, first ? NULL : NUM(filter->after_issued),
                   first ? NULL : NUM(filter->after_id), NUM(filter->limit));
}

enum result public_api_publication_by_slug(json_t **work, struct db *db, const char *slug)
{
    return db_row(work, db, &public_api_publication, slug);
}

enum result public_api_person_list(json_t **people, struct db *db,
                                   const struct public_api_members *filter)
{
    return db_rows(people, db, &public_api_people, filter->role, filter->current,
                   filter->after, NUM(filter->limit));
}

enum result public_api_person_by_slug(json_t **person, struct db *db, const char *slug)
{
    return db_row(person, db, &public_api_person, slug);
}
