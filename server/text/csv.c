/* The CSV reader; rules in csv.h. */
#include "server/text/csv.h"

const struct csv_limits csv_import_limits = {
    .bytes = (size_t)32 << 20, .rows = 100000, .columns = 256, .cell_bytes = 65536};

struct csv {
    const char *at, *end;
    struct arena *arena;
    const struct csv_limits *limits;
    char separator;
    size_t line, rows;
    size_t columns; /* 0 until the header is known */
    struct slice *cells;
    size_t read_again; /* rows with a quote that was not closed */
    bool one_line;     /* quoted cells end with their line: a quote had no end at all */
    bool quotes_off;   /* for the row being read again */
};

const char *csv_problem_code(enum csv_problem problem)
{
    static const char *const codes[] = {
        "sound",         "ragged",           "stray_quote",  "unclosed_quote",
        "cell_too_long", "too_many_columns", "too_many_rows"};
    return codes[problem];
}

static bool line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Behind the line end at `at`. */
static const char *skip_line_end(const char *at, const char *end)
{
    if (at < end && *at == '\r' && at + 1 < end && at[1] == '\n')
        return at + 2;
    return at < end ? at + 1 : at;
}

/* Counts the separators outside quotes of the row at `at`; gives the place behind it. */
static const char *count_separators(const char *at, const char *end, size_t counts[3])
{
    bool quoted = false;
    for (; at < end && (quoted || !line_end(*at)); at++) {
        quoted ^= *at == '"';
        if (!quoted) {
            counts[0] += *at == ',';
            counts[1] += *at == ';';
            counts[2] += *at == '\t';
        }
    }
    return skip_line_end(at, end);
}

static char find_separator(const char *at, const char *end)
{
    if (end - at > 65536)
        end = at + 65536;
    size_t counts[3] = {0, 0, 0};
    while (at < end && counts[0] + counts[1] + counts[2] == 0)
        at = count_separators(at, end, counts);
    size_t best = counts[1] > counts[0] ? 1 : 0;
    best = counts[2] >= counts[best] && counts[2] > 0 ? 2 : best; /* rare in text */
    return ",;\t"[best];
}

enum result csv_open(struct csv **csv, struct arena *arena, struct slice text,
                     const struct csv_limits *limits)
{
    if (text.length > limits->bytes)
        return INVALID;
    struct csv *new = ARENA_NEW(arena, struct csv);
    *new = (struct csv){.at = text.bytes,
                        .end = text.bytes + text.length,
                        .arena = arena,
                        .limits = limits,
                        .line = 1};
    new->cells = ARENA_ARRAY(arena, struct slice, limits->columns);
    if (text.length >= 5 && strncasecmp(text.bytes, "sep=", 4) == 0 &&
        text.bytes[4] != '\0' && strchr(",;\t|:", text.bytes[4]) != NULL &&
        (text.length == 5 || line_end(text.bytes[5]))) {
        new->separator = text.bytes[4];
        new->at = skip_line_end(text.bytes + 5, new->end);
        new->line = 2;
    } else {
        new->separator = find_separator(new->at, new->end);
    }
    *csv = new;
    return OK;
}

static bool cell_ends(const struct csv *csv, const char *at)
{
    return at >= csv->end || *at == csv->separator || line_end(*at);
}

