/* The board of a collection: a row a person, counters, a chart; see board_filter.h for
 * its address. Its rows and counters are a fragment of their own too, which a page that
 * is open asks for again and again (static/board.js). */
#include "server/site/admin_board.h"

#include "server/site/board_filter.h"
#include "server/site/chart.h"
#include "server/site/collections.h"
#include "server/site/flow.h"
#include "server/site/site.h"
#include "server/site/tags.h"
#include "server/view/view.h"

#include <string.h>

/* One a column of board_counts, in its order. Each leads to those whom it counts; what
 * else narrows the board, it leaves behind. */
static json_t *counter_list(struct arena *arena, const char *base,
                            const struct board_filter *filter, json_t *counts)
{
    json_t *list = json_array(), *count;
    const char *key;
    json_object_foreach(counts, key, count)
    {
        bool trouble = strcmp(key, "trouble") == 0, all = strcmp(key, "all") == 0;
        struct board_filter alone = {.sort = filter->sort,
                                     .descending = filter->descending};
        const char *chosen = trouble ? filter->mail : filter->state;
        const char *url =
            all ? board_filter_query(arena, &alone, NULL, NULL)
                : board_filter_query(arena, &alone, trouble ? "mail" : "state", key);
        bool current = all ? !board_filter_narrows(filter)
                           : chosen != NULL && strcmp(chosen, key) == 0;
        json_array_append_new(list, json_pack("{s:s,s:I,s:s,s:b}", "key", key, "count",
                                              json_integer_value(count), "url",
                                              arena_print(arena, "%s%s", base, url),
                                              "current", (int)current));
    }
    return list;
}

void board_dress(json_t *people)
{
    size_t index;
    json_t *person;
    json_array_foreach(people, index, person)
    {
        const char *mail = text_at(person, "mail_state", "");
        tag_add(person, "invitation");
        json_object_set_new(person, "mail_class", json_string(tag_class("mail", mail)));
        json_object_set_new(
            person, "overdue",
            json_boolean(truth_at(person, "late") && truth_at(person, "lacking")));
    }
}

static void add_pages(struct arena *arena, json_t *document, const char *base,
                      const struct board_filter *filter, int64_t shown, int64_t total)
{
    int page = filter->offset / BOARD_PAGE + 1;
    json_int_t reached = (json_int_t)shown + filter->offset;
    const char *last = arena_print(arena, "%d", page - 1);
    const char *next = arena_print(arena, "%d", page + 1);
    json_object_set_new(
        document, "pages",
        json_pack("{s:I,s:i,s:I,s:o,s:o}", "count", (json_int_t)total, "from",
                  filter->offset + 1, "to", reached, "previous",
                  page > 1 ? json_string(
                                 arena_print(arena, "%s%s", base,
                                             board_filter_query(arena, filter, "page",
                                                                page > 2 ? last : NULL)))
                           : json_null(),
                  "next",
                  reached < total ? json_string(arena_print(
                                        arena, "%s%s", base,
                                        board_filter_query(arena, filter, "page", next)))
                                  : json_null()));
}

/* What the fragment shows. */
static enum result live_document(json_t **out, struct request *request, const char *base,
                                 struct board_filter *filter)
{
    json_t *people, *counts, *document = json_object();
    TRY(board_list(&people, request->db, filter));
    if (json_array_size(people) == 0 && filter->offset > 0) { /* there are fewer now */
        filter->offset = 0;
        TRY(board_list(&people, request->db, filter));
    }
    TRY(board_count(&counts, request->db, filter->collection));
    board_dress(people);
    add_pages(request->arena, document, base, filter, (int64_t)json_array_size(people),
              integer_at(json_array_get(people, 0), "total"));
    json_object_set(document, "people", people);
    json_object_set_new(document, "asked_nobody",
                        json_boolean(integer_at(counts, "all") == 0));
    json_object_set_new(document, "base", json_string(base));
    json_object_set_new(document, "counters",
                        counter_list(request->arena, base, filter, counts));
    json_object_set_new(document, "columns",
                        board_filter_columns(request->arena, base, filter));
    json_object_set_new(document, "ticked",
                        json_boolean(query_argument(request, "tick") != NULL));
    *out = document;
    return OK;
}

static enum result begin(json_t **collection, struct board_filter *filter,
                         const char **base, struct request *request)
{
    TRY(collection_of(collection, request));
    *filter = board_filter_of(request->query, integer_at(*collection, "id"));
    *base = collection_path(request, *collection, "");
    return OK;
}

enum result admin_board_show(struct request *request, struct response *response)
{
    json_t *collection, *waves, *days, *document;
    struct board_filter filter;
    const char *base;
    struct arena *arena = request->arena;
    TRY(begin(&collection, &filter, &base, request));
    TRY(live_document(&document, request, base, &filter));
    TRY(board_wave_list(&waves, request->db, filter.collection));
    TRY(board_day_list(&days, request->db, filter.collection));
    json_t *chart = chart_of_days(days, text_of(collection, "deadline"));
    const char *query = board_filter_query(arena, &filter, NULL, NULL);
    json_object_set_new(document, "filter", board_filter_document(&filter));
    json_object_set_new(document, "narrowed",
                        json_boolean(board_filter_narrows(&filter)));
    json_object_set_new(document, "options", board_filter_options(&filter, waves));
    json_object_set_new(document, "chart", chart != NULL ? chart : json_null());
    json_object_set_new(document, "live_url",
                        json_string(arena_print(arena, "%s/live%s", base, query)));
    json_object_set_new(document, "export_url",
                        json_string(arena_print(arena, "%s/export%s", base, query)));
    json_object_set_new(document, "tick_url",
                        json_string(arena_print(arena, "%s%s%ctick=page", base, query,
                                                *query ? '&' : '?')));
    return collection_page(request, response, "collections/board.html", document,
                           collection);
}

/* Without the frame of a page; the entity tag tells the asker that nothing changed. */
enum result admin_board_live(struct request *request, struct response *response)
{
    json_t *collection, *document;
    struct board_filter filter;
    const char *base;
    TRY(begin(&collection, &filter, &base, request));
    TRY(live_document(&document, request, base, &filter));
    return flow_page(request, response, "collections/board_live.html", document);
}
