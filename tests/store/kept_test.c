/* Kept results: used again while nothing has changed, and never after. */
#include "db/kept.h"
#include "db/listener.h"
#include "db/store/lab.h"
#include "db/store/public.h"
#include "db/transaction.h"
#include "server/base/arena.h"
#include "tables.h"
#include "tests/support/database.h"

#include <criterion/criterion.h>
#include <semaphore.h>
#include <time.h>

static const char *name(struct db *db)
{
    json_t *lab;
    enum result found = public_lab(&lab, db);
    cr_assert(found == OK || found == NOT_FOUND);
    return found == OK ? json_string_value(json_object_get(lab, "name_en")) : "none";
}

/* As another instance does it: this one is not told. */
static struct db *named(const char *first)
{
    struct db *db = test_lab_db();
    test_sql(db,
             arena_print(arena_current(),
                         "insert into lab (name_en, name_zh) values ('%s', '')", first));
    return db;
}

static void rename_to(struct db *db, const char *second)
{
    test_sql(db, arena_print(arena_current(), "update lab set name_en = '%s'", second));
}

Test(kept, a_result_serves_until_its_table_changes)
{
    struct db *db = named("A");
    kept_listening(true);
    cr_assert_str_eq(name(db), "A");
    rename_to(db, "B");
    cr_assert_str_eq(name(db), "A");
    kept_changed(TABLE_BIT(TABLE_PERSON));
    cr_assert_str_eq(name(db), "A");
    kept_changed(TABLE_BIT(TABLE_LAB));
    cr_assert_str_eq(name(db), "B");
    db_free(db);
}

Test(kept, nothing_is_kept_while_changes_are_not_heard_of)
{
    struct db *db = named("A");
    cr_assert_str_eq(name(db), "A");
    rename_to(db, "B");
    cr_assert_str_eq(name(db), "B");
    kept_listening(true);
    cr_assert_str_eq(name(db), "B");
    kept_listening(false);
    rename_to(db, "C");
    cr_assert_str_eq(name(db), "C");
    kept_listening(true);
    cr_assert_str_eq(name(db), "C");
    db_free(db);
}

Test(kept, what_one_connection_writes_every_other_sees_at_once)
{
    struct db *db = test_lab_db();
    struct db *other = db_new(db->conninfo);
    kept_listening(true);
    cr_assert_str_eq(name(db), "none");
    cr_assert_str_eq(name(other), "none");
    cr_assert_eq(lab_ensure(db), OK);
    cr_assert_str_eq(name(db), "Our lab");
    cr_assert_str_eq(name(other), "Our lab");
    db_free(other);
    db_free(db);
}

static enum result ensure_and_read(struct db *db, void *data)
{
    (void)data;
    TRY(lab_ensure(db));
    cr_assert_str_eq(name(db), "Our lab");
    return CONFLICT;
}

Test(kept, a_transaction_sees_its_own_writes_and_leaves_nothing_when_rolled_back)
{
    struct db *db = test_lab_db();
    kept_listening(true);
    cr_assert_str_eq(name(db), "none");
    cr_assert_eq(db_transaction(db, ensure_and_read, NULL), CONFLICT);
    cr_assert_str_eq(name(db), "none");
    db_free(db);
}

Test(kept, using_it_counts_as_reading)
{
    struct db *db = named("A");
    kept_listening(true);
    cr_assert_str_eq(name(db), "A");
    db_reads_reset(db);
    cr_assert_str_eq(name(db), "A");
    cr_assert_eq(db->reads, TABLE_BIT(TABLE_LAB));
    db_free(db);
}

static sem_t listening, heard;

static void on_change(uint64_t tables)
{
    if ((tables & TABLE_BIT(TABLE_LAB)) != 0)
        sem_post(&heard);
}

static void on_loss(void)
{
}

static void on_return(void)
{
    sem_post(&listening);
}

static void await(sem_t *semaphore)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 10;
    cr_assert_eq(sem_timedwait(semaphore, &deadline), 0);
}

Test(kept, a_change_is_known_here_before_the_page_cache_hears_of_it)
{
    struct db *db = named("A");
    sem_init(&listening, 0, 0);
    sem_init(&heard, 0, 0);
    struct listener *listener = listener_start(
        db->conninfo, (struct listener_events){on_change, on_loss, on_return});
    await(&listening);
    cr_assert_str_eq(name(db), "A");
    rename_to(db, "B");
    await(&heard);
    cr_assert_str_eq(name(db), "B");
    listener_stop(listener);
    db_free(db);
}
