/* Criterion's entry, with labd's program-wide set-up before any test. */
#include "db/connection.h"
#include "db/migrate.h"
#include "server/base/arena.h"
#include "server/base/config.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Not in main(): each test runs in a process of its own, which does not go through it. */
__attribute__((constructor)) static void set_up(void)
{
    char problem[256];
    json_on_arena();
    if (config_load("labd.conf", problem, sizeof problem) != OK) {
        fprintf(stderr, "%s\n", problem);
        exit(2);
    }
}

/* tests/run makes its databases before there may be a program to do it. */
static int migrate_database(void)
{
    const char *conninfo;
    struct migration_report report = {.problem = "LABD_DATABASE is not set"};
    if (db_find(&conninfo) == OK && migrate(&report, conninfo, "migrations") == OK)
        return 0;
    fprintf(stderr, "%s\n", report.problem);
    return 1;
}

int main(int argc, char *argv[])
{
    if (argc == 2 && strcmp(argv[1], "--migrate") == 0)
        return migrate_database();
    struct criterion_test_set *tests = criterion_initialize();
    int result = 0;
    if (criterion_handle_args(argc, argv, true))
        result = !criterion_run_all_tests(tests);
    criterion_finalize(tests);
    /* The tests ran in other processes; what Criterion leaks in this one is no fault. */
    fflush(NULL);
    _exit(result);
}
