/* Where the lines of a chart go; see chart.h. */
#include "server/site/chart.h"

#include "server/base/buf.h"
#include "server/base/document.h"

#include <string.h>

enum { UNITS = 1000, STEPS_MOST = 5 };

/* 1, 2, 5, 10, 20, 50 ...: the smallest by which `top` takes at most STEPS_MOST. */
static int64_t round_step(int64_t top)
{
    static const int factors[] = {2, 5, 10};
    int64_t step = 1, power = 1;
    for (int i = 0; (top + step - 1) / step > STEPS_MOST; i = (i + 1) % 3) {
        step = power * factors[i];
        if (i == 2)
            power *= 10;
    }
    return step;
}

static long scaled(int64_t value, int64_t of)
{
    return of > 0 ? (long)(value * UNITS / of) : 0;
}

/* In tenths of a per cent: as text, "12.5". */
static json_t *per_cent(long units)
{
    return json_string(arena_print(arena_current(), "%ld.%ld", units / 10, units % 10));
}

static json_t *line(json_t *days, const char *key, int64_t top)
{
    struct buf points = buf_on(arena_current());
    int64_t span = (int64_t)json_array_size(days) - 1, total = 0, at = 0;
    size_t index;
    json_t *day;
    json_array_foreach(days, index, day)
    {
        if (truth_at(day, "future"))
            break;
        total = integer_at(day, key);
        buf_print(&points, "%s%ld,%ld", index > 0 ? " " : "",
                  scaled((int64_t)index, span), UNITS - scaled(total, top));
        at = (int64_t)index;
    }
    return json_pack("{s:s,s:I,s:o,s:o}", "points", points.data, "total",
                     (json_int_t)total, "x", per_cent(scaled(at, span)), "y",
                     per_cent(UNITS - scaled(total, top)));
}

static json_t *grid(int64_t step, int64_t top)
{
    json_t *lines = json_array();
    for (int64_t value = 0; value <= top; value += step) {
        long at = UNITS - scaled(value, top);
        json_array_append_new(lines,
                              json_pack("{s:I,s:o,s:i}", "value", (json_int_t)value, "y",
                                        per_cent(at), "line", (int)at));
    }
    return lines;
}

static json_t *mark(json_t *days, size_t index, const char *kind)
{
    int64_t last = (int64_t)json_array_size(days) - 1;
    long at = scaled((int64_t)index, last);
    const char *anchor = at < UNITS / 5 ? "start" : at > UNITS * 4 / 5 ? "end" : "middle";
    int row = strcmp(kind, "deadline") == 0 ? 14 : 32; /* apart: they may be near */
    return json_pack("{s:s,s:O,s:o,s:i,s:i,s:s}", "kind", kind, "day",
                     json_object_get(json_array_get(days, index), "day"), "x",
                     per_cent(at), "line", (int)at, "row", row, "anchor", anchor);
}

static json_t *marks(json_t *days, const char *deadline)
{
    json_t *list = json_array(), *day;
    size_t index;
    json_array_foreach(days, index, day)
    {
        json_t *next = json_array_get(days, index + 1);
        if (next != NULL && truth_at(next, "future") && !truth_at(day, "future"))
            json_array_append_new(list, mark(days, index, "today"));
        if (deadline != NULL && strcmp(text_at(day, "day", ""), deadline) == 0)
            json_array_append_new(list, mark(days, index, "deadline"));
    }
    return list;
}

static bool same_counts(const json_t *one, const json_t *other)
{
    return integer_at(one, "invited") == integer_at(other, "invited") &&
           integer_at(one, "opened") == integer_at(other, "opened") &&
           integer_at(one, "submitted") == integer_at(other, "submitted");
}

static json_t *changed_days(json_t *days)
{
    json_t *list = json_array(), *day;
    size_t index;
    json_array_foreach(days, index, day)
    {
        json_t *before = index > 0 ? json_array_get(days, index - 1) : NULL;
        if (!truth_at(day, "future") && !same_counts(day, before))
            json_array_insert(list, 0, day);
    }
    return list;
}

json_t *chart_of_days(json_t *days, const char *deadline)
{
    size_t count = json_array_size(days);
    if (count == 0)
        return NULL;
    int64_t most = integer_at(json_array_get(days, count - 1), "invited");
    int64_t step = round_step(most > 0 ? most : 1);
    int64_t top = (most + step - 1) / step * step;
    if (top == 0)
        top = step;
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:O,s:O,s:o}", "asked",
                     line(days, "invited", top), "opened", line(days, "opened", top),
                     "submitted", line(days, "submitted", top), "grid", grid(step, top),
                     "marks", marks(days, deadline), "first",
                     json_object_get(json_array_get(days, 0), "day"), "last",
                     json_object_get(json_array_get(days, count - 1), "day"), "days",
                     changed_days(days));
}
