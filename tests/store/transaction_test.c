/* Transactions: all or nothing, never left open, and the word that goes out after one. */
#include "db/transaction.h"
#include "tests/support/database.h"

#include <criterion/criterion.h>

static const struct query add = {"add", "insert into t values ($1::int)", 1, 0, 0x4};
static const struct query add_late = {"add_late", "insert into late values ($1::int)", 1,
                                      0, 0x8};
static const struct query count = {"count", "select count(*) as n from t", 0, 0x4, 0};

static struct db *table(void)
{
    struct db *db = test_db();
    test_sql(db, "create temp table t (n int primary key);"
                 "create temp table late (n int unique deferrable initially deferred)");
    return db;
}

static json_int_t rows(struct db *db)
{
    json_t *row;
    cr_assert_eq(db_row(&row, db, &count), OK, "%s", db->problem);
    return json_integer_value(json_object_get(row, "n"));
}

static enum result add_two(struct db *db, void *data)
{
    (void)data;
    TRY(db_run(NULL, db, &add, "1"));
    return db_run(NULL, db, &add, "2");
}

static enum result change_mind(struct db *db, void *data)
{
    TRY(add_two(db, NULL));
    return *(enum result *)data;
}

static enum result ignore_fault(struct db *db, void *data)
{
    (void)data;
    TRY(db_run(NULL, db, &add, "1"));
    (void)!db_run(NULL, db, &add, "1");
    return OK;
}

static enum result break_at_commit(struct db *db, void *data)
{
    (void)data;
    TRY(db_run(NULL, db, &add_late, "1"));
    return db_run(NULL, db, &add_late, "1");
}

static enum result nest(struct db *db, void *data)
{
    (void)!db_transaction(db, add_two, data);
    return OK;
}

static enum result lose_connection(struct db *db, void *data)
{
    json_t *row;
    TRY(db_run(NULL, db, &add, "1"));
    test_kill(db);
    cr_expect_eq(db_row(&row, db, &count), BUSY, "no read on another connection");
    (void)data;
    return OK;
}

static enum result die_before_commit(struct db *db, void *data)
{
    (void)data;
    TRY(db_run(NULL, db, &add, "1"));
    test_kill(db);
    return OK;
}

Test(transaction, keeps_all_of_the_work)
{
    struct db *db = table();
    cr_assert_eq(db_transaction(db, add_two, NULL), OK);
    cr_assert_eq(rows(db), 2);
    db_free(db);
}

Test(transaction, keeps_nothing_when_the_work_says_no)
{
    struct db *db = table();
    enum result said[] = {NOT_FOUND, INVALID, CONFLICT, DENIED, BUSY, FAILED};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        cr_assert_eq(db_transaction(db, change_mind, &said[i]), said[i]);
        cr_assert_eq(rows(db), 0);
    }
    cr_assert_eq(db_transaction(db, add_two, NULL), OK);
    db_free(db);
}

Test(transaction, a_fault_the_work_ignored_still_counts)
{
    struct db *db = table();
    cr_assert_eq(db_transaction(db, ignore_fault, NULL), CONFLICT);
    cr_assert_eq(rows(db), 0);
    db_free(db);
}

Test(transaction, a_constraint_that_breaks_at_commit_is_a_conflict)
{
    struct db *db = table();
    cr_assert_eq(db_transaction(db, break_at_commit, NULL), CONFLICT);
    cr_assert_str_eq(db->constraint, "late_n_key");
    cr_assert_eq(db_transaction(db, add_two, NULL), OK);
    db_free(db);
}

Test(transaction, none_within_another)
{
    struct db *db = table();
    cr_assert_eq(db_transaction(db, nest, NULL), FAILED);
    cr_assert_eq(rows(db), 0);
    db_free(db);
}

Test(transaction, a_lost_connection_makes_all_of_it_busy)
{
    struct db *db = table();
    cr_assert_eq(db_transaction(db, lose_connection, NULL), BUSY);
    cr_assert_eq(db_transaction(db, die_before_commit, NULL), FAILED,
                 "the temporary table went with its session");
    db_free(db);
}

static uint64_t told;

static void tell(uint64_t tables)
{
    told |= tables;
}

Test(transaction, an_unanswered_commit_is_busy_and_counts_as_written)
{
    struct db *db = table();
    db_on_write(tell);
    cr_assert_eq(db_transaction(db, die_before_commit, NULL), BUSY);
    cr_assert_eq(told, 0x4);
    db_free(db);
}

Test(transaction, a_connection_lost_while_idle_is_replaced_before_it)
{
    struct db *db = table();
    test_kill(db);
    test_sql(db, "create temp table t (n int primary key)");
    cr_assert_eq(db_transaction(db, add_two, NULL), OK);
    db_free(db);
}

Test(transaction, tells_what_was_written_only_after_a_commit)
{
    struct db *db = table();
    enum result no = INVALID;
    db_on_write(tell);
    cr_assert_eq(db_transaction(db, change_mind, &no), INVALID);
    cr_assert_eq(told, 0);
    cr_assert_eq(db_transaction(db, add_two, NULL), OK);
    cr_assert_eq(told, 0x4);
    cr_assert_eq(db_run(NULL, db, &add_late, "9"), OK);
    cr_assert_eq(told, 0xc);
    cr_assert_eq(rows(db), 2);
    cr_assert_eq(told, 0xc);
    db_free(db);
}
