/* Words that an admin wrote in place of the program's; see mail.h. */
#include "db/store/join.h"
#include "db/store/mail.h"
#include "db/store/mail.sql.h"

enum result mail_text_best(json_t **text, struct db *db, const char *name,
                           const char *language, int64_t collection)
{
    return db_row(text, db, &mail_text_best_row, name, language, ID(collection));
}

enum result mail_text_find(json_t **text, struct db *db, const char *name,
                           const char *language, int64_t collection)
{
    return db_row(text, db, &mail_text_row, name, language, ID(collection));
}

enum result mail_text_list(json_t **texts, struct db *db, int64_t collection)
{
    return db_rows(texts, db, &mail_text_rows, ID(collection));
}

struct writing {
    const struct actor *actor;
    const char *name, *language;
    int64_t collection, version;
    const char *subject, *body; /* NULL: away with them */
};

static enum result write_row(struct db *db, const struct writing *w)
{
    json_t *row;
    if (w->body == NULL)
        return db_row(&row, db, &mail_text_delete, w->name, w->language,
                      ID(w->collection), NUM(w->version));
    if (w->version == 0)
        return db_row(&row, db, &mail_text_insert, w->name, w->language,
                      ID(w->collection), w->subject, w->body, ID(w->actor->account));
    return db_row(&row, db, &mail_text_update, w->name, w->language, ID(w->collection),
                  w->subject, w->body, ID(w->actor->account), NUM(w->version));
}

static enum result write_text(struct db *db, void *data)
{
    const struct writing *w = data;
    enum result written = write_row(db, w);
    if (written == NOT_FOUND)
        return CONFLICT;
    TRY(written);
    return event_add(
        db, w->actor,
        &(struct event){.action =
                            w->body != NULL ? "mail_text.saved" : "mail_text.dropped",
                        .entity = "mail_text",
                        .detail = json_pack("{s:s,s:s,s:I}", "name", w->name, "language",
                                            w->language, "collection", w->collection)});
}

enum result mail_text_save(struct db *db, const struct actor *actor, const char *name,
                           const char *language, int64_t collection, int64_t version,
                           const char *subject, const char *body)
{
    struct writing w = {actor, name, language, collection, version, subject, body};
    return db_join(db, write_text, &w);
}

enum result mail_text_drop(struct db *db, const struct actor *actor, const char *name,
                           const char *language, int64_t collection, int64_t version)
{
    struct writing w = {actor, name, language, collection, version, NULL, NULL};
    return db_join(db, write_text, &w);
}
