/* Tables into files: what stands in them byte by byte, and that a cell with several words
 * comes apart as it was put together. XLSX is read by another program in
 * tests/http/export.test.mjs. */
#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/form/submission.h"
#include "server/text/sheet.h"

#include <criterion/criterion.h>
#include <unistd.h>

static const struct sheet_words words = {"Title: *", " [cut]", "Cut",
                                         "Row",      "Column", "Length"};

static const char *written(enum sheet_format format, json_t *headings, json_t *rows)
{
    struct sheet *sheet;
    struct buf text = buf_on(arena_current());
    size_t index;
    json_t *row;
    int fd;
    cr_assert_eq(sheet_open(&sheet, arena_current(), format, &words, headings), OK);
    json_array_foreach(rows, index, row)
        cr_assert_eq(sheet_row(sheet, row, json_pack("{s:O}", "row", row)), OK);
    cr_assert_eq(sheet_close(&fd, sheet), OK);
    char piece[4096];
    ssize_t got;
    while ((got = read(fd, piece, sizeof piece)) > 0)
        buf_append(&text, piece, (size_t)got);
    close(fd);
    return text.data;
}

Test(sheet, csv_keeps_text_and_lets_nothing_run)
{
    arena_enter(arena_new());
    json_t *rows = json_pack("[[s,s,s,i,f,b,n,[s]]]", "=1+1", "00420017", "a \"b\", c",
                             -7, 0.1, 1, "x");
    const char *text = written(SHEET_CSV_PLAIN, json_pack("[s,s]", "@head", "two"), rows);
    cr_assert_str_eq(text, "'@head,two\r\n'=1+1,00420017,\"a \"\"b\"\", c\",-7,0.1,true,,"
                           "\"[\"\"x\"\"]\"\r\n");
    cr_assert_str_eq(written(SHEET_CSV, json_pack("[s]", "林"), json_array()),
                     "\xEF\xBB\xBF林\r\n");
}

Test(sheet, json_is_one_array_whatever_its_length)
{
    arena_enter(arena_new());
    const char *none = written(SHEET_JSON, json_array(), json_array());
    const char *two = written(SHEET_JSON, json_array(), json_pack("[[i],[s]]", 1, "二"));
    cr_assert_eq(json_array_size(json_loads(none, 0, NULL)), 0);
    cr_assert_eq(json_array_size(json_loads(two, 0, NULL)), 2);
}

Test(sheet, xlsx_is_a_whole_zip_even_when_empty_and_can_be_given_up)
{
    arena_enter(arena_new());
    struct sheet *sheet;
    const char *text = written(SHEET_XLSX, json_pack("[s]", "a"), json_array());
    cr_assert_arr_eq(text, "PK\3\4", 4);
    cr_assert_eq(
        sheet_open(&sheet, arena_current(), SHEET_XLSX, &words, json_pack("[s]", "a")),
        OK);
    cr_assert_eq(sheet_row(sheet, json_pack("[s]", "x"), NULL), OK);
    sheet_abandon(sheet);
    sheet_abandon(NULL);
}

/* The importer's own reading of the cell. */
static json_t *read_back(json_t *definition, const char *cell)
{
    const struct form *form;
    struct submission row;
    char problem[200];
    cr_assert_eq(
        form_load(&form, arena_current(), "t", "t", definition, problem, sizeof problem),
        OK, "%s", problem);
    struct columns columns = form_columns(form, json_pack("[s]", "f"), FOR_ADMIN);
    cr_assert_eq(form_read_row(&row, &columns, json_pack("[s]", cell), FOR_ADMIN), OK,
                 "%s", cell);
    return json_object_get(row.document, "f");
}

static json_t *choice(const char *value, const char *label)
{
    return json_pack("{s:s,s:{s:s,s:s}}", "value", value, "label", "en", label, "zh",
                     label);
}

Test(sheet, several_words_of_a_cell_come_back_as_they_were)
{
    arena_enter(arena_new());
    json_t *all = json_pack("[o,o,o]", choice("a", "Apples"),
                            choice("b", "樱桃 and plums"), choice("c-2", "x"));
    json_t *definition = json_pack(
        "{s:{s:s,s:s},s:[{s:{s:s,s:s},s:[{s:s,s:s,s:{s:s,s:s},s:O}]}]}", "title", "en",
        "t", "zh", "t", "sections", "title", "en", "t", "zh", "t", "fields", "name", "f",
        "type", "multichoice", "label", "en", "f", "zh", "f", "choices", all);
    for (int mask = 1; mask < 8; mask++) {
        json_t *values = json_array(), *labels = json_array();
        static const char *const value[] = {"a", "b", "c-2"}, *const label[] = {
                                                                  "Apples",
                                                                  "樱桃 and plums", "x"};
        for (int i = 0; i < 3; i++)
            if (mask & 1 << i) {
                json_array_append_new(values, json_string(value[i]));
                json_array_append_new(labels, json_string(label[i]));
            }
        const char *cell = json_string_value(sheet_list(values));
        cr_assert(json_equal(read_back(definition, cell), values), "%s", cell);
        cell = json_string_value(sheet_list(labels));
        cr_assert(json_equal(read_back(definition, cell), values), "%s", cell);
    }
}

Test(sheet, words_that_would_come_apart_stand_as_json)
{
    arena_enter(arena_new());
    static const char *const hard[] = {"a;b",    "a, b",       "甲，乙", "甲；乙",
                                       "甲、乙", "two\nlines", "",       " a",
                                       "a ",     "[\"a\"]"};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        json_t *list = json_pack("[s,s]", "fine", hard[i]);
        const char *cell = json_string_value(sheet_list(list));
        cr_assert(json_equal(json_loads(cell, 0, NULL), list), "%s", cell);
    }
    cr_assert(json_is_null(sheet_list(json_array())));
}
