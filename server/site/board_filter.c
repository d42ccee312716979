/* The address of a board, both ways; see board_filter.h. */
#include "server/site/board_filter.h"

#include "server/base/percent.h"
#include "server/site/flow.h"
#include "server/site/people.h"

#include <string.h>

enum { PAGES_MAX = 100000, TEXT_MAX = 200 };

static const char *const states[] = {"lacking",  "invited",   "opened",
                                     "started",  "submitted", "returned",
                                     "approved", "withdrawn", NULL};
static const char *const mails[] = {"trouble", "queued",    "held", "sent", "failed",
                                    "bounced", "cancelled", "none", NULL};
static const char *const columns[] = {
    "name",      "role",    "state",     "complete", "invited", "opened", "started",
    "submitted", "decided", "reminders", "mail",     "until",   "wave",   NULL};

static const char *one_of(const char *const *list, const char *value)
{
    for (; value != NULL && *list != NULL; list++)
        if (strcmp(*list, value) == 0)
            return *list;
    return NULL;
}

/* The first value, whether of a query or of a form's fields. */
static const char *value_of(json_t *values, const char *key)
{
    json_t *value = json_object_get(values, key);
    return json_string_value(json_is_array(value) ? json_array_get(value, 0) : value);
}

struct board_filter board_filter_of(json_t *values, int64_t collection)
{
    struct board_filter filter = {.collection = collection, .limit = BOARD_PAGE};
    const char *sort = value_of(values, "sort"), *text = value_of(values, "q");
    int64_t number;
    filter.state = one_of(states, value_of(values, "state"));
    filter.role = one_of(people_roles, value_of(values, "role"));
    filter.mail = one_of(mails, value_of(values, "mail"));
    if (number_of(&number, value_of(values, "wave")) == OK && number < INT32_MAX)
        filter.wave = number;
    if (text != NULL && *text != '\0' && strlen(text) <= TEXT_MAX)
        filter.text = text;
    filter.descending = sort != NULL && *sort == '-';
    filter.sort = one_of(columns, filter.descending ? sort + 1 : sort);
    filter.descending = filter.descending && filter.sort != NULL;
    if (number_of(&number, value_of(values, "page")) == OK && number <= PAGES_MAX)
        filter.offset = (int)(number - 1) * BOARD_PAGE;
    return filter;
}

bool board_filter_narrows(const struct board_filter *filter)
{
    return filter->state != NULL || filter->role != NULL || filter->mail != NULL ||
           filter->wave != 0 || filter->text != NULL;
}

json_t *board_filter_document(const struct board_filter *filter)
{
    struct arena *arena = arena_current();
    const char *sort =
        filter->sort == NULL
            ? NULL
            : arena_print(arena, "%s%s", filter->descending ? "-" : "", filter->sort);
    const char *wave =
        filter->wave != 0 ? arena_print(arena, "%lld", (long long)filter->wave) : NULL;
    return json_pack("{s:s?,s:s?,s:s?,s:s?,s:s?,s:s?}", "q", filter->text, "state",
                     filter->state, "wave", wave, "role", filter->role, "mail",
                     filter->mail, "sort", sort);
}

const char *board_filter_query(struct arena *arena, const struct board_filter *filter,
                               const char *key, const char *value)
{
    json_t *values = board_filter_document(filter), *each;
    struct buf query = buf_on(arena);
    const char *name;
    if (filter->offset > 0 && key == NULL)
        json_object_set_new(
            values, "page",
            json_string(arena_print(arena, "%d", filter->offset / BOARD_PAGE + 1)));
    if (key != NULL)
        json_object_set_new(values, key,
                            value != NULL ? json_string(value) : json_null());
    json_object_foreach(values, name, each)
    {
        if (json_is_string(each))
            buf_print(&query, "%c%s=%s", query.length > 0 ? '&' : '?', name,
                      percent_text(arena, json_string_value(each)));
    }
    return query.data;
}

json_t *board_filter_options(const struct board_filter *filter, json_t *waves)
{
    json_t *document =
        json_pack("{s:o,s:o,s:o}", "states", flow_options(states, filter->state), "roles",
                  flow_options(people_roles, filter->role), "mails",
                  flow_options(mails, filter->mail));
    json_t *list = json_array(), *wave;
    size_t index;
    json_array_foreach(waves, index, wave)
    {
        int64_t number = integer_at(wave, "number");
        json_array_append_new(list,
                              json_pack("{s:I,s:O,s:b}", "value", (json_int_t)number,
                                        "kind", json_object_get(wave, "kind"), "selected",
                                        (int)(number == filter->wave)));
    }
    json_object_set_new(document, "waves", list);
    return document;
}

/* A column sorted upwards is offered downwards, any other upwards. */
json_t *board_filter_columns(struct arena *arena, const char *base,
                             const struct board_filter *filter)
{
    json_t *list = json_array();
    const char *by = filter->sort != NULL ? filter->sort : "name";
    for (const char *const *column = columns; *column != NULL; column++) {
        bool here = strcmp(by, *column) == 0;
        const char *next =
            arena_print(arena, "%s%s", here && !filter->descending ? "-" : "", *column);
        json_array_append_new(
            list, json_pack("{s:s,s:s,s:s}", "key", *column, "url",
                            arena_print(arena, "%s%s", base,
                                        board_filter_query(arena, filter, "sort", next)),
                            "sort",
                            !here                ? "none"
                            : filter->descending ? "descending"
                                                 : "ascending"));
    }
    return list;
}
