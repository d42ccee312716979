/* The BibTeX parser proper: entries, keys, fields, values; rules in bibtex.h. Problems
 * never stop it: a refusal is noted and reading goes on to the entry's end, and every
 * loop takes at least one byte a turn. */
#include "server/text/bibtex.h"

#include "server/text/bibtex_macro.h"
#include "server/text/bibtex_scan.h"

const struct bibtex_limits bibtex_import_limits = {.file_bytes = (size_t)128 << 20,
                                                   .entries = 500000,
                                                   .fields = 512,
                                                   .depth = 100,
                                                   .value_bytes = (size_t)1 << 20,
                                                   .macros = 100000,
                                                   .macro_bytes = (size_t)32 << 20};
const struct bibtex_limits bibtex_paste_limits = {.file_bytes = (size_t)1 << 20,
                                                  .entries = 2000,
                                                  .fields = 128,
                                                  .depth = 32,
                                                  .value_bytes = (size_t)64 << 10,
                                                  .macros = 2000,
                                                  .macro_bytes = (size_t)1 << 20};

struct bibtex {
    struct bibtex_scan scan;
    const char *at;
    const struct bibtex_limits *limits;
    struct arena *arena;
    struct bibtex_macros macros;
    struct bibtex_field *fields; /* limits->fields of them */
    size_t macro_bytes, entries;
    const char *counted; /* lines are counted up to here ... */
    size_t line;         /* ... and this is the line there */
    bool comment_unclosed;
    /* Of the entry being read: */
    struct bibtex_entry *entry;
    char closer;
    uint64_t names_seen; /* a bit a hash of a field name */
};

enum result bibtex_open(struct bibtex **parser, struct arena *arena, struct slice text,
                        const struct bibtex_limits *limits)
{
    if (text.length > limits->file_bytes)
        return INVALID;
    struct bibtex *new = ARENA_NEW(arena, struct bibtex);
    new->scan.start = new->at = new->counted = text.bytes;
    new->scan.end = text.bytes + text.length;
    new->limits = limits;
    new->arena = arena;
    new->macros = bibtex_macros_new(arena);
    new->fields = ARENA_ARRAY(arena, struct bibtex_field, limits->fields);
    new->line = 1;
    *parser = new;
    return OK;
}

/* LF, CR and CRLF each end a line. */
static size_t line_ends(const char *from, const char *to, const char *end)
{
    size_t lines = 0;
    for (const char *at = from; at < to; at++)
        lines += *at == '\n' || (*at == '\r' && (at + 1 >= end || at[1] != '\n'));
    return lines;
}

static void refuse(struct bibtex *b, enum bibtex_problem problem, const char *at)
{
    struct bibtex_entry *entry = b->entry;
    if (entry->refused != BIBTEX_SOUND)
        return;
    entry->refused = problem;
    entry->refused_line = entry->line + line_ends(entry->source.bytes, at, b->scan.end);
}

static void remark(struct bibtex *b, enum bibtex_problem problem, struct slice where)
{
    struct bibtex_entry *entry = b->entry;
    if (entry->remark_count++ >= BIBTEX_REMARKS)
        return;
    entry->remarks[entry->remark_count - 1] = (struct bibtex_remark){
        problem, entry->line + line_ends(entry->source.bytes, where.bytes, b->scan.end),
        where};
}

static char peek(const struct bibtex *b)
{
    return b->at < b->scan.end ? *b->at : '\0';
}

static void skip_space(struct bibtex *b)
{
    b->at = bibtex_skip_space(&b->scan, b->at);
}

/* White space, and from a % to the end of its line. */
static void skip_space_and_percent(struct bibtex *b)
{
    skip_space(b);
    while (peek(b) == '%') {
        while (b->at < b->scan.end && *b->at != '\n' && *b->at != '\r')
            b->at++;
        skip_space(b);
    }
}

