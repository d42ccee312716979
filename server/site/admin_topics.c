/* /admin/topics: topics and projects, their names and order. */
#include "db/store/topic.h"
#include "server/base/percent.h"
#include "server/site/admin.h"
#include "server/site/flow.h"

#include <string.h>

enum result admin_topic_index(struct request *request, struct response *response)
{
    json_t *topics;
    TRY(topic_list(&topics, request->db));
    json_t *document = json_pack("{s:O,s:b}", "topics", topics, "has_topics",
                                 (int)(json_array_size(topics) > 0));
    return flow_page(request, response, "admin/topics.html", document);
}

static const char *topic_path(struct arena *arena, const json_t *topic)
{
    return arena_print(arena, "/admin/topics/%s",
                       percent_text(arena, text_at(topic, "slug", "")));
}

static enum result draw(struct request *request, struct response *response, json_t *topic,
                        const struct submission *sent)
{
    json_t *document = json_object(), *topics, *one, *others = json_array();
    size_t i;
    flow_add_form(document, request, "topic", topic, sent);
    json_object_set_new(document, "action",
                        json_string(topic != NULL ? topic_path(request->arena, topic)
                                                  : "/admin/topics/new"));
    json_object_set(document, "topic", topic != NULL ? topic : json_null());
    TRY(topic_list(&topics, request->db));
    json_array_foreach(topics, i, one)
    {
        if (topic != NULL && integer_at(one, "id") != integer_at(topic, "id"))
            json_array_append(others, one);
    }
    json_object_set_new(document, "has_others",
                        json_boolean(json_array_size(others) > 0));
    json_object_set_new(document, "others", others);
    return flow_page(request, response, "admin/topic.html", document);
}

static enum result edit(struct request *request, struct response *response, json_t *topic)
{
    struct submission form;
    struct actor actor = actor_of(request);
    json_t *outcome;
    if (request->method == GET)
        return draw(request, response, topic, NULL);
    if (flow_form(&form, request, response, "topic", FOR_ADMIN) != OK)
        return draw(request, response, topic, &form);
    TRY(topic_save(&outcome, request->db, &actor, topic, form.document));
    flow_done(response, "/admin/topics", "topic_saved");
    return OK;
}

enum result admin_topic_new(struct request *request, struct response *response)
{
    return edit(request, response, NULL);
}

enum result admin_topic_edit(struct request *request, struct response *response)
{
    json_t *topic;
    TRY(topic_find(&topic, request->db, param(request, "slug")));
    return edit(request, response, topic);
}

/* Its works get another one. */
enum result admin_topic_merge(struct request *request, struct response *response)
{
    json_t *topic, *into;
    struct actor actor = actor_of(request);
    const char *slug = field(request, "into");
    TRY(topic_find(&topic, request->db, param(request, "slug")));
    enum result found = slug != NULL ? topic_find(&into, request->db, slug) : NOT_FOUND;
    if (found == NOT_FOUND) { /* nothing was chosen, or it is gone */
        flow_done(response, topic_path(request->arena, topic), "nothing_chosen");
        return OK;
    }
    TRY(found);
    TRY(topic_remove(request->db, &actor, topic, into));
    flow_done(response, topic_path(request->arena, into), "topic_merged");
    return OK;
}

enum result admin_topic_delete(struct request *request, struct response *response)
{
    json_t *topic;
    struct actor actor = actor_of(request);
    TRY(topic_find(&topic, request->db, param(request, "slug")));
    TRY(topic_remove(request->db, &actor, topic, NULL));
    flow_done(response, "/admin/topics", "topic_deleted");
    return OK;
}
