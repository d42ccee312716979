/* A chart of works by year and kind as numbers for partials/works_chart.html, which draws
 * it as SVG: columns in a plot of 1000 × 1000 units, stretched to the page. */
#ifndef LABD_SITE_WORKS_CHART_H
#define LABD_SITE_WORKS_CHART_H

#include <jansson.h>

/* `counts` is public_work_counts_of(). NULL for works of less than two years, else
 *   groups   the legend: [{group: "article" | "conference" | "preprint" | "rest", total}]
 *   columns  [{year, total, x, at (per cent, of the label), anchor, labelled,
 *             parts[{group, y, height}]}]; the last YEARS_MOST years, gaps among them
 *   width    of a column, units
 *   top      the highest total
 *   first, last   years
 *   years    the table, newest first: [{year, total, article, conference, preprint,
 *             rest}], years without works left out */
json_t *works_chart(json_t *counts);

#endif