/* A word between delimiters: a field's name, a macro, a number. */
static struct slice read_word(struct bibtex *b)
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
        refuse(b, BIBTEX_TOO_MUCH_EXPANSION, b->at);
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
    if (peek(b) == '{' || peek(b) == '"') {
        const char *behind = *from == '{' ? bibtex_skip_braces(&b->scan, from + 1)
                                          : bibtex_skip_quotes(&b->scan, from + 1);
        if (behind == NULL)
            return false;
        *piece = slice_between(from + 1, behind - 1);
        b->at = behind;
        return true;
    }
    *piece = read_word(b);
    if (piece->length == 0) {
        remark(b, BIBTEX_MISSING_VALUE, (struct slice){from, 0});
        return true;
    }
    if (is_number(*piece))
        return true;
    const struct bibtex_macro *macro = bibtex_macro_find(&b->macros, *piece);
    if (macro == NULL)
        remark(b, BIBTEX_UNDEFINED_MACRO, *piece);
    else if (spend(b, macro->text.length))
        *piece = macro->text;
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
        refuse(b, BIBTEX_TOO_LONG, b->at);
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

/* Pieces joined by #; a single one is not copied. False when the entry ends in it. */
static bool read_value(struct bibtex *b, struct slice *value)
{
    b->scan.depth = 1;
    struct joined joined = {0};
    if (!read_piece(b, value))
        return false;
    skip_space(b);
    while (peek(b) == '#') {
        struct slice piece;
        b->at++;
        skip_space(b);
        if (!read_piece(b, &piece))
            return false;
        if (joined.bytes == NULL)
            join(b, &joined, *value);
        join(b, &joined, piece);
        *value = (struct slice){joined.bytes == NULL ? "" : joined.bytes, joined.length};
        skip_space(b);
    }
    if (value->length > b->limits->value_bytes)
        refuse(b, BIBTEX_TOO_LONG, b->at);
    if (b->scan.depth > b->limits->depth)
        refuse(b, BIBTEX_TOO_DEEP, b->at);
    return true;
}

static bool equal_names(struct slice a, struct slice b)
{
    return a.length == b.length && strncasecmp(a.bytes, b.bytes, a.length) == 0;
}

static bool name_repeated(struct bibtex *b, struct slice name)
{
    uint64_t bit =
        UINT64_C(1) << ((name.length * 7 + ((unsigned)name.bytes[0] & 31)) % 64);
    bool possible = (b->names_seen & bit) != 0;
    b->names_seen |= bit;
    for (size_t i = 0; possible && i < b->entry->field_count; i++)
        if (equal_names(b->fields[i].name, name))
            return true;
    return false;
}

static void define_macro(struct bibtex *b, struct slice name, struct slice value)
{
    if (b->macros.count >= b->limits->macros)
        refuse(b, BIBTEX_TOO_MANY_MACROS, name.bytes);
    else if (b->entry->refused == BIBTEX_SOUND)
        bibtex_macro_define(&b->macros, b->arena, name, value);
}

/* @string(name = value, ...): that there may be several is btparse's custom. */
static void keep_field(struct bibtex *b, struct slice name, struct slice value)
{
    if (slice_like(b->entry->type, "string")) {
        define_macro(b, name, value);
        return;
    }
    if (b->entry->field_count == b->limits->fields) {
        refuse(b, BIBTEX_TOO_MANY_FIELDS, name.bytes);
        return;
    }
    if (name_repeated(b, name))
        remark(b, BIBTEX_REPEATED_FIELD, name);
    b->fields[b->entry->field_count++] = (struct bibtex_field){name, value};
}

/* Is `name =` at `at`? */
static bool field_starts(const struct bibtex *b, const char *at)
{
    const char *from = at;
    while (at < b->scan.end && at - from <= 64 &&
           (text_letter(*at) || text_digit(*at) || *at == '-' || *at == '_'))
        at++;
    if (at == from)
        return false;
    at = bibtex_skip_space(&b->scan, at);
    return at < b->scan.end && *at == '=';
}

enum step { STEP_ON, STEP_CLOSED, STEP_UNCLOSED };

