/* Migrations in folders of our own, each on a database made for the test. */
#include "db/migrate.h"
#include "server/base/arena.h"
#include "tests/support/database.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/labd-migrate-XXXXXX";
static char empty[256]; /* connection string of an empty database */

static void drop(void)
{
    struct db *db = db_new(test_conninfo());
    test_sql(db,
             arena_print(arena_current(), "drop database %s", strrchr(empty, '=') + 1));
    db_free(db);
}

static void set_up(void)
{
    struct db *db = test_db();
    const char *name = arena_print(arena_current(), "migrate_%d", (int)getpid());
    test_sql(db,
             arena_print(arena_current(), "create database %s template template0", name));
    db_free(db);
    snprintf(empty, sizeof empty, "%s dbname=%s", test_conninfo(), name);
    cr_assert_not_null(mkdtemp(folder));
}

static void tear_down(void)
{
    char command[64];
    drop();
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(migrate, .init = set_up, .fini = tear_down);

static void file(const char *name, const char *sql)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "we");
    cr_assert_not_null(stream);
    fputs(sql, stream);
    fclose(stream);
}

static json_int_t number(const char *sql)
{
    struct query query = {"number", sql, 0, 0, 0};
    struct db *db = db_new(empty);
    json_t *row;
    cr_assert_eq(db_row(&row, db, &query), OK, "%s", db->problem);
    db_free(db);
    return json_integer_value(json_object_get(row, "n"));
}

Test(migrate, applies_each_file_once_in_order)
{
    struct migration_report report;
    file("0001_first.sql", "create table t (n int); insert into t values (1);");
    file("0002_second.sql", "update t set n = n * 10;\n-- a comment at the end");
    file("README.md", "not a migration");
    cr_assert_eq(migrate_check(&report, empty, folder), OK);
    cr_assert_eq(report.pending, 2);
    cr_assert_eq(migrate(&report, empty, folder), OK, "%s", report.problem);
    cr_assert_eq(report.applied, 2);
    cr_assert_eq(report.version, 2);
    cr_assert_eq(migrate(&report, empty, folder), OK);
    cr_assert_eq(report.applied, 0);
    file("0003_third.sql", "update t set n = n + 5");
    cr_assert_eq(migrate(&report, empty, folder), OK);
    cr_assert_eq(report.applied, 1);
    cr_assert_eq(number("select n from t"), 15);
    cr_assert_str_eq(report.warning, "");
}

Test(migrate, a_file_that_fails_leaves_nothing)
{
    struct migration_report report;
    file("0001_first.sql", "create table t (n int)");
    file("0002_bad.sql", "insert into t values (1);\ninsert into no_table values (1)");
    cr_assert_eq(migrate(&report, empty, folder), FAILED);
    cr_assert_not_null(strstr(report.problem, "0002_bad.sql"), "%s", report.problem);
    cr_assert_not_null(strstr(report.problem, "LINE 2"), "%s", report.problem);
    cr_assert_eq(number("select count(*) as n from t"), 0);
    cr_assert_eq(number("select max(version) as n from schema_migration"), 1);
}

Test(migrate, a_file_may_not_end_its_transaction)
{
    struct migration_report report;
    file("0001_first.sql", "create table t (n int); commit;");
    cr_assert_eq(migrate(&report, empty, folder), FAILED);
    cr_assert_not_null(strstr(report.problem, "transaction"), "%s", report.problem);
}

Test(migrate, a_database_newer_than_the_program_is_left_alone)
{
    struct migration_report report;
    file("0001_first.sql", "create table t (n int)");
    cr_assert_eq(migrate(&report, empty, folder), OK);
    struct db *db = db_new(empty);
    test_sql(db, "insert into schema_migration values (7, '0007_later.sql', '')");
    db_free(db);
    cr_assert_eq(migrate(&report, empty, folder), FAILED);
    cr_assert_not_null(strstr(report.problem, "0007_later.sql"));
    cr_assert_eq(migrate_check(&report, empty, folder), FAILED);
}

Test(migrate, an_edited_file_is_named)
{
    struct migration_report report;
    file("0001_first.sql", "create table t (n int)");
    cr_assert_eq(migrate(&report, empty, folder), OK);
    file("0001_first.sql", "create table t (n bigint)");
    cr_assert_eq(migrate(&report, empty, folder), OK);
    cr_assert_not_null(strstr(report.warning, "0001_first.sql"));
}

Test(migrate, a_gap_in_the_numbers_is_refused)
{
    struct migration_report report;
    file("0001_first.sql", "create table t (n int)");
    file("0003_third.sql", "create table u (n int)");
    cr_assert_eq(migrate(&report, empty, folder), FAILED);
    cr_assert_not_null(strstr(report.problem, "0002"), "%s", report.problem);
}

static void *migrate_also(void *report)
{
    arena_enter(arena_new());
    cr_expect_eq(migrate(report, empty, folder), OK);
    arena_free(arena_enter(NULL));
    return NULL;
}

Test(migrate, of_two_at_once_one_does_the_work)
{
    struct migration_report reports[4];
    pthread_t threads[4];
    file("0001_first.sql", "create table t (n int); select pg_sleep(0.2)");
    file("0002_second.sql", "insert into t values (1)");
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, migrate_also, &reports[i]), 0);
    int applied = 0;
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        applied += reports[i].applied;
    }
    cr_assert_eq(applied, 2);
    cr_assert_eq(number("select count(*) as n from t"), 1);
}
