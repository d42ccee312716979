/* A chart of sums over days as numbers for templates/collections/chart.html, which draws
 * it as SVG: a plot of 1000 × 1000 units, stretched to the page, and labels at per cent
 * of its width and height. */
#ifndef LABD_SITE_CHART_H
#define LABD_SITE_CHART_H

#include <jansson.h>

/* `days` is board_day_list(); `deadline` "2026-12-14" or NULL. NULL for no days, else
 *   asked, opened, submitted   {points: "0,1000 500,20", total, x, y (per cent, of
 *             the last point)}, up to today
 *   grid      [{value, y (per cent), line (units)}] from 0 up, round steps
 *   first, last   days
 *   marks     [{kind: "today" | "deadline", day, x (per cent), line (units), row (pixels
 *             from the top), anchor: "start" | "middle" | "end"}]
 *   days      the table: [{day, invited, opened, submitted}], newest first, days on which
 *             nothing changed and those to come left out */
json_t *chart_of_days(json_t *days, const char *deadline);

#endif
