/* The BibTeX parser proper: entries, keys, fields, values; rules in bibtex.h. Problems
 * never stop it: a refusal is noted and reading goes on to the entry's end, and every
 * loop takes at least one byte a turn. */
#include "server/text/bibtex_private.h"

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

/* White space, and from a % to the end of its line. */
static void skip_space_and_percent(struct bibtex *b)
{
    bibtex_space(b);
    while (bibtex_peek(b) == '%') {
        while (b->at < b->scan.end && *b->at != '\n' && *b->at != '\r')
            b->at++;
        bibtex_space(b);
    }
}

void bibtex_share(struct bibtex *parser, const struct bibtex_macros *macros)
{
    parser->shared = macros;
}

const struct bibtex_macros *bibtex_defined(const struct bibtex *parser)
{
    return &parser->macros;
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
        bibtex_refuse(b, BIBTEX_TOO_MANY_MACROS, name.bytes);
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
        bibtex_refuse(b, BIBTEX_TOO_MANY_FIELDS, name.bytes);
        return;
    }
    if (name_repeated(b, name))
        bibtex_remark(b, BIBTEX_REPEATED_FIELD, name);
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
            bibtex_remark(b, BIBTEX_SURPLUS_BRACE, slice_between(here, b->at));
            return STEP_ON;
        }
        return STEP_CLOSED;
    }
    if (next >= b->scan.end || *next == '@') {
        bibtex_remark(b, BIBTEX_WRONG_CLOSER, slice_between(here, b->at));
        return STEP_CLOSED;
    }
    bibtex_remark(b, BIBTEX_NOT_A_FIELD, slice_between(here, b->at));
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
    bibtex_remark(b, BIBTEX_NOT_A_FIELD, slice_between(from, b->at));
    return STEP_ON;
}

/* One field, or whatever stands in its place. `*separated` tells if a comma went before.
 */
static enum step read_field(struct bibtex *b, bool *separated)
{
    skip_space_and_percent(b);
    while (bibtex_peek(b) == ',') {
        *separated = true;
        b->at++;
        skip_space_and_percent(b);
    }
    b->scan.stop = b->at;
    if (b->at >= b->scan.end || (*b->at == '@' && bibtex_entry_starts(&b->scan, b->at)))
        return STEP_UNCLOSED;
    if (*b->at == '}' || *b->at == ')')
        return at_closer(b);
    struct slice name = bibtex_word(b);
    if (name.length == 0)
        return skip_junk(b);
    bibtex_space(b);
    if (bibtex_peek(b) != '=') {
        bibtex_remark(b, BIBTEX_NOT_A_FIELD, name);
        return STEP_ON;
    }
    if (!*separated)
        bibtex_remark(b, BIBTEX_MISSING_COMMA, name);
    *separated = false;
    b->at++;
    bibtex_space(b);
    struct slice value;
    if (!bibtex_read_value(b, &value))
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
    bibtex_space(b);
    const char *from = b->at;
    while (b->at < b->scan.end && *b->at != ',' && *b->at != b->closer && *b->at != '}' &&
           *b->at != '\n' && *b->at != '\r') {
        if (*b->at == '=' && value_follows(b, b->at)) {
            bibtex_remark(b, BIBTEX_MISSING_KEY, (struct slice){from, 0});
            b->at = from;
            *separated = true;
            return;
        }
        b->at++;
    }
    b->entry->key = slice_trim(slice_between(from, b->at));
    if (b->entry->key.length == 0)
        bibtex_remark(b, BIBTEX_MISSING_KEY, (struct slice){from, 0});
    bibtex_space(b);
    *separated = bibtex_peek(b) == ',';
}

static bool read_entry(struct bibtex *b)
{
    bool separated = false;
    read_key(b, &separated);
    if (!read_fields(b, separated))
        return false;
    if (++b->entries > b->limits->entries) {
        bibtex_refuse(b, BIBTEX_TOO_MANY_ENTRIES, b->entry->source.bytes);
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
    bibtex_space(b);
    return bibtex_read_value(b, &value) && read_fields(b, true);
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
        bibtex_space(b);
        const char *type = b->at;
        while (b->at < b->scan.end && (text_letter(*b->at) || text_digit(*b->at) ||
                                       *b->at == '-' || *b->at == '_'))
            b->at++;
        struct slice word = slice_between(type, b->at);
        bool in_word =
            sign > b->scan.start && (text_letter(sign[-1]) || text_digit(sign[-1]));
        if (!in_word)
            bibtex_space(b);
        if (word.length == 0 || (bibtex_peek(b) != '{' && bibtex_peek(b) != '(') ||
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
    b->line += bibtex_line_ends(b->counted, entry->source.bytes, b->scan.end);
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
        bibtex_refuse(b, BIBTEX_UNCLOSED, b->scan.stop);
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
