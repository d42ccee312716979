/* Criterion's entry, with labd's program-wide set-up before any test. */
#include "server/base/arena.h"
#include "server/base/config.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

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

int main(int argc, char *argv[])
{
    struct criterion_test_set *tests = criterion_initialize();
    int result = 0;
    if (criterion_handle_args(argc, argv, true))
        result = !criterion_run_all_tests(tests);
    criterion_finalize(tests);
    return result;
}
