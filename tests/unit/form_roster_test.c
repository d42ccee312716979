/* The headings of real rosters, and a whole one: UTF-8 files of the corpus, cut by a
 * reader that is enough for them. */
#include "server/base/buf.h"
#include "server/form/forms.h"
#include "server/form/submission.h"
#include "tests/support/corpus.h"

#include <criterion/criterion.h>
#include <string.h>

static struct forms *forms;

static void enter(void)
{
    char problem[400];
    arena_enter(arena_new());
    cr_assert_eq(forms_open(&forms, ".", "", false, problem, sizeof problem), OK, "%s",
                 problem);
}

static void leave(void)
{
    forms_close(forms);
    arena_free(arena_enter(NULL));
}

TestSuite(form_roster, .init = enter, .fini = leave);

/* Tab-separated lines without quotes. */
static json_t *cells_of(const char **at)
{
    json_t *cells = json_array();
    const char *end = *at + strcspn(*at, "\n");
    for (const char *start = *at; start <= end;) {
        size_t length = strcspn(start, "\t\n");
        json_array_append_new(cells, json_stringn(start, length));
        start += length + 1;
    }
    *at = *end == '\n' ? end + 1 : end;
    return cells;
}

Test(form_roster, a_roster_is_read_by_its_own_headings)
{
    struct slice file = corpus_read(arena_current(), "csv/roster/canonical-tab-lf.tsv");
    const char *at = file.bytes;
    struct columns columns =
        form_columns(form_named(forms, "roster"), cells_of(&at), FOR_ADMIN);
    cr_expect_eq(json_array_size(columns.unknown), 0);
    cr_expect_eq(columns.known, 10);
    static const char *const roles[] = {"faculty",       "faculty", "phd",
                                        "phd",           "master",  "master",
                                        "undergraduate", "visitor", "member"};
    size_t row = 0;
    for (; *at != '\0'; row++) {
        struct submission out;
        json_t *cells = cells_of(&at);
        cr_assert_eq(form_read_row(&out, &columns, cells, FOR_ADMIN), OK, "row %zu: %s",
                     row, json_dumps(out.errors, 0));
        cr_assert(row < sizeof roles / sizeof roles[0]);
        cr_expect_str_eq(json_string_value(json_object_get(out.document, "role")),
                         roles[row]);
        /* The word itself ("副教授") is still there for the title. */
        cr_expect_eq(json_object_get(out.typed, "role"), json_array_get(cells, 2));
        if (row == 0)
            cr_expect_str_eq(json_string_value(json_object_get(out.document, "starts")),
                             "2005-07-01");
    }
    cr_expect_eq(row, 9);
}

Test(form_roster, dates_as_spreadsheets_write_them)
{
    static const struct {
        const char *starts, *date;
    } cases[] = {
        {"44440",               "2021-09-01"},
        {"45473",               "2024-06-30"},
        {"367",                 NULL        },
        {"60",                  NULL        },
        {"2958465",             NULL        },
        {"44440.5",             NULL        },
        {"2021/9/1",            "2021-09-01"},
        {"2021-09-01 00:00:00", "2021-09-01"},
        {"2021年9月",         "2021-09-01"},
        {"2021",                "2021-01-01"},
        {"2021-13-45",          NULL        },
        {"2021-02-30",          NULL        },
        {"Sep-21",              NULL        },
        {"2021.09—2024.06",   NULL        },
        {"#N/A",                NULL        },
        {"########",            NULL        },
    };
    json_t *headings = json_pack("[s, s]", "Name", "入学时间");
    struct columns columns =
        form_columns(form_named(forms, "roster"), headings, FOR_ADMIN);
    cr_expect_eq(columns.known, 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct submission out;
        json_t *cells = json_pack("[s, s]", "Ann", cases[i].starts);
        enum result result = form_read_row(&out, &columns, cells, FOR_ADMIN);
        cr_expect_eq(result, cases[i].date != NULL ? OK : INVALID, "%s", cases[i].starts);
        if (cases[i].date != NULL)
            cr_expect_str_eq(json_string_value(json_object_get(out.document, "starts")),
                             cases[i].date);
    }
}
