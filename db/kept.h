/* Results of queries that every page asks for, such as the lab's name: kept by each
 * connection until a table that they read changes, as the page cache keeps pages.
 *
 * A block headed "-- kept: until a table changes" takes part; it has no parameters. What
 * is kept is used only while the listener hears of changes, and never inside a
 * transaction; the change of one connection is known to all before its write returns. */
#ifndef LABD_DB_KEPT_H
#define LABD_DB_KEPT_H

#include "db/wire.h"

/* These tables have changed. Called before the page cache hears of it: else a page begun
 * between the two could be kept with what was before the change. */
void kept_changed(uint64_t tables);
/* Whether changes are heard of; they are not before the first call. Nothing kept outlives
 * a time of deafness. */
void kept_listening(bool listening);

/* The moment to give to kept_put(), taken before the query runs. */
uint64_t kept_moment(void);
/* A copy of what is kept of `query` and still current; NULL: nothing. */
PGresult *kept_take(const struct db *db, const struct query *query);
void kept_put(struct db *db, const struct query *query, const PGresult *result,
              uint64_t moment);
void kept_free(struct db *db);

#endif
