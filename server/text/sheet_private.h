/* The XLSX part of a sheet; for sheet.c alone. */
#ifndef LABD_TEXT_SHEET_PRIVATE_H
#define LABD_TEXT_SHEET_PRIVATE_H

#include "server/text/sheet.h"

struct xlsx;

/* Writes to the open file `fd`, which stays the caller's. */
MUST_USE enum result xlsx_open(struct xlsx **xlsx, struct arena *arena, int fd,
                               const struct sheet_words *words, json_t *headings);
MUST_USE enum result xlsx_row(struct xlsx *xlsx, json_t *cells);
MUST_USE enum result xlsx_close(struct xlsx *xlsx); /* it is gone whatever the result */

#endif
