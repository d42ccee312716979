/* XLSX by libxlsxwriter, which keeps one row in memory and the rest in a file without a
 * name. Every cell of text has the format "text", so that it stays as it is when somebody
 * edits it. */
#include "server/base/buf.h"
#include "server/base/log.h"
#include "server/base/percent.h"
#include "server/base/utf8.h"
#include "server/text/sheet_private.h"

#include <stdlib.h>
#include <xlsxwriter.h>

enum { TITLE_MAX = 31, TEXT_FORMAT = 49, CUTS_LISTED = 1000 };

/* A whole number beyond 2^53 would lose digits as the double that a cell holds. */
static const json_int_t exact = (json_int_t)1 << 53;

struct cut {
    size_t row, length;
    const char *heading;
};

struct xlsx {
    lxw_workbook *book;
    lxw_worksheet *page;
    lxw_format *text, *heading;
    struct sheet_words words;
    json_t *headings;
    size_t rows, cut_count;
    struct cut cuts[CUTS_LISTED];
};

static enum result fault(lxw_error error)
{
    log_error("sheet.xlsx", "reason", lxw_strerror(error));
    return FAILED;
}

/* Would a reader take it for an escaped character (ECMA-376, ST_Xstring: _xHHHH_)? */
static bool looks_escaped(const char *text, size_t length)
{
    if (length < 7 || text[0] != '_' || text[1] != 'x' || text[6] != '_')
        return false;
    for (int i = 2; i < 6; i++)
        if (hex_digit(text[i]) < 0)
            return false;
    return true;
}

/* What XML 1.0 (2.2) can't write: libxlsxwriter escapes control characters, not these. */
static bool unwritable(int32_t code)
{
    return code == 0 || code == 0xFFFE || code == 0xFFFF;
}

/* Well-formed and writable, of at most `most` UTF-16 units; *units is what all of it
 * takes. */
static const char *cell_text(const char *text, size_t length, size_t most, size_t *units)
{
    struct buf out = buf_on(arena_current());
    size_t size;
    *units = 0;
    for (size_t at = 0; at < length; at += size) {
        int32_t code = utf8_next(text + at, length - at, &size);
        *units += code > 0xFFFF ? 2 : 1;
        if (*units > most)
            continue;
        if (looks_escaped(text + at, length - at))
            buf_string(&out, "_x005F_");
        else if (unwritable(code) || code == 0xFFFD)
            buf_string(&out, "\xEF\xBF\xBD");
        else
            buf_append(&out, text + at, size);
    }
    return out.data;
}

static const char *whole_or_cut(struct xlsx *xlsx, size_t column, const char *text,
                                size_t length)
{
    size_t units, ignored;
    const char *fit = cell_text(text, length, SHEET_CELL_MAX, &units);
    if (units <= SHEET_CELL_MAX)
        return fit;
    size_t mark = 0;
    (void)cell_text(xlsx->words.cut, strlen(xlsx->words.cut), SHEET_CELL_MAX, &mark);
    if (xlsx->cut_count < CUTS_LISTED)
        xlsx->cuts[xlsx->cut_count++] =
            (struct cut){xlsx->rows + 1, units,
                         json_string_value(json_array_get(xlsx->headings, column))};
    return arena_print(arena_current(), "%s%s",
                       cell_text(text, length, SHEET_CELL_MAX - mark, &ignored),
                       xlsx->words.cut);
}

static lxw_error put_text(lxw_worksheet *page, size_t row, size_t column,
                          const char *text, lxw_format *format)
{
    return worksheet_write_string(page, (lxw_row_t)row, (lxw_col_t)column, text, format);
}

static lxw_error put_cell(struct xlsx *xlsx, size_t column, const json_t *cell)
{
    lxw_row_t row = (lxw_row_t)xlsx->rows;
    lxw_col_t at = (lxw_col_t)column;
    json_int_t whole = json_integer_value(cell);
    if (cell == NULL || json_is_null(cell))
        return LXW_NO_ERROR;
    if (json_is_boolean(cell))
        return worksheet_write_boolean(xlsx->page, row, at, json_is_true(cell), NULL);
    if (json_is_real(cell) ||
        (json_is_integer(cell) && whole >= -exact && whole <= exact))
        return worksheet_write_number(xlsx->page, row, at, json_number_value(cell), NULL);
    const char *text = sheet_text(cell);
    size_t length = json_is_string(cell) ? json_string_length(cell) : strlen(text);
    if (length == 0)
        return LXW_NO_ERROR;
    return put_text(xlsx->page, xlsx->rows, column,
                    whole_or_cut(xlsx, column, text, length), xlsx->text);
}

