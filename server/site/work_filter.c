/* The address of a list of works, both ways; see work_filter.h. */
#include "server/site/work_filter.h"

#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/percent.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 500 };

/* A query argument with text in it, else NULL. */
static const char *argument(const struct request *request, const char *name)
{
    const char *value = query_argument(request, name);
    return value != NULL && value[strspn(value, " \t")] != '\0' ? value : NULL;
}

static int year_argument(const struct request *request, const char *name)
{
    const char *value = argument(request, name);
    if (value == NULL || strlen(value) != 4 || strspn(value, "0123456789") != 4)
        return 0;
    int year = (int)strtol(value, NULL, 10);
    return year >= 1000 && year <= 2999 ? year : 0;
}

static int64_t after_argument(const struct request *request)
{
    const char *value = argument(request, "after");
    if (value == NULL || strspn(value, "0123456789") != strlen(value) ||
        strlen(value) > 18)
        return 0;
    return strtoll(value, NULL, 10);
}

/* Slugs with commas between them; NULL: none were named. */
static json_t *slugs_argument(const struct request *request)
{
    const char *at = argument(request, "ids");
    if (at == NULL)
        return NULL;
    json_t *slugs = json_array();
    while (*at != '\0' && json_array_size(slugs) < WORK_FILTER_IDS) {
        size_t length = strcspn(at, ",");
        if (length > 0)
            json_array_append_new(slugs, json_stringn(at, length));
        at += length + strspn(at + length, ",");
    }
    return slugs;
}

/* Marks what is chosen in a list; its value is given back, NULL when it is not there. */
static const char *choose(json_t *choices, const char *key, const char *chosen)
{
    size_t i;
    json_t *choice;
    const char *found = NULL;
    json_array_foreach(choices, i, choice)
    {
        const char *value = text_at(choice, key, "");
        bool same = chosen != NULL && strcmp(value, chosen) == 0;
        json_object_set_new(choice, "selected", json_boolean(same));
        found = same ? value : found;
    }
    return found;
}

static json_t *year_choices(const json_t *years, int chosen)
{
    json_t *list = json_array(), *year;
    size_t i;
    bool there = chosen == 0;
    json_array_foreach(years, i, year)
    {
        bool same = json_integer_value(year) == chosen;
        there = there || same;
        json_array_append_new(list,
                              json_pack("{s:O,s:b}", "year", year, "selected", same));
    }
    if (!there) /* so that the form says what the list shows */
        json_array_insert_new(list, 0,
                              json_pack("{s:i,s:b}", "year", chosen, "selected", true));
    return list;
}

static json_t *kind_choices(const json_t *kinds)
{
    json_t *list = json_array(), *kind;
    size_t i;
    json_array_foreach(kinds, i, kind)
        json_array_append_new(list, json_pack("{s:O}", "kind", kind));
    return list;
}

static json_t *topics_of_kind(const json_t *topics, const char *kind)
{
    json_t *list = json_array(), *topic;
    size_t i;
    json_array_foreach(topics, i, topic)
    {
        if (strcmp(text_at(topic, "kind", ""), kind) == 0)
            json_array_append(list, topic);
    }
    return list;
}

/* With the label by which a venue is known. */
static json_t *venue_choices(const json_t *venues)
{
    json_t *list = json_array(), *venue;
    size_t i;
    json_array_foreach(venues, i, venue)
    {
        const char *name = text_at(venue, "name", "");
        venue = json_copy(venue);
        json_object_set_new(venue, "label",
                            json_string(text_at(venue, "short_name", name)));
        json_array_append_new(list, venue);
    }
    return list;
}

static void read_years(struct public_works_filter *filter, const struct request *request)
{
    int year = year_argument(request, "year");
    filter->from = year > 0 ? year : year_argument(request, "from");
    filter->to = year > 0 ? year : year_argument(request, "to");
    if (filter->from > 0 && filter->to > 0 && filter->from > filter->to) {
        int from = filter->from;
        filter->from = filter->to;
        filter->to = from;
    }
}

static void set_list(json_t *choices, const char *key, const char *has, json_t *list)
{
    json_object_set_new(choices, has, json_boolean(json_array_size(list) > 0));
    json_object_set_new(choices, key, list);
}

