/* See database.h. */
#include "tests/support/database.h"

#include "server/base/buf.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *test_conninfo(void)
{
    const char *conninfo;
    cr_assert_eq(db_find(&conninfo), OK, "LABD_DATABASE is not set: use tests/run unit");
    return conninfo;
}

static void enter_arena(void)
{
    static bool entered;
    if (!entered)
        arena_enter(arena_new());
    entered = true;
}

struct db *test_db(void)
{
    enter_arena();
    return db_new(test_conninfo());
}

static char lab[256];

static void drop_lab(void)
{
    char sql[300];
    struct db *db = db_new(test_conninfo());
    snprintf(sql, sizeof sql, "drop database %s with (force)", strrchr(lab, '=') + 1);
    if (db_script(db, "test", sql) != OK)
        fprintf(stderr, "%s: %s\n", sql, db->problem);
    db_free(db);
}

const char *test_lab(void)
{
    if (lab[0] != '\0')
        return lab;
    struct db *db = test_db();
    const char *name = arena_print(arena_current(), "test_%d", (int)getpid());
    const char *template = getenv("LABD_TEST_TEMPLATE");
    cr_assert_not_null(template, "LABD_TEST_TEMPLATE is not set: use tests/run unit");
    test_sql(db, arena_print(arena_current(), "create database %s template %s", name,
                             template));
    db_free(db);
    snprintf(lab, sizeof lab, "%s dbname=%s", test_conninfo(), name);
    atexit(drop_lab);
    return lab;
}

struct db *test_lab_db(void)
{
    enter_arena();
    return db_new(test_lab());
}

void test_sql(struct db *db, const char *sql)
{
    cr_assert_eq(db_script(db, "test", sql), OK, "%s: %s", sql, db->problem);
}

const char *test_value(const char *sql)
{
    struct query query = {.name = "test_value", .sql = sql};
    struct db *db = db_new(test_conninfo());
    json_t *row;
    cr_assert_eq(db_row(&row, db, &query), OK, "%s: %s", sql, db->problem);
    json_t *value = json_object_iter_value(json_object_iter(row));
    db_free(db);
    if (json_is_string(value))
        return json_string_value(value);
    return json_dumps(value, JSON_ENCODE_ANY);
}

void test_kill(struct db *db)
{
    static const struct query backend = {.name = "test_backend",
                                         .sql = "select pg_backend_pid() as pid"};
    json_t *row;
    cr_assert_eq(db_row(&row, db, &backend), OK);
    const char *pid = NUM(json_integer_value(json_object_get(row, "pid")));
    const char *killed = test_value(
        arena_print(arena_current(), "select pg_terminate_backend(%s, 5000)", pid));
    cr_assert_str_eq(killed, "true");
}
