/* Connections on a real server: documents, faults, loss and return. */
#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/config.h"
#include "tests/support/database.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct query one = {"public_one", "select 1 as one", 0, 0x1, 0};
static const struct query private_one = {"one", "select 1 as one", 0, 0x2, 0};
static const struct query echo = {"echo", "select $1::text as a, $2::text as b", 2, 0, 0};

Test(connection, columns_become_values_by_their_type)
{
    static const struct query types = {
        "types",
        "select true as yes, 9223372036854775807 as big, (-7)::smallint as small,"
        " 1.5::float8 as real, 'NaN'::float8 as nan, 12::numeric as whole,"
        " 0.25::numeric as part, '{\"k\": [1, null]}'::jsonb as nested,"
        " null::int as nothing, '林晓 \"x\"'::text as text, date '2024-04-14' as day,"
        " timestamptz '2024-04-14 23:59:59.5+08' as at,"
        " timestamp '2024-04-14 01:02:03' as local, 'infinity'::timestamptz as never,"
        " 99999999999999999999::numeric > 0 as large, '[1]'::json as list",
        0, 0, 0};
    static const char expected[] =
        "{\"yes\":true,\"big\":9223372036854775807,\"small\":-7,\"real\":1.5,"
        "\"nan\":\"NaN\",\"whole\":12,\"part\":0.25,\"nested\":{\"k\":[1,null]},"
        "\"nothing\":null,\"text\":\"林晓 \\\"x\\\"\",\"day\":\"2024-04-14\","
        "\"at\":\"2024-04-14T15:59:59.5Z\",\"local\":\"2024-04-14T01:02:03\","
        "\"never\":\"infinity\",\"large\":true,\"list\":[1]}";
    struct db *db = test_db();
    json_t *row;
    cr_assert_eq(db_row(&row, db, &types), OK);
    cr_assert_str_eq(json_dumps(row, JSON_COMPACT), expected);
    db_free(db);
}

Test(connection, parameters_are_text_or_null)
{
    struct db *db = test_db();
    json_t *row;
    cr_assert_eq(db_row(&row, db, &echo, "'; drop table x; --", NULL), OK);
    cr_assert_str_eq(json_dumps(row, JSON_COMPACT),
                     "{\"a\":\"'; drop table x; --\",\"b\":null}");
    cr_assert_eq(db_row(&row, db, &echo, "one"), FAILED);
    cr_assert_eq(db_row(&row, db, &echo, "one", "two", "three"), FAILED);
    cr_assert_eq(db_row(&row, db, &one), OK);
    db_free(db);
}

Test(connection, one_row_is_not_none_and_not_two)
{
    static const struct query some = {
        "some", "select n from generate_series(1, $1::int) n", 1, 0, 0};
    struct db *db = test_db();
    json_t *row, *rows;
    int64_t count;
    cr_assert_eq(db_row(&row, db, &some, "0"), NOT_FOUND);
    cr_assert_eq(db_row(&row, db, &some, "1"), OK);
    cr_assert_eq(db_row(&row, db, &some, "2"), FAILED);
    cr_assert_eq(db_rows(&rows, db, &some, "0"), OK);
    cr_assert_eq(json_array_size(rows), 0);
    cr_assert_eq(db_rows(&rows, db, &some, "1000"), OK);
    cr_assert_eq(json_array_size(rows), 1000);
    cr_assert_eq(db_run(&count, db, &some, "5"), OK);
    cr_assert_eq(count, 5);
    db_free(db);
}

Test(connection, faults_keep_their_meaning)
{
    static const struct {
        struct query query;
        const char *value;
        enum result expected;
        const char *constraint;
    } cases[] = {
        {{"add", "insert into t values ($1::int)", 1, 0, 1},    "1",    CONFLICT, "t_pkey"   },
        {{"add", "insert into t values ($1::int)", 1, 0, 1},    "0",    INVALID,  "t_n_check"},
        {{"add", "insert into t values ($1::int)", 1, 0, 1},    "x",    INVALID,  ""         },
        {{"nul", "select $1::text", 1, 0, 0},                   "\xff", INVALID,  ""         },
        {{"bad", "select $1::int from no_such_table", 1, 0, 0}, "1",    FAILED,   ""         },
        {{"slow", "select pg_sleep($1::float8)", 1, 0, 0},      "30",   BUSY,     ""         },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct db *db = test_db();
        test_sql(db, "create temp table t (n int primary key check (n > 0));"
                     "insert into t values (1); set statement_timeout = '100ms'");
        cr_expect_eq(db_run(NULL, db, &cases[i].query, cases[i].value), cases[i].expected,
                     "case %zu: %s", i, db->problem);
        cr_expect_str_eq(db->constraint, cases[i].constraint);
        json_t *row;
        cr_expect_eq(db_row(&row, db, &one), OK, "usable after case %zu", i);
        db_free(db);
    }
}