enum result work_filter_read(struct public_works_filter *filter, json_t **choices,
                             struct request *request)
{
    json_t *there;
    const char *selected = argument(request, "selected");
    TRY(public_work_choices_of(&there, request->db));
    json_t *topics = json_object_get(there, "topics");
    json_t *years = json_object_get(there, "years"), *all = json_object();
    *filter = (struct public_works_filter){.text = argument(request, "q"),
                                           .after = after_argument(request),
                                           .slugs = slugs_argument(request)};
    if (filter->text != NULL && strlen(filter->text) > TEXT_MAX)
        filter->text = arena_copy(request->arena, filter->text, TEXT_MAX);
    read_years(filter, request);
    set_list(all, "kinds", "has_kinds", kind_choices(json_object_get(there, "kinds")));
    set_list(all, "people", "has_people", json_copy(json_object_get(there, "people")));
    set_list(all, "topics", "has_topics", topics_of_kind(topics, "topic"));
    set_list(all, "projects", "has_projects", topics_of_kind(topics, "project"));
    set_list(all, "venues", "has_venues",
             venue_choices(json_object_get(there, "venues")));
    json_object_set_new(all, "from_years", year_choices(years, filter->from));
    json_object_set_new(all, "to_years", year_choices(years, filter->to));
    json_object_set(all, "has_selected", json_object_get(there, "selected"));
    filter->kind =
        choose(json_object_get(all, "kinds"), "kind", argument(request, "kind"));
    filter->person =
        choose(json_object_get(all, "people"), "slug", argument(request, "person"));
    filter->topic =
        choose(json_object_get(all, "topics"), "slug", argument(request, "topic"));
    filter->project =
        choose(json_object_get(all, "projects"), "slug", argument(request, "project"));
    filter->venue =
        choose(json_object_get(all, "venues"), "slug", argument(request, "venue"));
    filter->selected = selected != NULL && strcmp(selected, "yes") == 0;
    json_object_set_new(all, "selected", json_boolean(filter->selected));
    *choices = all;
    return OK;
}

bool work_filter_narrows(const struct public_works_filter *filter)
{
    return filter->kind != NULL || filter->person != NULL || filter->topic != NULL ||
           filter->project != NULL || filter->venue != NULL || filter->text != NULL ||
           filter->selected || filter->from > 0 || filter->to > 0;
}

static void add(struct buf *query, const char *key, const char *value,
                const char *without)
{
    if (value != NULL && (without == NULL || strcmp(key, without) != 0))
        buf_print(query, "%c%s=%s", query->length > 0 ? '&' : '?', key,
                  percent_text(query->arena, value));
}

static void add_years(struct buf *query, const struct public_works_filter *filter)
{
    bool one = filter->from > 0 && filter->from == filter->to;
    if (filter->from > 0)
        add(query, one ? "year" : "from", NUM(filter->from), NULL);
    if (filter->to > 0 && !one)
        add(query, "to", NUM(filter->to), NULL);
}

const char *work_filter_query(struct arena *arena,
                              const struct public_works_filter *filter, const char *key)
{
    struct buf query = buf_on(arena);
    add(&query, "q", filter->text, key);
    add(&query, "kind", filter->kind, key);
    add(&query, "person", filter->person, key);
    add(&query, "topic", filter->topic, key);
    add(&query, "project", filter->project, key);
    add(&query, "venue", filter->venue, key);
    if (key == NULL || strcmp(key, "years") != 0)
        add_years(&query, filter);
    add(&query, "selected", filter->selected ? "yes" : NULL, key);
    return query.data;
}

/* The chosen one of a list as a choice that can be taken away. */
static json_t *chosen_of(const json_t *choices, const char *list)
{
    size_t i;
    json_t *choice;
    json_array_foreach(json_object_get(choices, list), i, choice)
    {
        if (truth_at(choice, "selected"))
            return json_copy(choice);
    }
    return json_null();
}

static void set_active(json_t *active, const struct public_works_filter *filter,
                       const char *key, json_t *choice)
{
    struct arena *arena = arena_current();
    if (json_is_object(choice))
        json_object_set_new(
            choice, "remove",
            json_string(arena_print(arena, "%s%s", text_of(active, "base"),
                                    work_filter_query(arena, filter, key))));
    json_object_set_new(active, key, choice);
}

static json_t *years_active(const struct public_works_filter *filter)
{
    int from = filter->from, to = filter->to;
    if (from == 0 && to == 0)
        return json_null();
    bool one = from == to;
    return json_pack("{s:o,s:o,s:o}", "one", one ? json_integer(from) : json_null(),
                     "from", from > 0 && !one ? json_integer(from) : json_null(), "to",
                     to > 0 && !one ? json_integer(to) : json_null());
}

json_t *work_filter_active(const struct public_works_filter *filter,
                           const json_t *choices, const char *base)
{
    json_t *active = json_pack("{s:s}", "base", base);
    set_active(active, filter, "q",
               filter->text != NULL ? json_pack("{s:s}", "text", filter->text)
                                    : json_null());
    set_active(active, filter, "kind", chosen_of(choices, "kinds"));
    set_active(active, filter, "person", chosen_of(choices, "people"));
    set_active(active, filter, "topic", chosen_of(choices, "topics"));
    set_active(active, filter, "project", chosen_of(choices, "projects"));
    set_active(active, filter, "venue", chosen_of(choices, "venues"));
    set_active(active, filter, "years", years_active(filter));
    set_active(active, filter, "selected",
               filter->selected ? json_object() : json_null());
    return active;
}
