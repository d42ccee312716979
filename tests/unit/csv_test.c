/* CSV read and written: small cases, limits, and the corpus with its expectations. */
#include "server/text/csv.h"
#include "server/text/encoding.h"
#include "tests/support/corpus.h"

#include <criterion/criterion.h>
#include <jansson.h>

/* Rows as "a|b|c", "\n" between, "!problem@line" behind a row that has one. */
static const char *seen(struct arena *arena, struct slice text, bool header)
{
    struct buf out = buf_on(arena);
    struct csv *csv;
    struct csv_row row;
    cr_assert_eq(csv_open(&csv, arena, text, &csv_import_limits), OK);
    while (csv_next(&row, csv) == OK) {
        if (out.length > 0)
            buf_char(&out, '\n');
        for (size_t i = 0; i < row.count; i++)
            buf_print(&out, "%s%.*s", i > 0 ? "|" : "", (int)row.cells[i].length,
                      row.cells[i].bytes);
        if (row.problem != CSV_SOUND)
            buf_print(&out, "!%s@%zu", csv_problem_code(row.problem), row.line);
        if (header && row.line == 1)
            csv_header(csv, &row);
    }
    return out.data;
}

struct csv_case {
    const char *text, *seen;
    bool header;
};

Test(csv, reads_rows_and_reports_broken_ones)
{
    static const struct csv_case cases[] = {
        {"",                           "",                                        false},
        {"a,b\n1,2\n",                 "a|b\n1|2",                                false},
        {"a;b\r1;2",                   "a|b\n1|2",                                false},
        {"a\tb,c\r\n1\t2",             "a|b,c\n1|2",                              false},
        {"sep=;\na,b;c\n",             "a,b|c",                                   false},
        {"Sep=|\r\na|b\n",             "a|b",                                     false},
        {"\"a\"\"b\",\"c\nd\"\n,\n",   "a\"b|c\nd\n|",                            false},
        {"title\na,b\n",               "title\na|b",                              false},
        {"a \"b\" c, \"d,e\" ,f\n",    "a \"b\" c|d,e|f",                         false},
        {"a,\"b\"c\"\n1,2\n",          "a|bc\"!stray_quote@1\n1|2",               false},
        {"a,b\n\"x,y\n1,2\n\"p\",q\n", "a|b\n\"x|y!unclosed_quote@2\n1|2\np|q",   false},
        {"a,b,,\n1,2,,\n1\n1,2,3\n",   "a|b||\n1|2\n1|!ragged@3\n1|2|3!ragged@4", true },
        {"a,\"x\n\n\ny\"\n1,2,3\n",    "a|x\n\n\ny\n1|2|3!ragged@5",              true },
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *got = seen(arena, slice_of(cases[i].text), cases[i].header);
        cr_expect_str_eq(got, cases[i].seen, "%s\ngives\n%s", cases[i].text, got);
    }
    arena_free(arena);
}

Test(csv, holds_its_limits)
{
    static const struct csv_limits tight = {
        .bytes = 64, .rows = 3, .columns = 2, .cell_bytes = 4};
    static const enum csv_problem problems[] = {CSV_CELL_TOO_LONG, CSV_TOO_MANY_COLUMNS,
                                                CSV_SOUND, CSV_TOO_MANY_ROWS};
    struct arena *arena = arena_new();
    struct csv *csv;
    struct csv_row row;
    cr_assert_eq(csv_open(&csv, arena, slice_of("12345,a\n1,2,3\n1,2,\n4\n5\n6"), &tight),
                 OK);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(csv_next(&row, csv), OK);
        cr_expect_eq(row.problem, problems[i], "row %zu", i);
    }
    cr_expect_eq(csv_next(&row, csv), NOT_FOUND);
    char long_text[65];
    memset(long_text, 'x', sizeof long_text);
    cr_expect_eq(csv_open(&csv, arena, (struct slice){long_text, 65}, &tight), INVALID);
    arena_free(arena);
}

Test(csv, writes_cells_that_spreadsheets_do_not_run)
{
    static const char *const cases[][2] = {
        {"plain",      "plain"            },
        {"",           ""                 },
        {"a,b",        "\"a,b\""          },
        {"say \"x\"",  "\"say \"\"x\"\"\""},
        {"two\nlines", "\"two\nlines\""   },
        {" x",         "\" x\""           },
        {"=1+1",       "'=1+1"            },
        {"+86 138",    "'+86 138"         },
        {"-12.5",      "-12.5"            },
        {"-1+1",       "'-1+1"            },
        {"@a,b",       "\"'@a,b\""        },
        {"\tx",        "\"'\tx\""         },
        {"\rx",        "\"'\rx\""         },
        {"＝1",       "'＝1"            },
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf out = buf_on(arena);
        csv_put(&out, slice_of(cases[i][0]), true);
        cr_expect_str_eq(out.data, cases[i][1]);
    }
    struct buf row = buf_on(arena);
    csv_put(&row, slice_of("a"), true);
    csv_put(&row, slice_of("b"), false);
    csv_end_row(&row);
    cr_expect_str_eq(row.data, "a,b\r\n");
    arena_free(arena);
}

static struct slice decoded_file(struct arena *arena, const char *name)
{
    struct slice file = corpus_read(arena, name);
    struct decoded decoded;
    cr_assert_eq(encoding_decode(&decoded, arena, file.bytes, file.length), OK, "%s",
                 name);
    return decoded.text;
}

