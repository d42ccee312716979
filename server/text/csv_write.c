/* Writing CSV that spreadsheets open without running it; see csv.h. */
#include "server/text/csv.h"

static bool plain_number(struct slice cell)
{
    for (size_t i = 1; i < cell.length; i++)
        if (!text_digit(cell.bytes[i]) && cell.bytes[i] != '.')
            return false;
    return cell.length > 1 && cell.bytes[0] == '-';
}

static bool formula(struct slice cell)
{
    static const char *const wide[] = {"＝", "＋", "－", "＠"};
    if (cell.length == 0 || plain_number(cell))
        return false;
    if (cell.bytes[0] != '\0' && strchr("=+-@\t\r", cell.bytes[0]) != NULL)
        return true;
    for (size_t i = 0; i < 4; i++)
        if (cell.length >= 3 && memcmp(cell.bytes, wide[i], 3) == 0)
            return true;
    return false;
}

void csv_put(struct buf *out, struct slice cell, bool first)
{
    bool guard = formula(cell);
    bool quote = cell.length > 0 &&
                 (text_space(cell.bytes[0]) || text_space(cell.bytes[cell.length - 1]));
    for (size_t i = 0; i < cell.length && !quote; i++)
        quote = cell.bytes[i] == ',' || cell.bytes[i] == '"' || cell.bytes[i] == ';' ||
                cell.bytes[i] == '\n' || cell.bytes[i] == '\r' || cell.bytes[i] == '\t';
    if (!first)
        buf_char(out, ',');
    if (quote)
        buf_char(out, '"');
    if (guard)
        buf_char(out, '\'');
    for (size_t i = 0; i < cell.length; i++) {
        if (cell.bytes[i] == '"')
            buf_char(out, '"');
        buf_char(out, cell.bytes[i]);
    }
    if (quote)
        buf_char(out, '"');
}

void csv_end_row(struct buf *out)
{
    buf_string(out, "\r\n");
}
