/* Boxes to tick are rows of the group as they come back: "topics.3.topic" with the slug
 * of the topic; rows that are not ticked are not sent. See topic_choice.h. */
#include "server/site/topic_choice.h"

#include "db/store/topic.h"
#include "server/base/document.h"

#include <string.h>

/* The field of the row: {value, error, id ...}. */
static json_t *cell_of(json_t *entry)
{
    return json_array_get(json_object_get(entry, "fields"), 0);
}

static bool is_chosen(json_t *entries, const char *slug)
{
    size_t i;
    json_t *entry;
    json_array_foreach(entries, i, entry)
    {
        if (strcmp(text_at(cell_of(entry), "value", ""), slug) == 0)
            return true;
    }
    return false;
}

static void add_option(json_t *options, json_t *entries, const char *slug,
                       const char *label, bool chosen)
{
    struct arena *arena = arena_current();
    size_t number = json_array_size(options);
    const char *own = text_at(cell_of(json_array_get(entries, number)), "id", NULL);
    json_array_append_new(
        options, json_pack("{s:s,s:s,s:s,s:s,s:b}", "id",
                           own != NULL ? own : arena_print(arena, "topic-%zu", number),
                           "name", arena_print(arena, "topics.%zu.topic", number),
                           "value", slug, "label", label, "selected", (int)chosen));
}

static json_t *options_of(json_t *topics, json_t *entries, enum language language)
{
    json_t *options = json_array(), *topic, *entry;
    size_t i, j;
    json_array_foreach(topics, i, topic)
    {
        const char *slug = text_at(topic, "slug", "");
        add_option(options, entries, slug,
                   text_at(topic, language == CHINESE ? "name_zh" : "name_en", slug),
                   is_chosen(entries, slug));
    }
    /* What was typed or chosen before and is no topic now can be taken away. */
    json_array_foreach(entries, i, entry)
    {
        const char *slug = filled_of(cell_of(entry), "value");
        bool known = slug == NULL;
        json_array_foreach(topics, j, topic) known =
            known || strcmp(text_at(topic, "slug", ""), slug) == 0;
        if (!known)
            add_option(options, entries, slug, slug, true);
    }
    return options;
}

/* An error of a row is one of the whole. */
static void show_error(json_t *field, json_t *entries)
{
    size_t i;
    json_t *entry;
    json_array_foreach(entries, i, entry)
    {
        json_t *error = json_object_get(cell_of(entry), "error");
        if (error != NULL && !json_is_null(error))
            json_object_set(field, "error", error);
    }
}

/* false: there is nothing to choose from. */
static bool become_boxes(json_t *field, json_t *topics, enum language language)
{
    json_t *entries = json_object_get(field, "entries");
    json_t *options = options_of(topics, entries, language);
    json_object_set_new(field, "widget", json_string("partials/form/choices"));
    json_object_set_new(field, "options", options);
    show_error(field, entries);
    return json_array_size(options) > 0;
}

enum result topic_choice(json_t *form_document, struct request *request)
{
    json_t *section, *field, *topics;
    size_t s, f;
    json_array_foreach(json_object_get(form_document, "sections"), s, section)
    {
        json_t *fields = json_object_get(section, "fields");
        json_array_foreach(fields, f, field)
        {
            if (strcmp(text_at(field, "name", ""), "topics") != 0)
                continue;
            TRY(topic_list(&topics, request->db));
            if (!become_boxes(field, topics, request->language))
                json_array_remove(fields, f);
            return OK;
        }
    }
    return OK;
}
