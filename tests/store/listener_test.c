/* The listener on a real server: what it hears, and that it says when it may have missed
 * something. */
#include "db/listener.h"
#include "server/base/arena.h"
#include "tables.h"
#include "tests/support/database.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t happened = PTHREAD_COND_INITIALIZER;
static uint64_t changed_tables;
static int losts, backs;

static void changed(uint64_t tables)
{
    pthread_mutex_lock(&lock);
    changed_tables |= tables;
    pthread_cond_signal(&happened);
    pthread_mutex_unlock(&lock);
}

static void count(int *counter)
{
    pthread_mutex_lock(&lock);
    (*counter)++;
    pthread_cond_signal(&happened);
    pthread_mutex_unlock(&lock);
}

static void lost(void)
{
    count(&losts);
}

static void back(void)
{
    count(&backs);
}

/* Waits, ten seconds at most, until `tables` were heard and the counters are reached. */
static void expect(uint64_t tables, int least_losts, int least_backs)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 10;
    pthread_mutex_lock(&lock);
    while ((changed_tables & tables) != tables || losts < least_losts ||
           backs < least_backs)
        if (pthread_cond_timedwait(&happened, &lock, &deadline) == ETIMEDOUT)
            cr_assert_fail("heard %llx, lost %d, back %d",
                           (unsigned long long)changed_tables, losts, backs);
    pthread_mutex_unlock(&lock);
}

static struct listener *start(const char *name)
{
    static char conninfo[512];
    snprintf(conninfo, sizeof conninfo, "%s application_name=%s", test_conninfo(), name);
    return listener_start(conninfo, (struct listener_events){changed, lost, back});
}

static void notify(struct db *db, const char *table)
{
    test_sql(db,
             arena_print(arena_current(), "select pg_notify('content', '%s')", table));
}

Test(listener, hears_the_tables_that_queries_read)
{
    struct db *db = test_db();
    struct listener *listener = start("hears");
    expect(0, 0, 1);
    notify(db, "no_table_of_ours");
    for (int table = 0; table < TABLE_COUNT; table++)
        notify(db, table_names[table]);
    expect(TABLE_COUNT == 64 ? ~UINT64_C(0) : (UINT64_C(1) << TABLE_COUNT) - 1, 0, 1);
    listener_stop(listener);
    cr_assert_eq(backs, 1);
    db_free(db);
}

Test(listener, says_when_it_was_lost_and_is_back)
{
    struct db *db = test_db();
    struct listener *listener = start("is_lost");
    for (int round = 1; round <= 3; round++) {
        expect(0, round - 1, round);
        test_sql(db, "select pg_terminate_backend(pid) from pg_stat_activity"
                     " where application_name = 'is_lost'");
        expect(0, round, round + 1);
    }
    if (TABLE_COUNT > 0) {
        notify(db, table_names[0]);
        expect(1, 3, 4);
    }
    listener_stop(listener);
    db_free(db);
}

Test(listener, stops_while_the_database_is_away)
{
    struct listener *listener =
        listener_start("host=/nowhere", (struct listener_events){changed, lost, back});
    listener_stop(listener);
    cr_assert_eq(backs, 0);
}

/* Who is a member changes at midnight without a write. The clock can't be moved here, so
 * the function that tells the lab's date is replaced. */
Test(listener, takes_a_new_day_for_a_change)
{
    struct db *db = test_lab_db();
    struct listener *listener =
        listener_start(test_lab(), (struct listener_events){changed, lost, back});
    expect(0, 0, 1);
    test_sql(db,
             "create or replace function lab_today() returns date language sql stable "
             "as $$ select date '2999-12-31' $$");
    expect(TABLE_BIT(TABLE_LAB), 0, 1);
    listener_stop(listener);
    db_free(db);
}