/* At a brace or parenthesis that may close the entry. */
static enum step at_closer(struct bibtex *b)
{
    const char *here = b->at++;
    const char *next = bibtex_skip_space(&b->scan, b->at);
    if (*here == b->closer) {
        if (next < b->scan.end && *next == ',' &&
            field_starts(b, bibtex_skip_space(&b->scan, next + 1))) {
            remark(b, BIBTEX_SURPLUS_BRACE, slice_between(here, b->at));
            return STEP_ON;
        }
        return STEP_CLOSED;
    }
    if (next >= b->scan.end || *next == '@') {
        remark(b, BIBTEX_WRONG_CLOSER, slice_between(here, b->at));
        return STEP_CLOSED;
    }
    remark(b, BIBTEX_NOT_A_FIELD, slice_between(here, b->at));
    return STEP_ON;
}

/* Something between fields that is neither a name nor a closer. */
static enum step skip_junk(struct bibtex *b)
{
    const char *from = b->at;
    if (*from == '{') {
        const char *behind = bibtex_skip_braces(&b->scan, from + 1);
        if (behind == NULL)
            return STEP_UNCLOSED;
        b->at = behind;
    } else {
        b->at++;
    }
    remark(b, BIBTEX_NOT_A_FIELD, slice_between(from, b->at));
    return STEP_ON;
}

/* One field, or whatever stands in its place. `*separated` tells if a comma went before.
 */
static enum step read_field(struct bibtex *b, bool *separated)
{
    skip_space_and_percent(b);
    while (peek(b) == ',') {
        *separated = true;
        b->at++;
        skip_space_and_percent(b);
    }
    b->scan.stop = b->at;
    if (b->at >= b->scan.end || (*b->at == '@' && bibtex_entry_starts(&b->scan, b->at)))
        return STEP_UNCLOSED;
    if (*b->at == '}' || *b->at == ')')
        return at_closer(b);
    struct slice name = read_word(b);
    if (name.length == 0)
        return skip_junk(b);
    skip_space(b);
    if (peek(b) != '=') {
        remark(b, BIBTEX_NOT_A_FIELD, name);
        return STEP_ON;
    }
    if (!*separated)
        remark(b, BIBTEX_MISSING_COMMA, name);
    *separated = false;
    b->at++;
    skip_space(b);
    struct slice value;
    if (!read_value(b, &value))
        return STEP_UNCLOSED;
    keep_field(b, name, value);
    return STEP_ON;
}

/* False when the end is missing. */
static bool read_fields(struct bibtex *b, bool separated)
{
    enum step step;
    do
        step = read_field(b, &separated);
    while (step == STEP_ON);
    return step == STEP_CLOSED;
}

/* An = in a key may belong to it, or show that there is no key but a first field. */
static bool value_follows(const struct bibtex *b, const char *equals)
{
    const char *at = bibtex_skip_space(&b->scan, equals + 1);
    return at > equals + 1 ||
           (at < b->scan.end && (*at == '{' || *at == '"' || text_digit(*at)));
}

/* Leaves `separated` false when no comma follows the key. */
static void read_key(struct bibtex *b, bool *separated)
{
    skip_space(b);
    const char *from = b->at;
    while (b->at < b->scan.end && *b->at != ',' && *b->at != b->closer && *b->at != '}' &&
           *b->at != '\n' && *b->at != '\r') {
        if (*b->at == '=' && value_follows(b, b->at)) {
            remark(b, BIBTEX_MISSING_KEY, (struct slice){from, 0});
            b->at = from;
            *separated = true;
            return;
        }
        b->at++;
    }
    b->entry->key = slice_trim(slice_between(from, b->at));
    if (b->entry->key.length == 0)
        remark(b, BIBTEX_MISSING_KEY, (struct slice){from, 0});
    skip_space(b);
    *separated = peek(b) == ',';
}

static bool read_entry(struct bibtex *b)
{
    bool separated = false;
    read_key(b, &separated);
    if (!read_fields(b, separated))
        return false;
    if (++b->entries > b->limits->entries) {
        refuse(b, BIBTEX_TOO_MANY_ENTRIES, b->entry->source.bytes);
        b->at = b->scan.end;
    }
    return true;
}

