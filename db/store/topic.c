/* Topics; see topic.h. */
#include "db/store/topic.h"

#include "db/store/change.h"
#include "db/store/join.h"
#include "db/store/slug.h"
#include "db/store/topic.sql.h"

#include <string.h>

enum result topic_list(json_t **topics, struct db *db)
{
    return db_rows(topics, db, &topic_rows);
}

enum result topic_find(json_t **topic, struct db *db, const char *slug)
{
    return db_row(topic, db, &topic_by_slug, slug);
}

struct saving {
    const struct actor *actor;
    const json_t *current;
    json_t *document, *outcome;
};

static enum result save(struct db *db, void *data)
{
    struct saving *saving = data;
    const json_t *document = saving->document;
    const char *english = filled_of(document, "name_en"),
               *chinese = filled_of(document, "name_zh");
    english = english != NULL ? english : chinese;
    chinese = chinese != NULL ? chinese : english;
    if (english == NULL)
        return INVALID;
    const char *kind = text_at(document, "kind", "topic");
    const char *position = NUM(integer_at(document, "position"));
    const char *base = slug_from(arena_current(), english, 6, 60);
    if (strcmp(base, "new") == 0 || *base == '\0')
        base = kind;
    if (saving->current == NULL)
        TRY(db_row(&saving->outcome, db, &topic_insert, base, kind, english, chinese,
                   position));
    else
        TRY(db_row(&saving->outcome, db, &topic_update,
                   NUM(integer_at(saving->current, "id")), kind, english, chinese,
                   position));
    struct event event = {.action = "topic.saved",
                          .entity = "topic",
                          .target = integer_at(saving->outcome, "id"),
                          .detail = json_pack("{s:s}", "name", english)};
    return event_add(db, saving->actor, &event);
}

enum result topic_save(json_t **outcome, struct db *db, const struct actor *actor,
                       const json_t *current, json_t *document)
{
    struct saving saving = {actor, current, document, NULL};
    enum result result = db_join(db, save, &saving);
    *outcome = saving.outcome;
    return result;
}

struct removing {
    const struct actor *actor;
    const json_t *topic, *into;
};

/* The topics of a work with one in the place of another, each once. */
static json_t *replaced(const json_t *topics, const char *from, const json_t *into)
{
    json_t *list = json_array(), *topic;
    size_t i;
    const char *target = text_of(into, "slug");
    bool there = target == NULL;
    json_array_foreach(topics, i, topic)
    {
        const char *slug = text_at(topic, "topic", "");
        bool old = strcmp(slug, from) == 0;
        bool same = target != NULL && (old || strcmp(slug, target) == 0);
        if ((old && target == NULL) || (same && there))
            continue;
        there = there || same;
        json_array_append_new(list, json_pack("{s:s}", "topic", same ? target : slug));
    }
    return list;
}

static enum result remove_topic(struct db *db, void *data)
{
    const struct removing *removing = data;
    json_t *works, *work, *outcome;
    size_t i;
    int64_t id = integer_at(removing->topic, "id");
    TRY(db_rows(&works, db, &topic_works, NUM(id)));
    json_array_foreach(works, i, work)
    {
        json_t *topics = replaced(json_object_get(work, "topics"),
                                  text_at(removing->topic, "slug", ""), removing->into);
        struct proposal proposal = {.entity = "publication",
                                    .target = integer_at(work, "id"),
                                    .base_version = integer_at(work, "version"),
                                    .change_version = -1,
                                    .document = json_pack("{s:o}", "topics", topics),
                                    .source = "form"};
        TRY(change_save(&outcome, db, removing->actor, &proposal));
    }
    TRY(db_run(NULL, db, &topic_delete_row, NUM(id)));
    struct event event = {
        .action = removing->into != NULL ? "topic.merged" : "topic.deleted",
        .entity = "topic",
        .target = removing->into != NULL ? integer_at(removing->into, "id") : id,
        .detail =
            json_pack("{s:O,s:i}", "name", json_object_get(removing->topic, "name_en"),
                      "works", (int)json_array_size(works))};
    return event_add(db, removing->actor, &event);
}

enum result topic_remove(struct db *db, const struct actor *actor, const json_t *topic,
                         const json_t *into)
{
    struct removing removing = {actor, topic, into};
    if (into != NULL && integer_at(into, "id") == integer_at(topic, "id"))
        return INVALID;
    return db_join(db, remove_topic, &removing);
}
