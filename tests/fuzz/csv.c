/* libFuzzer: any text read as CSV; each cell written and read back is the same, unless it
 * was made safe. */
#include "server/text/csv.h"
#include "server/base/utf8.h"
#include "server/text/encoding.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void write_and_read(struct arena *arena, struct slice cell)
{
    struct buf out = buf_on(arena);
    struct csv *csv;
    struct csv_row row;
    csv_put(&out, slice_of("x"), true);
    csv_put(&out, cell, false);
    csv_end_row(&out);
    require(csv_open(&csv, arena, (struct slice){out.data, out.length},
                     &csv_import_limits) == OK);
    require(csv_next(&row, csv) == OK && row.count == 2);
    struct slice back = row.cells[1];
    bool guarded = back.length == cell.length + 1 && back.bytes[0] == '\'';
    back = guarded ? (struct slice){back.bytes + 1, back.length - 1} : back;
    require(row.problem == CSV_SOUND && back.length == cell.length &&
            memcmp(back.bytes, cell.bytes, cell.length) == 0);
    require(csv_next(&row, csv) == NOT_FOUND);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct decoded decoded;
    struct csv *csv;
    struct csv_row row;
    size_t header = 0;
    if (encoding_decode(&decoded, arena, (const char *)data, size) == OK &&
        csv_open(&csv, arena, decoded.text, &csv_import_limits) == OK)
        while (csv_next(&row, csv) == OK) {
            bool usable = row.problem < CSV_CELL_TOO_LONG;
            require(row.count >= header || !usable);
            for (size_t i = 0; i < row.count && usable && i < 8; i++)
                write_and_read(arena, row.cells[i]);
            if (header == 0 && row.line > 1 && usable)
                header = csv_header(csv, &row);
        }
    arena_free(arena);
    return 0;
}
