/* Comma-separated tables (RFC 4180) as spreadsheets write them, read row by row.
 *
 * The text is well-formed UTF-8 (see encoding.h) and stays with the caller. A first line
 * "sep=;" names the separator; else it is the one of comma, semicolon and tab that stands
 * most often in the first row that has any. Lines end in LF, CR or CRLF. A quote that is
 * not closed costs its own row: that row is read again with its quotes as characters
 * (once one had no end at all, quoted cells end with their line from there on). */
#ifndef LABD_TEXT_CSV_H
#define LABD_TEXT_CSV_H

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/result.h"
#include "server/base/slice.h"

struct csv_limits {
    size_t bytes, rows, columns, cell_bytes;
};

extern const struct csv_limits csv_import_limits;

enum csv_problem {
    CSV_SOUND,
    CSV_RAGGED,         /* fewer or more cells than the header; has them all the same */
    CSV_STRAY_QUOTE,    /* text behind a closing quote, taken into the cell */
    CSV_UNCLOSED_QUOTE, /* see above */
    /* The row's cells are not to be used. */
    CSV_CELL_TOO_LONG,
    CSV_TOO_MANY_COLUMNS,
    CSV_TOO_MANY_ROWS, /* the rest is not read */
};

/* "ragged", "stray_quote", ...: a word for catalogs. */
const char *csv_problem_code(enum csv_problem problem);

struct csv_row {
    const struct slice *cells; /* valid until the next row is read; their text longer */
    size_t count;
    size_t line; /* where the row starts, from 1 */
    enum csv_problem problem;
    bool blank; /* all cells are empty or white space */
};

struct csv;

/* INVALID: longer than limits->bytes. */
MUST_USE enum result csv_open(struct csv **csv, struct arena *arena, struct slice text,
                              const struct csv_limits *limits);

/* NOT_FOUND at the end. */
MUST_USE enum result csv_next(struct csv_row *row, struct csv *csv);

/* Says that `row` was the header: from now on rows are filled up to its width with empty
 * cells, empty cells beyond it are left out, and rows that had another width are reported
 * as ragged. Returns the width: empty cells at the header's end do not count. */
size_t csv_header(struct csv *csv, const struct csv_row *row);

/* One cell, with a comma before it unless it is the row's first. A cell that a
 * spreadsheet would run as a formula (= + - @, tab, CR in front, also full-width) gets a
 * ' before it; plain negative numbers do not. */
void csv_put(struct buf *out, struct slice cell, bool first);
void csv_end_row(struct buf *out); /* CRLF */

#endif
