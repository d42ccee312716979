/* Look-ups kept, turns and links; see lookup.h. */
#include "db/store/lookup.h"

#include "db/connection.h"
#include "db/store/join.h"
#include "db/store/lookup.sql.h"

enum result lookup_read(json_t **kept, struct db *db, const char *scheme,
                        const char *value)
{
    return db_row(kept, db, &lookup_kept, scheme, value);
}

enum result lookup_write(struct db *db, const char *scheme, const char *value,
                         const char *body, const char *etag)
{
    return db_run(NULL, db, &lookup_keep, scheme, value, body, etag);
}

enum result lookup_unchanged(struct db *db, const char *scheme, const char *value)
{
    return db_run(NULL, db, &lookup_confirm, scheme, value);
}

enum result lookup_take_turn(int *wait_ms, struct db *db, const char *host, int gap_ms,
                             int most_ms)
{
    json_t *row;
    enum result result = db_row(&row, db, &lookup_turn, host, NUM(gap_ms), NUM(most_ms));
    TRY(result == NOT_FOUND ? BUSY : result);
    *wait_ms = (int)integer_at(row, "wait");
    return OK;
}

enum result lookup_take_pause(struct db *db, const char *host, int seconds)
{
    return db_run(NULL, db, &lookup_pause, host, NUM(seconds));
}

enum result lookup_lab_contact(const char **contact, struct db *db)
{
    json_t *row;
    *contact = NULL;
    enum result result = db_row(&row, db, &lookup_contact);
    if (result == OK)
        *contact = filled_of(row, "email");
    return result == NOT_FOUND ? OK : result;
}

enum result links_due(json_t **urls, struct db *db, int most)
{
    return db_rows(urls, db, &link_due, NUM(most));
}

enum result link_note(struct db *db, const char *url, int status, const char *error,
                      bool failed)
{
    return db_run(NULL, db, &link_checked, url, ID(status), error,
                  failed ? "true" : "false");
}

enum result links_dead(json_t **links, struct db *db)
{
    return db_rows(links, db, &link_dead);
}
