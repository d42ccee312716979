/* See held.h. */
#include "db/store/held.h"

#include "db/store/held.sql.h"
#include "db/store/join.h"

enum result held_whose(json_t **owner, struct db *db, const char *csrf_hash)
{
    return db_row(owner, db, &held_owner, csrf_hash);
}

enum result held_keep(int64_t *id, struct db *db, int64_t account, const char *path,
                      json_t *fields)
{
    json_t *row;
    TRY(db_row(&row, db, &held_insert, NUM(account), path,
               json_dumps(fields, JSON_COMPACT)));
    *id = integer_at(row, "id");
    return OK;
}

enum result held_show(json_t **held, struct db *db, int64_t account, int64_t id)
{
    return db_row(held, db, &held_one, NUM(id), NUM(account));
}

enum result held_list(json_t **list, struct db *db, int64_t account)
{
    return db_rows(list, db, &held_rows, NUM(account));
}

enum result held_next(int64_t *id, struct db *db, int64_t account)
{
    json_t *row;
    TRY(db_row(&row, db, &held_offer, NUM(account)));
    *id = integer_at(row, "id");
    return OK;
}

enum result held_drop(struct db *db, int64_t account, int64_t id)
{
    return db_run(NULL, db, &held_delete, NUM(id), NUM(account));
}

enum result held_sent(struct db *db, int64_t account, const char *path)
{
    return db_run(NULL, db, &held_delete_path, NUM(account), path);
}
