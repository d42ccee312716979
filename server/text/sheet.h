/* A table into a file that other programs open: CSV (RFC 4180, with a byte order mark for
 * Excel or plain), XLSX (Office Open XML), or JSON, an array with one object a line. Rows
 * are written as they come: memory does not grow with their number.
 *
 * Cells are JSON values: text stays text ("00420017", "=1+1", "+86 10 ..."), numbers
 * and truth values become the sheet's own in XLSX, null is empty, arrays and objects are
 * written as JSON. In CSV what a spreadsheet would run is kept from it by a ' in front
 * (csv.h), in headings too. XLSX knows no more than 32,767 UTF-16 units a cell:
 * a longer text is cut there, ends with `words.cut` and is listed on a second page.
 * Control characters are escaped as the format has it (ECMA-376, ST_Xstring). */
#ifndef LABD_TEXT_SHEET_H
#define LABD_TEXT_SHEET_H

#include "server/base/arena.h"
#include "server/base/result.h"

#include <jansson.h>

enum sheet_format { SHEET_CSV, SHEET_CSV_PLAIN, SHEET_XLSX, SHEET_JSON };

enum { SHEET_CELL_MAX = 32767 };

struct sheet_words {
    const char *title; /* the page's name in XLSX; cut to what that may be */
    const char *cut;   /* at the end of a cell that was cut */
    const char *notes; /* name of the page that lists those, and its headings */
    const char *row, *column, *length;
};

struct sheet;

/* `headings` is an array of strings. FAILED (logged): there is no place for files. */
MUST_USE enum result sheet_open(struct sheet **sheet, struct arena *arena,
                                enum sheet_format format, const struct sheet_words *words,
                                json_t *headings);
/* `cells` for the table, `object` for JSON; the other may be NULL. INVALID: more rows or
 * columns than the format knows. */
MUST_USE enum result sheet_row(struct sheet *sheet, json_t *cells, json_t *object);
/* *fd: the file, without a name, open for reading from its start; the caller's to
 * close. FAILED (logged): it could not be written whole. The sheet is gone either way. */
MUST_USE enum result sheet_close(int *fd, struct sheet *sheet);
/* Gives it up; NULL is allowed. */
void sheet_abandon(struct sheet *sheet);

/* "csv", "csv-plain", "xlsx", "json". NOT_FOUND: another name. */
MUST_USE enum result sheet_format_of(enum sheet_format *format, const char *name);
const char *sheet_type(enum sheet_format format);   /* as Content-Type */
const char *sheet_ending(enum sheet_format format); /* "csv", "xlsx", "json" */

/* A cell as text, on the thread's current arena; "" for null and NULL. */
const char *sheet_text(const json_t *cell);

/* Several words in one cell, as form_read_row() takes them apart again: "a; b". Words
 * that would not come back as they were make it a JSON array. */
json_t *sheet_list(json_t *words);

#endif
