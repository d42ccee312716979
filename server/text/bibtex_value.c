/* Values of a BibTeX file: numbers, delimited texts, macros, what # joins; and noting
 * what is wrong. For bibtex.c. */
#include "server/text/bibtex_private.h"

#include "server/text/bibtex_journals.h"

size_t bibtex_line_ends(const char *from, const char *to, const char *end)
{
    size_t lines = 0;
    for (const char *at = from; at < to; at++)
        lines += *at == '\n' || (*at == '\r' && (at + 1 >= end || at[1] != '\n'));
    return lines;
}

void bibtex_refuse(struct bibtex *b, enum bibtex_problem problem, const char *at)
{
    struct bibtex_entry *entry = b->entry;
    if (entry->refused != BIBTEX_SOUND)
        return;
    entry->refused = problem;
    entry->refused_line =
        entry->line + bibtex_line_ends(entry->source.bytes, at, b->scan.end);
}

void bibtex_remark(struct bibtex *b, enum bibtex_problem problem, struct slice where)
{
    struct bibtex_entry *entry = b->entry;
    if (entry->remark_count++ >= BIBTEX_REMARKS)
        return;
    entry->remarks[entry->remark_count - 1] = (struct bibtex_remark){
        problem,
        entry->line + bibtex_line_ends(entry->source.bytes, where.bytes, b->scan.end),
        where};
}

struct slice bibtex_word(struct bibtex *b)
{
    static const bool ends[256] = {['{'] = true, ['}'] = true, ['"'] = true,
                                   ['='] = true, [','] = true, ['#'] = true};
    const char *from = b->at;
    while (b->at < b->scan.end && !ends[(unsigned char)*b->at] && !text_space(*b->at) &&
           !(*b->at == ')' && b->closer == ')'))
        b->at++;
    return slice_between(from, b->at);
}

static bool is_number(struct slice word)
{
    for (size_t i = 0; i < word.length; i++)
        if (!text_digit(word.bytes[i]))
            return false;
    return word.length > 0;
}

/* Notes that a macro gave `length` bytes; false when that is too much. */
static bool spend(struct bibtex *b, size_t length)
{
    if (length > b->limits->macro_bytes - b->macro_bytes) {
        bibtex_refuse(b, BIBTEX_TOO_MUCH_EXPANSION, b->at);
        return false;
    }
    b->macro_bytes += length;
    return true;
}

/* One part of a value; false when the entry ends in it. An empty slice at a place where
 * there is none. */
static bool read_piece(struct bibtex *b, struct slice *piece)
{
    const char *from = b->at;
    if (bibtex_peek(b) == '{' || bibtex_peek(b) == '"') {
        const char *behind = *from == '{' ? bibtex_skip_braces(&b->scan, from + 1)
                                          : bibtex_skip_quotes(&b->scan, from + 1);
        if (behind == NULL)
            return false;
        *piece = slice_between(from + 1, behind - 1);
        b->at = behind;
        return true;
    }
    *piece = bibtex_word(b);
    if (piece->length == 0) {
        bibtex_remark(b, BIBTEX_MISSING_VALUE, (struct slice){from, 0});
        return true;
    }
    if (is_number(*piece))
        return true;
    const struct bibtex_macro *macro = bibtex_macro_find(&b->macros, *piece);
    bool standard = macro != NULL && macro->standard;
    if (macro == NULL && b->shared != NULL)
        macro = bibtex_macro_find(b->shared, *piece);
    struct slice text = macro != NULL ? macro->text : bibtex_journal(*piece);
    b->entry->expanded = b->entry->expanded || !standard;
    if (text.length == 0 && macro == NULL)
        bibtex_remark(b, BIBTEX_UNDEFINED_MACRO, *piece);
    else if (spend(b, text.length))
        *piece = text;
    return true;
}

/* `whole` with `piece` behind it; a copy, at most twice the final length in all. */
struct joined {
    char *bytes;
    size_t length, capacity;
};

static void join(struct bibtex *b, struct joined *joined, struct slice piece)
{
    size_t length = joined->length + piece.length;
    if (length > b->limits->value_bytes) {
        bibtex_refuse(b, BIBTEX_TOO_LONG, b->at);
        return;
    }
    if (joined->bytes == NULL || length > joined->capacity) {
        char *old = joined->bytes;
        joined->capacity = length * 2;
        joined->bytes = arena_alloc(b->arena, joined->capacity);
        if (joined->length > 0)
            memcpy(joined->bytes, old, joined->length);
    }
    if (piece.length > 0)
        memcpy(joined->bytes + joined->length, piece.bytes, piece.length);
    joined->length = length;
}

bool bibtex_read_value(struct bibtex *b, struct slice *value)
{
    b->scan.depth = 1;
    struct joined joined = {0};
    if (!read_piece(b, value))
        return false;
    bibtex_space(b);
    while (bibtex_peek(b) == '#') {
        struct slice piece;
        b->at++;
        bibtex_space(b);
        if (!read_piece(b, &piece))
            return false;
        if (joined.bytes == NULL)
            join(b, &joined, *value);
        join(b, &joined, piece);
        *value = (struct slice){joined.bytes == NULL ? "" : joined.bytes, joined.length};
        bibtex_space(b);
    }
    if (value->length > b->limits->value_bytes)
        bibtex_refuse(b, BIBTEX_TOO_LONG, b->at);
    if (b->scan.depth > b->limits->depth)
        bibtex_refuse(b, BIBTEX_TOO_DEEP, b->at);
    return true;
}
