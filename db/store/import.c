/* Imports that wait; see import.h. */
#include "db/store/import.h"

#include "db/connection.h"
#include "db/store/import.sql.h"
#include "db/store/join.h"

struct adding {
    int64_t id, account;
    json_t *files, *entries;
};

static enum result add(struct db *db, void *data)
{
    struct adding *a = data;
    json_t *row;
    TRY(db_row(&row, db, &import_insert, NUM(a->account),
               json_dumps(a->files, JSON_COMPACT)));
    a->id = integer_at(row, "id");
    return import_add_entries(db, a->id, a->entries);
}

enum result import_add(int64_t *id, struct db *db, int64_t account, json_t *files,
                       json_t *entries)
{
    struct adding adding = {0, account, files, entries};
    enum result result = db_join(db, add, &adding);
    *id = adding.id;
    return result;
}

enum result import_add_entries(struct db *db, int64_t id, json_t *entries)
{
    return db_run(NULL, db, &import_insert_entries, NUM(id),
                  json_dumps(entries, JSON_COMPACT));
}

enum result import_list(json_t **imports, struct db *db, int64_t account)
{
    return db_rows(imports, db, &import_list_rows, NUM(account));
}

enum result import_read(json_t **import, struct db *db, int64_t id, int64_t account)
{
    return db_row(import, db, &import_show_row, NUM(id), NUM(account));
}

enum result import_entries(json_t **entries, struct db *db, int64_t id, const char *fate,
                           int64_t after, int most)
{
    return db_rows(entries, db, &import_entry_rows, NUM(id), fate, NUM(after), NUM(most));
}

enum result import_choose(struct db *db, int64_t id, json_t *choices)
{
    return db_run(NULL, db, &import_choose_rows, NUM(id),
                  json_dumps(choices, JSON_COMPACT));
}

enum result import_hold(const char **state, struct db *db, int64_t id)
{
    json_t *row;
    TRY(db_row(&row, db, &import_lock, NUM(id)));
    *state = text_at(row, "state", "");
    return OK;
}

enum result import_settle(struct db *db, int64_t id, json_t *outcomes)
{
    return db_run(NULL, db, &import_settle_entries, NUM(id),
                  json_dumps(outcomes, JSON_COMPACT));
}

enum result import_close(struct db *db, int64_t id, const char *state)
{
    return db_run(NULL, db, &import_set_state, NUM(id), state);
}

enum result import_fill(struct db *db, int64_t id, int64_t number, json_t *entry)
{
    return db_run(NULL, db, &import_fill_entry, NUM(id), NUM(number),
                  json_dumps(entry, JSON_COMPACT));
}

enum result import_drop_entry(struct db *db, int64_t id, int64_t number)
{
    return db_run(NULL, db, &import_delete_entry, NUM(id), NUM(number));
}

enum result import_wait_again(json_t **entries, struct db *db, int64_t id)
{
    return db_rows(entries, db, &import_failed_again, NUM(id));
}

enum result import_next(int64_t *number, struct db *db, int64_t id)
{
    json_t *row;
    TRY(db_row(&row, db, &import_next_number, NUM(id)));
    *number = integer_at(row, "number");
    return OK;
}

enum result import_sweep(struct db *db)
{
    return db_run(NULL, db, &import_sweep_old);
}

enum result import_proposed(json_t **works, struct db *db, int64_t account)
{
    return db_rows(works, db, &import_proposed_works, NUM(account));
}

enum result import_own_names(json_t **names, struct db *db, int64_t account)
{
    json_t *row;
    TRY(db_row(&row, db, &import_names, NUM(account)));
    *names = json_object_get(row, "names");
    return OK;
}
