/* People as members' and admins' pages list them, and as rosters find them. */
#include "db/store/person.h"

#include "db/connection.h"
#include "db/store/join.h"
#include "db/store/person.sql.h"
#include "server/base/utf8.h"

#include <string.h>

enum result person_list(json_t **people, struct db *db)
{
    return db_rows(people, db, &person_all);
}

enum result person_standing(const char **standing, struct db *db, const char *slug,
                            int64_t account)
{
    json_t *row;
    TRY(db_row(&row, db, &person_standing_row, slug, ID(account)));
    *standing = text_at(row, "standing", "visitor");
    return OK;
}

enum result person_seen(json_t **person, struct db *db, const char *slug,
                        const char *standing)
{
    return db_row(person, db, &person_seen_row, slug, standing);
}

enum result person_match(json_t **people, struct db *db, const char *email,
                         const char *name)
{
    struct arena *arena = arena_current();
    *people = json_array();
    if (email != NULL)
        TRY(db_rows(people, db, &person_by_address,
                    utf8_fold(arena, email, strlen(email))));
    if (json_array_size(*people) > 0 || name == NULL)
        return OK;
    return db_rows(people, db, &person_by_name, name_folded(arena, name));
}
