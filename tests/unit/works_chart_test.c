/* The chart of works: gaps are years too, nothing is higher than the plot. */
#include "server/base/arena.h"
#include "server/base/document.h"
#include "server/site/works_chart.h"

#include <criterion/criterion.h>

static json_t *chart_of(const char *counts)
{
    return works_chart(json_loads(counts, 0, NULL));
}

Test(works_chart, less_than_two_years_have_none)
{
    arena_enter(arena_new());
    cr_assert_null(chart_of("[]"));
    cr_assert_null(chart_of("[{\"year\": 2024, \"kind\": \"article\", \"count\": 3},"
                            " {\"year\": 2024, \"kind\": \"book\", \"count\": 1}]"));
}

Test(works_chart, years_without_works_are_columns_but_no_rows)
{
    arena_enter(arena_new());
    json_t *chart = chart_of("[{\"year\": 2020, \"kind\": \"article\", \"count\": 3},"
                             " {\"year\": 2020, \"kind\": \"thesis\", \"count\": 1},"
                             " {\"year\": 2023, \"kind\": \"preprint\", \"count\": 2}]");
    cr_assert_eq(json_array_size(json_object_get(chart, "columns")), 4);
    cr_assert_eq(json_array_size(json_object_get(chart, "years")), 2);
    cr_assert_eq(integer_at(chart, "top"), 4);
    json_t *first = json_array_get(json_object_get(chart, "columns"), 0);
    json_t *parts = json_object_get(first, "parts");
    cr_assert_eq(json_array_size(parts), 2);
    cr_assert_eq(integer_at(json_array_get(parts, 0), "height"), 750);
    cr_assert_eq(integer_at(json_array_get(parts, 1), "y"), 0);
}

Test(works_chart, a_long_past_is_cut)
{
    arena_enter(arena_new());
    json_t *chart = chart_of("[{\"year\": 1000, \"kind\": \"book\", \"count\": 9000},"
                             " {\"year\": 2025, \"kind\": \"book\", \"count\": 1},"
                             " {\"year\": 2999, \"kind\": \"book\", \"count\": 2}]");
    cr_assert_eq(json_array_size(json_object_get(chart, "columns")), 40);
    cr_assert_eq(integer_at(chart, "first"), 2960);
    cr_assert_eq(integer_at(chart, "top"), 2);
}