static const char *skip_blanks(const struct csv *csv, const char *at)
{
    while (at < csv->end && *at != csv->separator && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The quote that closes a cell whose text starts at `at`; NULL when there is none. Tells
 * if there are doubled ones before it. */
static const char *closing_quote(const struct csv *csv, const char *at, bool *doubled)
{
    for (; at < csv->end && !(csv->one_line && line_end(*at)); at++) {
        if (*at != '"')
            continue;
        if (at + 1 >= csv->end || at[1] != '"')
            return at;
        *doubled = true;
        at++;
    }
    return NULL;
}

/* Text with doubled quotes made single, and `rest`, what stands behind the closing one.
 */
static struct slice unquoted(struct csv *csv, struct slice text, struct slice rest)
{
    char *copy = arena_alloc(csv->arena, text.length + rest.length + 1);
    size_t used = 0;
    for (size_t i = 0; i < text.length; i++) {
        copy[used++] = text.bytes[i];
        i += text.bytes[i] == '"';
    }
    if (rest.length > 0)
        memcpy(copy + used, rest.bytes, rest.length);
    return (struct slice){copy, used + rest.length};
}

static bool spans_lines(struct slice text)
{
    return memchr(text.bytes, '\n', text.length) != NULL ||
           memchr(text.bytes, '\r', text.length) != NULL;
}

/* A quoted cell; false when its quote is never closed. */
static bool read_quoted(struct csv *csv, struct csv_row *row, struct slice *cell,
                        const char *from)
{
    bool doubled = false;
    const char *close = closing_quote(csv, from, &doubled);
    if (close == NULL) {
        csv->at = csv->end;
        return false;
    }
    *cell = slice_between(from, close);
    const char *rest = close + 1;
    csv->at = skip_blanks(csv, rest);
    bool stray = !cell_ends(csv, csv->at);
    if (stray && spans_lines(*cell))
        return false; /* that was the opening quote of another cell */
    if (stray) {
        row->problem = CSV_STRAY_QUOTE;
        while (!cell_ends(csv, csv->at))
            csv->at++;
    }
    if (cell->length > csv->limits->cell_bytes)
        return true; /* refused by the caller; not worth a copy */
    if (doubled || stray)
        *cell = unquoted(csv, *cell,
                         stray ? slice_between(rest, csv->at) : (struct slice){"", 0});
    return true;
}

static bool read_cell(struct csv *csv, struct csv_row *row, struct slice *cell)
{
    const char *from = csv->at;
    const char *text = skip_blanks(csv, from);
    if (text < csv->end && *text == '"' && !csv->quotes_off)
        return read_quoted(csv, row, cell, text + 1);
    while (!cell_ends(csv, csv->at))
        csv->at++;
    *cell = slice_between(from, csv->at);
    return true;
}

static void keep_cell(struct csv *csv, struct csv_row *row, struct slice cell)
{
    if (cell.length > csv->limits->cell_bytes)
        row->problem = CSV_CELL_TOO_LONG;
    if (row->count == csv->limits->columns) {
        if (slice_trim(cell).length > 0)
            row->problem = CSV_TOO_MANY_COLUMNS;
        return;
    }
    csv->cells[row->count++] = cell;
    row->blank = row->blank && slice_trim(cell).length == 0;
}

/* False when a quote was never closed. */
static bool read_row(struct csv *csv, struct csv_row *row)
{
    while (true) {
        struct slice cell;
        if (!read_cell(csv, row, &cell))
            return false;
        keep_cell(csv, row, cell);
        if (csv->at >= csv->end || *csv->at != csv->separator)
            return true;
        csv->at++;
    }
}

static void fit_to_header(struct csv *csv, struct csv_row *row)
{
    while (row->count > csv->columns && csv->cells[row->count - 1].length == 0)
        row->count--;
    if (row->count != csv->columns && row->problem == CSV_SOUND)
        row->problem = CSV_RAGGED;
    while (row->count < csv->columns)
        csv->cells[row->count++] = (struct slice){"", 0};
}

static size_t line_ends(const char *from, const char *to)
{
    size_t lines = 0;
    for (const char *at = from; at < to;
         at = line_end(*at) ? skip_line_end(at, to) : at + 1)
        lines += line_end(*at);
    return lines;
}

/* The row at `from` with quotes as characters. So that this stays linear, from some such
 * row on no cell spans lines. */
static void read_again(struct csv *csv, struct csv_row *row, const char *from)
{
    csv->one_line = csv->one_line || csv->at >= csv->end || ++csv->read_again > 16;
    csv->quotes_off = true;
    csv->at = from;
    row->count = 0;
    row->blank = true;
    row->problem = CSV_SOUND;
    (void)read_row(csv, row); /* without quotes nothing stays open */
    csv->quotes_off = false;
    if (row->problem == CSV_SOUND)
        row->problem = CSV_UNCLOSED_QUOTE;
}

enum result csv_next(struct csv_row *row, struct csv *csv)
{
    if (csv->at >= csv->end)
        return NOT_FOUND;
    const char *from = csv->at;
    *row = (struct csv_row){.cells = csv->cells, .line = csv->line, .blank = true};
    if (++csv->rows > csv->limits->rows) {
        row->problem = CSV_TOO_MANY_ROWS;
        row->blank = false;
        csv->at = csv->end;
        return OK;
    }
    if (!read_row(csv, row))
        read_again(csv, row, from);
    csv->at = skip_line_end(csv->at, csv->end);
    csv->line += line_ends(from, csv->at);
    if (csv->columns > 0 && row->problem != CSV_TOO_MANY_COLUMNS)
        fit_to_header(csv, row);
    return OK;
}

size_t csv_header(struct csv *csv, const struct csv_row *row)
{
    csv->columns = row->count;
    while (csv->columns > 1 && slice_trim(row->cells[csv->columns - 1]).length == 0)
        csv->columns--;
    return csv->columns;
}