/* The rows behind the header, blank ones left out, as [{header: cell}]. */
static json_t *as_objects(struct arena *arena, struct slice text, bool keep_blank)
{
    struct csv *csv;
    struct csv_row row;
    cr_assert_eq(csv_open(&csv, arena, text, &csv_import_limits), OK);
    cr_assert_eq(csv_next(&row, csv), OK);
    size_t width = csv_header(csv, &row);
    struct slice *names = ARENA_ARRAY(arena, struct slice, width);
    memcpy(names, row.cells, width * sizeof *names);
    json_t *rows = json_array();
    while (csv_next(&row, csv) == OK) {
        if (row.blank && !keep_blank)
            continue;
        json_t *object = json_object();
        for (size_t i = 0; i < width; i++)
            json_object_set_new(object,
                                arena_copy(arena, names[i].bytes, names[i].length),
                                json_stringn(row.cells[i].bytes, row.cells[i].length));
        json_array_append_new(rows, object);
    }
    return rows;
}

static json_t *as_arrays(struct arena *arena, struct slice text)
{
    struct csv *csv;
    struct csv_row row;
    cr_assert_eq(csv_open(&csv, arena, text, &csv_import_limits), OK);
    json_t *rows = json_array();
    while (csv_next(&row, csv) == OK) {
        json_t *cells = json_array();
        for (size_t i = 0; i < row.count; i++)
            json_array_append_new(cells,
                                  json_stringn(row.cells[i].bytes, row.cells[i].length));
        json_array_append_new(rows, cells);
    }
    return rows;
}

static void expect_equal(const json_t *got, const json_t *wanted, const char *name)
{
    cr_expect(json_equal(got, wanted), "%s\ngives  %s\nwanted %s", name,
              json_dumps(got, JSON_COMPACT), json_dumps(wanted, JSON_COMPACT));
}

Test(csv, reads_every_form_of_the_roster_alike)
{
    static const char *const files[] = {
        "canonical-all-quoted-cr.csv", "canonical-double-bom.csv",
        "canonical-gbk-crlf.csv",      "canonical-semicolon-bom.csv",
        "canonical-sep-line.csv",      "canonical-tab-lf.tsv",
        "canonical-utf16le-tab.txt",   "canonical-trailing-commas-empty-rows.csv",
        "canonical-utf8-bom-crlf.csv", "canonical-utf8-lf.csv"};
    struct arena *arena = arena_new();
    arena_enter(arena);
    struct slice file = corpus_read(arena, "csv/roster/canonical.expected.json");
    json_t *wanted = json_loadb(file.bytes, file.length, 0, NULL);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *name = arena_print(arena, "csv/roster/%s", files[i]);
        expect_equal(as_objects(arena, decoded_file(arena, name), false), wanted, name);
    }
    file = corpus_read(arena, "csv/roster/quoted-newlines.expected.json");
    wanted = json_loadb(file.bytes, file.length, 0, NULL);
    expect_equal(
        as_objects(arena, decoded_file(arena, "csv/roster/quoted-newlines.csv"), false),
        wanted, "quoted-newlines.csv");
    arena_enter(NULL);
    arena_free(arena);
}

Test(csv, reads_both_public_suites)
{
    struct arena *arena = arena_new();
    arena_enter(arena);
    static const char *const folders[] = {"csv/csv-spectrum", "csv/csv-test-data"};
    size_t checked = 0;
    for (size_t f = 0; f < 2; f++) {
        const char **names;
        size_t count = corpus_list(&names, arena, folders[f]);
        for (size_t i = 0; i < count; i++) {
            const char *dot = strstr(names[i], ".expected.json");
            if (dot == NULL || strstr(names[i], "location_coordinates") != NULL)
                continue; /* that expectation belongs to another file */
            struct slice file = corpus_read(arena, names[i]);
            json_t *wanted = json_loadb(file.bytes, file.length, 0, NULL);
            struct slice text = decoded_file(
                arena, arena_print(arena, "%.*s.csv", (int)(dot - names[i]), names[i]));
            bool objects = json_is_object(json_array_get(wanted, 0));
            expect_equal(objects ? as_objects(arena, text, true) : as_arrays(arena, text),
                         wanted, names[i]);
            checked++;
        }
    }
    cr_expect_gt(checked, 15);
    arena_enter(NULL);
    arena_free(arena);
}

Test(csv, reads_every_file_of_the_corpus_without_harm)
{
    struct arena *arena = arena_new();
    const char **names;
    size_t count = corpus_list(&names, arena, "csv");
    for (size_t i = 0; i < count; i++) {
        struct arena *own = arena_new();
        struct slice file = corpus_read(own, names[i]);
        seen(own, file, true);
        arena_free(own);
    }
    cr_expect_str_eq(
        seen(arena, decoded_file(arena, "csv/roster/quotes-broken.csv"), true),
        "Name|Role|Note\n"
        "Ann \"Annie\" Example|PI|quote inside unquoted cell\n"
        "Ben Example|student|text after closing quote!stray_quote@3\n"
        "Cy \"C\" Example|postdoc|ok\n"
        "Dee, Example|student|space before quote\n"
        "\"Eve Example|student|never closed!unclosed_quote@6\n"
        "Fay Example|PI|swallowed?");
    arena_free(arena);
}