Test(connection, a_read_survives_the_loss_of_its_connection)
{
    struct db *db = test_db();
    json_t *row;
    for (int i = 0; i < 3; i++) {
        test_kill(db);
        cr_assert_eq(db_row(&row, db, &echo, "a", "b"), OK);
    }
    db_free(db);
}

Test(connection, a_read_whose_backend_dies_under_it_runs_again)
{
    /* Ends its own backend the first time only: a sequence is not rolled back. */
    static const struct query suicidal = {
        "suicidal",
        "select case when nextval('suicidal_calls') = 1"
        " then pg_terminate_backend(pg_backend_pid())::int else 42 end as n,"
        " pg_sleep(0.05)",
        0, 0, 0};
    struct db *db = test_db();
    json_t *row;
    test_sql(db,
             "drop sequence if exists suicidal_calls; create sequence suicidal_calls");
    cr_assert_eq(db_row(&row, db, &suicidal), OK);
    cr_assert_eq(json_integer_value(json_object_get(row, "n")), 42);
    test_sql(db, "drop sequence suicidal_calls");
    db_free(db);
}

Test(connection, a_write_whose_backend_dies_under_it_is_not_run_again)
{
    static const struct query suicidal = {
        "suicidal_write",
        "select nextval('suicidal_writes'), pg_terminate_backend(pg_backend_pid()),"
        " pg_sleep(0.05)",
        0, 0, 1};
    struct db *db = test_db();
    test_sql(db,
             "drop sequence if exists suicidal_writes; create sequence suicidal_writes");
    cr_assert_eq(db_run(NULL, db, &suicidal), BUSY);
    json_t *row;
    cr_assert_eq(db_row(&row, db, &one), OK);
    cr_assert_str_eq(test_value("select last_value from suicidal_writes"), "1");
    test_sql(db, "drop sequence suicidal_writes");
    db_free(db);
}

Test(connection, a_database_that_is_away_answers_busy_at_once)
{
    arena_enter(arena_new());
    struct db *db = db_new("host=/nowhere dbname=labd");
    json_t *row;
    int64_t start = clock_ms();
    for (int i = 0; i < 10000; i++)
        cr_assert_eq(db_row(&row, db, &one), BUSY);
    cr_assert_lt(clock_ms() - start, 2000);
    cr_assert_neq(strlen(db->problem), 0);
    db_free(db);
}

Test(connection, gathers_the_tables_read)
{
    struct db *db = test_db();
    json_t *row;
    cr_assert_eq(db_row(&row, db, &one), OK);
    cr_assert_eq(db_row(&row, db, &private_one), OK);
    cr_assert_eq(db->reads, 0x3);
    db_reads_reset(db);
    cr_assert_eq(db->reads, 0);
    db_free(db);
}

Test(connection, a_public_page_reaches_public_queries_alone)
{
    struct db *db = test_db();
    json_t *row;
    db_public_only(db, true);
    cr_assert_eq(db_row(&row, db, &private_one), FAILED);
    cr_assert_eq(db_row(&row, db, &one), OK);
    db_public_only(db, false);
    cr_assert_eq(db_row(&row, db, &private_one), OK);
    db_free(db);
}

Test(connection, a_query_prepared_before_a_migration_works_after_it)
{
    static const struct query star = {"star", "select * from star_table", 0, 0, 0};
    struct db *db = test_db();
    json_t *row;
    test_sql(db, "drop table if exists star_table;"
                 "create table star_table as select 1 as a");
    cr_assert_eq(db_row(&row, db, &star), OK);
    test_sql(db, "alter table star_table add b int");
    cr_assert_eq(db_row(&row, db, &star), OK);
    cr_assert_str_eq(json_dumps(row, JSON_COMPACT), "{\"a\":1,\"b\":null}");
    test_sql(db, "drop table star_table");
    db_free(db);
}

Test(connection, more_queries_than_slots_are_prepared_once_each)
{
    enum { QUERIES = 700 };
    struct db *db = test_db();
    struct query *queries = ARENA_ARRAY(arena_current(), struct query, QUERIES);
    json_t *row;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < QUERIES; i++) {
            if (pass == 0)
                queries[i] = (struct query){
                    arena_print(arena_current(), "many_%d", i),
                    arena_print(arena_current(), "select %d as n", i), 0, 0, 0};
            cr_assert_eq(db_row(&row, db, &queries[i]), OK);
            cr_assert_eq(json_integer_value(json_object_get(row, "n")), i);
        }
    db_free(db);
}

Test(connection, finds_the_database_of_the_var_folder)
{
    char folder[] = "/tmp/labd-find-XXXXXX", path[64];
    const char *conninfo;
    cr_assert_not_null(mkdtemp(folder));
    config.database = "";
    config.var = folder;
    cr_assert_eq(db_find(&conninfo), NOT_FOUND);
    snprintf(path, sizeof path, "%s/database", folder);
    FILE *file = fopen(path, "we");
    fputs("host=/x dbname=y\n", file);
    fclose(file);
    cr_assert_eq(db_find(&conninfo), OK);
    cr_assert_str_eq(conninfo, "host=/x dbname=y");
    remove(path);
    rmdir(folder);
}