/* A commented-out entry stays hidden as long as the comment ends. Once one does not, the
 * later ones are not searched to the end of the file again. */
static bool read_comment(struct bibtex *b)
{
    const char *behind =
        bibtex_skip_comment(&b->scan, b->at, b->closer, b->comment_unclosed);
    if (behind == NULL && !b->comment_unclosed) {
        b->comment_unclosed = true;
        behind = bibtex_skip_comment(&b->scan, b->at, b->closer, true);
    }
    if (behind == NULL)
        return false;
    b->at = behind;
    return true;
}

static bool read_preamble(struct bibtex *b)
{
    struct slice value;
    skip_space(b);
    return read_value(b, &value) && read_fields(b, true);
}

/* Stands nothing but a % before the @ on its line? (Blanks and further % too.) */
static bool commented_out(const struct bibtex *b, const char *sign)
{
    const char *at = sign;
    while (at > b->scan.start && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at > b->scan.start && at[-1] == '%';
}

/* Finds the next @type{ and leaves `at` behind the delimiter. An address like
 * ann@example.org (Ann) is none. */
static bool find_entry(struct bibtex *b)
{
    while (b->at < b->scan.end) {
        const char *sign = memchr(b->at, '@', (size_t)(b->scan.end - b->at));
        if (sign == NULL)
            break;
        b->at = sign + 1;
        skip_space(b);
        const char *type = b->at;
        while (b->at < b->scan.end && (text_letter(*b->at) || text_digit(*b->at) ||
                                       *b->at == '-' || *b->at == '_'))
            b->at++;
        struct slice word = slice_between(type, b->at);
        bool in_word =
            sign > b->scan.start && (text_letter(sign[-1]) || text_digit(sign[-1]));
        if (!in_word)
            skip_space(b);
        if (word.length == 0 || (peek(b) != '{' && peek(b) != '(') ||
            commented_out(b, sign))
            continue;
        b->closer = *b->at++ == '{' ? '}' : ')';
        *b->entry = (struct bibtex_entry){.type = word};
        b->entry->key = b->entry->source = (struct slice){sign, 0};
        return true;
    }
    b->at = b->scan.end;
    return false;
}

static void read_item(struct bibtex *b)
{
    struct bibtex_entry *entry = b->entry;
    b->line += line_ends(b->counted, entry->source.bytes, b->scan.end);
    b->counted = entry->source.bytes;
    entry->line = b->line;
    entry->fields = b->fields;
    b->names_seen = 0;
    bool closed;
    if (slice_like(entry->type, "comment"))
        closed = read_comment(b);
    else if (slice_like(entry->type, "string"))
        closed = read_fields(b, true);
    else if (slice_like(entry->type, "preamble"))
        closed = read_preamble(b);
    else
        closed = read_entry(b);
    if (!closed) {
        entry->refused = BIBTEX_SOUND; /* this reason says more than any before it */
        refuse(b, BIBTEX_UNCLOSED, b->scan.stop);
        b->at = b->scan.stop;
        b->entries += bibtex_is_entry(entry);
    }
    entry->source = slice_between(entry->source.bytes, b->at);
}

enum result bibtex_next(struct bibtex_entry *entry, struct bibtex *parser)
{
    parser->entry = entry;
    while (find_entry(parser)) {
        read_item(parser);
        if (bibtex_is_entry(entry) || entry->refused != BIBTEX_SOUND ||
            entry->remark_count > 0)
            return OK;
    }
    return NOT_FOUND;
}

bool bibtex_is_entry(const struct bibtex_entry *entry)
{
    return !slice_like(entry->type, "string") && !slice_like(entry->type, "preamble") &&
           !slice_like(entry->type, "comment");
}

struct slice bibtex_value(const struct bibtex_entry *entry, const char *name)
{
    for (size_t i = 0; i < entry->field_count; i++) {
        struct slice value = slice_trim(entry->fields[i].value);
        if (slice_like(entry->fields[i].name, name) && value.length > 0)
            return value;
    }
    return (struct slice){"", 0};
}
