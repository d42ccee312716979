/* Where the columns of the chart of works stand; see works_chart.h. */
#include "server/site/works_chart.h"

#include "server/base/arena.h"
#include "server/base/document.h"

#include <string.h>

enum { UNITS = 1000, YEARS_MOST = 40, LABELS_MOST = 8, GROUPS = 4 };

static const char *const groups[GROUPS] = {"article", "conference", "preprint", "rest"};

struct year {
    int64_t year, total, of[GROUPS];
};

static size_t group_of(const char *kind)
{
    size_t group = 0;
    while (group < GROUPS - 1 && strcmp(groups[group], kind) != 0)
        group++;
    return group;
}

static void count(struct year *years, size_t span, int64_t first, json_t *counts)
{
    size_t i;
    json_t *row;
    for (size_t y = 0; y < span; y++)
        years[y] = (struct year){.year = first + (int64_t)y};
    json_array_foreach(counts, i, row)
    {
        int64_t at = integer_at(row, "year") - first, works = integer_at(row, "count");
        if (at < 0)
            continue;
        years[at].of[group_of(text_at(row, "kind", ""))] += works;
        years[at].total += works;
    }
}

static json_t *parts_of(const struct year *year, int64_t top)
{
    json_t *parts = json_array();
    int64_t below = 0;
    for (size_t g = 0; g < GROUPS; g++) {
        if (year->of[g] == 0)
            continue;
        int64_t from = below * UNITS / top, to = (below + year->of[g]) * UNITS / top;
        below += year->of[g];
        json_array_append_new(parts, json_pack("{s:s,s:I,s:I}", "group", groups[g], "y",
                                               (json_int_t)(UNITS - to), "height",
                                               (json_int_t)(to - from)));
    }
    return parts;
}

static json_t *columns_of(const struct year *years, size_t span, int64_t top)
{
    json_t *columns = json_array();
    size_t every = (span + LABELS_MOST - 1) / LABELS_MOST;
    for (size_t y = 0; y < span; y++) {
        size_t slot = UNITS / span, middle = (2 * y + 1) * UNITS / (2 * span);
        const char *anchor = y + 1 == span ? "end" : "middle"; /* within the page */
        size_t at = y + 1 == span ? UNITS : middle;
        json_array_append_new(
            columns,
            json_pack("{s:I,s:I,s:i,s:s,s:s,s:b,s:o}", "year", (json_int_t)years[y].year,
                      "total", (json_int_t)years[y].total, "x",
                      (int)(middle - slot * 2 / 5), "at",
                      arena_print(arena_current(), "%zu.%zu", at / 10, at % 10), "anchor",
                      anchor, "labelled", (int)((span - 1 - y) % every == 0), "parts",
                      parts_of(&years[y], top)));
    }
    return columns;
}

static json_t *table_of(const struct year *years, size_t span)
{
    json_t *table = json_array();
    for (size_t y = span; y-- > 0;) {
        if (years[y].total == 0)
            continue;
        json_t *row = json_pack("{s:I,s:I}", "year", (json_int_t)years[y].year, "total",
                                (json_int_t)years[y].total);
        for (size_t g = 0; g < GROUPS; g++)
            json_object_set_new(row, groups[g], json_integer(years[y].of[g]));
        json_array_append_new(table, row);
    }
    return table;
}

static json_t *legend_of(const struct year *years, size_t span)
{
    json_t *legend = json_array();
    for (size_t g = 0; g < GROUPS; g++) {
        json_int_t total = 0;
        for (size_t y = 0; y < span; y++)
            total += years[y].of[g];
        if (total > 0)
            json_array_append_new(
                legend, json_pack("{s:s,s:I}", "group", groups[g], "total", total));
    }
    return legend;
}

json_t *works_chart(json_t *counts)
{
    size_t rows = json_array_size(counts);
    int64_t first = integer_at(json_array_get(counts, 0), "year"), top = 1;
    int64_t last = rows > 0 ? integer_at(json_array_get(counts, rows - 1), "year") : 0;
    size_t span = last - first < YEARS_MOST ? (size_t)(last - first) + 1 : YEARS_MOST;
    if (span < 2)
        return NULL;
    first = last - (int64_t)span + 1;
    struct year years[YEARS_MOST];
    count(years, span, first, counts);
    for (size_t y = 0; y < span; y++)
        top = years[y].total > top ? years[y].total : top;
    return json_pack("{s:o,s:o,s:i,s:I,s:I,s:I,s:o}", "groups", legend_of(years, span),
                     "columns", columns_of(years, span, top), "width",
                     (int)(UNITS / span * 4 / 5), "top", (json_int_t)top, "first",
                     (json_int_t)first, "last", (json_int_t)last, "years",
                     table_of(years, span));
}