/* A page's name has no []:*?/\ and no ' at its ends. */
static const char *page_name(const char *title)
{
    size_t units;
    char *name =
        arena_string(arena_current(), cell_text(title, strlen(title), TITLE_MAX, &units));
    for (char *c = name; *c != '\0'; c++)
        if (strchr("[]:*?/\\'\t\n\r", *c) != NULL)
            *c = '-';
    return *name != '\0' ? name : "-";
}

enum result xlsx_open(struct xlsx **out, struct arena *arena, int fd,
                      const struct sheet_words *words, json_t *headings)
{
    struct xlsx *xlsx = ARENA_NEW(arena, struct xlsx);
    const char *folder = secure_getenv("TMPDIR");
    lxw_workbook_options options = {
        .constant_memory = LXW_TRUE,
        .tmpdir =
            arena_string(arena, folder != NULL && *folder != '\0' ? folder : "/tmp")};
    size_t index;
    json_t *heading;
    xlsx->words = *words;
    xlsx->headings = headings;
    xlsx->book = workbook_new_opt(arena_print(arena, "/proc/self/fd/%d", fd), &options);
    if (xlsx->book == NULL)
        return fault(LXW_ERROR_MEMORY_MALLOC_FAILED);
    xlsx->page = workbook_add_worksheet(xlsx->book, page_name(words->title));
    xlsx->text = workbook_add_format(xlsx->book);
    xlsx->heading = workbook_add_format(xlsx->book);
    *out = xlsx;
    if (xlsx->page == NULL || xlsx->text == NULL || xlsx->heading == NULL)
        return fault(LXW_ERROR_MEMORY_MALLOC_FAILED);
    format_set_num_format_index(xlsx->text, TEXT_FORMAT);
    format_set_num_format_index(xlsx->heading, TEXT_FORMAT);
    format_set_bold(xlsx->heading);
    worksheet_set_column(xlsx->page, 0, (lxw_col_t)json_array_size(headings), 18, NULL);
    worksheet_freeze_panes(xlsx->page, 1, 0);
    json_array_foreach(headings, index, heading)
    {
        lxw_error error = put_text(
            xlsx->page, 0, index,
            whole_or_cut(xlsx, index, sheet_text(heading), json_string_length(heading)),
            xlsx->heading);
        if (error != LXW_NO_ERROR)
            return fault(error);
    }
    xlsx->rows = 1;
    return OK;
}

enum result xlsx_row(struct xlsx *xlsx, json_t *cells)
{
    size_t index;
    json_t *cell;
    if (xlsx->rows >= LXW_ROW_MAX || json_array_size(cells) > LXW_COL_MAX)
        return INVALID;
    json_array_foreach(cells, index, cell)
    {
        lxw_error error = put_cell(xlsx, index, cell);
        if (error != LXW_NO_ERROR)
            return fault(error);
    }
    xlsx->rows++;
    return OK;
}

/* The page that says what was cut. */
static lxw_error put_cuts(struct xlsx *xlsx)
{
    const char *const headings[] = {xlsx->words.row, xlsx->words.column,
                                    xlsx->words.length};
    lxw_worksheet *page =
        workbook_add_worksheet(xlsx->book, page_name(xlsx->words.notes));
    lxw_error error = page == NULL ? LXW_ERROR_MEMORY_MALLOC_FAILED : LXW_NO_ERROR;
    for (size_t i = 0; i < 3 && error == LXW_NO_ERROR; i++)
        error = put_text(page, 0, i, headings[i], xlsx->heading);
    for (size_t i = 0; i < xlsx->cut_count && error == LXW_NO_ERROR; i++) {
        const struct cut *cut = &xlsx->cuts[i];
        lxw_row_t row = (lxw_row_t)(i + 1);
        size_t units;
        error = worksheet_write_number(page, row, 0, (double)cut->row, NULL);
        if (error == LXW_NO_ERROR)
            error = put_text(page, row, 1,
                             cell_text(cut->heading, strlen(cut->heading), 1000, &units),
                             xlsx->text);
        if (error == LXW_NO_ERROR)
            error = worksheet_write_number(page, row, 2, (double)cut->length, NULL);
    }
    return error;
}

enum result xlsx_close(struct xlsx *xlsx)
{
    lxw_error error = xlsx->cut_count > 0 ? put_cuts(xlsx) : LXW_NO_ERROR;
    lxw_error closed = workbook_close(xlsx->book);
    if (error == LXW_NO_ERROR)
        error = closed;
    return error == LXW_NO_ERROR ? OK : fault(error);
}
