/* Tables into files; see sheet.h. */
#include "server/text/sheet.h"

#include "server/base/log.h"
#include "server/base/utf8.h"
#include "server/text/csv.h"
#include "server/text/sheet_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sheet {
    enum sheet_format format;
    int fd;
    size_t rows;
    struct xlsx *xlsx;
};

static const struct {
    const char *name, *type, *ending;
} formats[] = {
    [SHEET_CSV] = {"csv",       "text/csv; charset=utf-8; header=present",              "csv" },
    [SHEET_CSV_PLAIN] = {"csv-plain", "text/csv; charset=utf-8; header=present",              "csv" },
    [SHEET_XLSX] = {"xlsx",
                   "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"},
    [SHEET_JSON] = {"json",      "application/json; charset=utf-8",                      "json"},
};

enum result sheet_format_of(enum sheet_format *format, const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0) {
            *format = (enum sheet_format)i;
            return OK;
        }
    return NOT_FOUND;
}

const char *sheet_type(enum sheet_format format)
{
    return formats[format].type;
}

const char *sheet_ending(enum sheet_format format)
{
    return formats[format].ending;
}

/* The shortest decimal that is this number again. */
static const char *real_text(double number)
{
    const char *text = "";
    for (int digits = 15; digits <= 17; digits++) {
        text = arena_print(arena_current(), "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

const char *sheet_text(const json_t *cell)
{
    struct arena *arena = arena_current();
    if (cell == NULL)
        return "";
    switch (json_typeof(cell)) {
    case JSON_NULL:
        return "";
    case JSON_STRING:
        return json_string_value(cell);
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_INTEGER:
        return arena_print(arena, "%" JSON_INTEGER_FORMAT, json_integer_value(cell));
    case JSON_REAL:
        return real_text(json_real_value(cell));
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    const char *text = json_dumps(cell, JSON_COMPACT | JSON_ENCODE_ANY);
    return text != NULL ? text : "";
}

/* What form_read_row() takes for the end of a word. */
static bool comes_back(const char *word)
{
    static const char *const between[] = {";", ",", "；", "，", "、", "\n"};
    size_t length = strlen(word);
    for (size_t i = 0; i < sizeof between / sizeof *between; i++)
        if (strstr(word, between[i]) != NULL)
            return false;
    return length > 0 && word[0] != '[' && !text_space(word[0]) &&
           !text_space(word[length - 1]);
}

json_t *sheet_list(json_t *words)
{
    struct buf list = buf_on(arena_current());
    size_t index;
    json_t *word;
    json_array_foreach(words, index, word)
    {
        const char *text = json_string_value(word);
        if (text == NULL || !comes_back(text))
            return json_string(json_dumps(words, JSON_COMPACT));
        buf_print(&list, "%s%s", index > 0 ? "; " : "", text);
    }
    return list.length > 0 ? json_string(list.data) : json_null();
}

static enum result put(struct sheet *sheet, const struct buf *text)
{
    const char *at = text->data, *end = text->data + text->length;
    while (at < end) {
        ssize_t written = write(sheet->fd, at, (size_t)(end - at));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            log_error("sheet.not_written", "reason", strerrordesc_np(errno));
            return FAILED;
        }
        at += written;
    }
    return OK;
}

static enum result put_csv(struct sheet *sheet, json_t *cells)
{
    struct buf row = buf_on(arena_current());
    size_t index;
    json_t *cell;
    if (sheet->rows == 0 && sheet->format == SHEET_CSV)
        buf_string(&row, "\xEF\xBB\xBF");
    json_array_foreach(cells, index, cell)
    {
        const char *text = sheet_text(cell);
        size_t length = json_is_string(cell) ? json_string_length(cell) : strlen(text);
        csv_put(&row, (struct slice){text, length}, index == 0);
    }
    csv_end_row(&row);
    sheet->rows++;
    return put(sheet, &row);
}

static enum result put_json(struct sheet *sheet, const json_t *object)
{
    struct buf row = buf_on(arena_current());
    const char *text = json_dumps(object, JSON_COMPACT);
    if (text == NULL) {
        log_error("sheet.not_json");
        return FAILED;
    }
    buf_print(&row, "%s%s", sheet->rows == 0 ? "[\n" : ",\n", text);
    sheet->rows++;
    return put(sheet, &row);
}

static enum result open_file(struct sheet *sheet)
{
    const char *folder = secure_getenv("TMPDIR");
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    sheet->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (sheet->fd >= 0)
        return OK;
    log_error("sheet.no_file", "folder", folder, "reason", strerrordesc_np(errno));
    return FAILED;
}

enum result sheet_open(struct sheet **out, struct arena *arena, enum sheet_format format,
                       const struct sheet_words *words, json_t *headings)
{
    struct sheet *sheet = ARENA_NEW(arena, struct sheet);
    enum result opened = OK;
    sheet->format = format;
    TRY(open_file(sheet));
    if (format == SHEET_XLSX)
        opened = xlsx_open(&sheet->xlsx, arena, sheet->fd, words, headings);
    else if (format != SHEET_JSON)
        opened = put_csv(sheet, headings);
    if (opened != OK)
        sheet_abandon(sheet);
    *out = opened == OK ? sheet : NULL;
    return opened;
}

enum result sheet_row(struct sheet *sheet, json_t *cells, json_t *object)
{
    switch (sheet->format) {
    case SHEET_CSV:
    case SHEET_CSV_PLAIN:
        return put_csv(sheet, cells);
    case SHEET_XLSX:
        return xlsx_row(sheet->xlsx, cells);
    case SHEET_JSON:
        return put_json(sheet, object);
    }
    return FAILED;
}

enum result sheet_close(int *fd, struct sheet *sheet)
{
    enum result closed = OK;
    if (sheet->format == SHEET_XLSX) {
        closed = xlsx_close(sheet->xlsx);
        sheet->xlsx = NULL;
    } else if (sheet->format == SHEET_JSON) {
        struct buf end = buf_on(arena_current());
        buf_string(&end, sheet->rows == 0 ? "[]\n" : "\n]\n");
        closed = put(sheet, &end);
    }
    if (closed == OK && lseek(sheet->fd, 0, SEEK_SET) != 0)
        closed = FAILED;
    if (closed != OK) {
        sheet_abandon(sheet);
        return closed;
    }
    *fd = sheet->fd;
    return OK;
}

void sheet_abandon(struct sheet *sheet)
{
    if (sheet == NULL)
        return;
    if (sheet->xlsx != NULL && xlsx_close(sheet->xlsx) != OK)
        log_debug("sheet.abandoned");
    sheet->xlsx = NULL;
    close(sheet->fd);
}
