/* Splitting tagged files; see tagged.h. A line is looked at once; fields are slices of
 * the text. */
#include "server/text/tagged.h"

struct line {
    const char *from, *end; /* without the line's end */
    char tag[5];            /* "" when it has none */
    struct slice value;
};

struct tagged {
    struct slice text;
    const char *at, *end;
    size_t line; /* of `at`, from 1 */
    enum tagged_dialect dialect;
    const struct bibtex_limits *limits;
    bool marked; /* records of this EndNote file begin with %0 */
};

struct growing {
    struct arena *arena;
    struct tagged_field *list;
    size_t count, capacity;
};

static bool capital(char c)
{
    return (c >= 'A' && c <= 'Z') || text_digit(c);
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}

/* "TY  - ": two letters or digits, blanks, a hyphen, and a blank or the end. */
static bool ris_tag(struct line *line)
{
    const char *at = line->from;
    if (line->end - at < 4 || !text_letter(at[0]) ||
        !(text_letter(at[1]) || text_digit(at[1])))
        return false;
    const char *dash = at + 2;
    while (dash < line->end && (*dash == ' ' || *dash == '\t') && dash - at < 6)
        dash++;
    size_t blanks = (size_t)(dash - at) - 2 + (at[2] == '\t');
    bool capitals = capital(at[0]) && capital(at[1]);
    if (dash >= line->end || *dash != '-' || blanks == 0 || (!capitals && blanks < 2))
        return false;
    bool ended = dash + 1 == line->end || text_space(dash[1]);
    if (!ended && blanks < 2)
        return false;
    line->tag[0] = upper(at[0]);
    line->tag[1] = upper(at[1]);
    line->tag[2] = '\0';
    line->value = slice_trim(slice_between(dash + 1, line->end));
    return true;
}

/* "PT J", "ER", "RT Journal" */
static bool wos_tag(struct line *line)
{
    const char *at = line->from;
    if (line->end - at < 2 || !text_letter(at[0]) || !capital(at[0]) || !capital(at[1]) ||
        (line->end - at > 2 && at[2] != ' '))
        return false;
    memcpy(line->tag, at, 2);
    line->tag[2] = '\0';
    line->value = slice_trim(slice_between(at + 2, line->end));
    return true;
}

/* "%A Name" */
static bool endnote_tag(struct line *line)
{
    const char *at = line->from;
    if (line->end - at < 2 || at[0] != '%' || at[1] <= ' ' || at[1] >= '\x7F' ||
        (line->end - at > 2 && !text_space(at[2])))
        return false;
    line->tag[0] = at[1];
    line->tag[1] = '\0';
    line->value = slice_trim(slice_between(at + 2, line->end));
    return true;
}

/* "{Author}: Name": NoteExpress has a word for each of EndNote's letters. */
static bool express_tag(struct line *line)
{
    static const struct {
        const char *word;
        char letter;
    } words[] = {
        {"Reference Type",    '0'},
        {"Title",             'T'},
        {"Author",            'A'},
        {"Author Address",    '+'},
        {"Journal",           'J'},
        {"Secondary Title",   'B'},
        {"Book Title",        'B'},
        {"Conference Name",   'B'},
        {"Secondary Author",  'E'},
        {"Editor",            'E'},
        {"Year",              'D'},
        {"Date",              '8'},
        {"Volume",            'V'},
        {"Issue",             'N'},
        {"Pages",             'P'},
        {"Publisher",         'I'},
        {"Place Published",   'C'},
        {"Edition",           '7'},
        {"ISBN/ISSN",         '@'},
        {"Keywords",          'K'},
        {"Abstract",          'X'},
        {"Notes",             'Z'},
        {"URL",               'U'},
        {"DOI",               'R'},
        {"Language",          'G'},
        {"Type of Work",      '9'},
        {"Database Provider", 'W'},
    };
    const char *close = memchr(line->from, '}', (size_t)(line->end - line->from));
    if (line->from >= line->end || *line->from != '{' || close == NULL ||
        close + 1 >= line->end || close[1] != ':')
        return false;
    struct slice word = slice_between(line->from + 1, close);
    line->tag[0] = '?';
    line->tag[1] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (slice_like(word, words[i].word))
            line->tag[0] = words[i].letter;
    line->value = slice_trim(slice_between(close + 2, line->end));
    return true;
}

/* "PMID- 1", "AU  - Name": up to four capitals, filled with blanks, and a hyphen. */
static bool medline_tag(struct line *line)
{
    const char *at = line->from;
    size_t length = 0;
    if (line->end - at < 5 || at[4] != '-' || !text_letter(at[0]))
        return false;
    while (length < 4 && capital(at[length]))
        length++;
    for (size_t i = length; i < 4; i++)
        if (at[i] != ' ')
            return false;
    if (length < 2)
        return false;
    memcpy(line->tag, at, length);
    line->tag[length] = '\0';
    line->value = slice_trim(slice_between(at + 5, line->end));
    return true;
}

static bool find_tag(struct line *line, enum tagged_dialect dialect)
{
    line->tag[0] = '\0';
    switch (dialect) {
    case TAGGED_RIS:
        return ris_tag(line);
    case TAGGED_WOS:
    case TAGGED_REFWORKS:
        return wos_tag(line);
    case TAGGED_ENDNOTE:
        return endnote_tag(line);
    case TAGGED_EXPRESS:
        return express_tag(line);
    case TAGGED_MEDLINE:
        return medline_tag(line);
    }
    return false;
}

/* The line at `at`; returns where the next one is. CR, LF and CRLF end lines. */
static const char *read_line(struct line *line, const char *at, const char *end,
                             enum tagged_dialect dialect)
{
    line->from = at;
    while (at < end && *at != '\n' && *at != '\r')
        at++;
    line->end = at;
    if (at < end)
        at += *at == '\r' && at + 1 < end && at[1] == '\n' ? 2 : 1;
    find_tag(line, dialect);
    return at;
}

static bool blank(const struct line *line)
{
    return slice_trim(slice_between(line->from, line->end)).length == 0;
}

static bool is(const struct line *line, const char *tag)
{
    return strcmp(line->tag, tag) == 0;
}

/* Does the line begin a record, whatever stands before it? */
static bool begins(const struct tagged *t, const struct line *line)
{
    switch (t->dialect) {
    case TAGGED_RIS:
        return is(line, "TY");
    case TAGGED_WOS:
        return is(line, "PT");
    case TAGGED_ENDNOTE:
    case TAGGED_EXPRESS:
        return is(line, "0");
    case TAGGED_REFWORKS:
        return is(line, "RT");
    case TAGGED_MEDLINE:
        return is(line, "PMID");
    }
    return false;
}

static bool has_end_tag(enum tagged_dialect dialect)
{
    return dialect == TAGGED_RIS || dialect == TAGGED_WOS;
}

enum tagged_dialect tagged_dialect(struct slice text, unsigned dialects)
{
    const char *end = text.bytes + text.length;
    for (int d = TAGGED_RIS; d <= TAGGED_MEDLINE; d++) {
        struct tagged t = {.dialect = (enum tagged_dialect)d};
        const char *at = text.bytes;
        struct line line;
        if ((dialects >> d & 1) == 0)
            continue;
        for (size_t lines = 0; at < end && lines < 200; lines++) {
            at = read_line(&line, at, end, t.dialect);
            if (begins(&t, &line))
                return t.dialect;
        }
    }
    int first = TAGGED_RIS;
    while (first < TAGGED_MEDLINE && (dialects >> first & 1) == 0)
        first++;
    return (enum tagged_dialect)first;
}

struct tagged *tagged_open(struct arena *arena, struct slice text,
                           enum tagged_dialect dialect,
                           const struct bibtex_limits *limits)
{
    struct tagged *t = ARENA_NEW(arena, struct tagged);
    *t = (struct tagged){.text = text,
                         .at = text.bytes,
                         .end = text.bytes + text.length,
                         .line = 1,
                         .dialect = dialect,
                         .limits = limits};
    return t;
}

/* The line at hand stays so until take() goes behind it. */
static bool peek(struct tagged *t, struct line *line)
{
    if (t->at >= t->end)
        return false;
    read_line(line, t->at, t->end, t->dialect);
    return true;
}

static void take(struct tagged *t)
{
    struct line line;
    t->at = read_line(&line, t->at, t->end, t->dialect);
    t->line++;
}

static void grow(struct growing *fields)
{
    size_t capacity = fields->capacity == 0 ? 32 : fields->capacity * 2;
    struct tagged_field *larger =
        ARENA_ARRAY(fields->arena, struct tagged_field, capacity);
    if (fields->count > 0)
        memcpy(larger, fields->list, fields->count * sizeof *larger);
    fields->list = larger;
    fields->capacity = capacity;
}

static void add_field(struct growing *fields, const struct line *line, size_t number)
{
    if (fields->count == fields->capacity)
        grow(fields);
    struct tagged_field *field = &fields->list[fields->count++];
    *field = (struct tagged_field){.line = number, .value = line->value};
    memcpy(field->tag, line->tag, sizeof field->tag);
}

/* "ER  - not a tag" inside an abstract: an end tag has nothing behind it, or a record or
 * nothing follows. */
static bool ends_record(const struct tagged *t, const struct line *line)
{
    if (!has_end_tag(t->dialect) || !is(line, "ER"))
        return false;
    if (line->value.length == 0)
        return true;
    struct line next;
    const char *at = read_line(&next, t->at, t->end, t->dialect);
    do {
        if (at >= t->end)
            return true;
        at = read_line(&next, at, t->end, t->dialect);
    } while (blank(&next));
    return begins(t, &next);
}

/* Does the tagged line belong to the next record? `gap`: a blank line went before. */
static bool next_record(const struct tagged *t, const struct line *line, bool gap)
{
    if (begins(t, line))
        return true;
    bool by_blank = t->dialect == TAGGED_ENDNOTE || t->dialect == TAGGED_EXPRESS;
    return by_blank && gap && !t->marked;
}

static void refuse(struct tagged_record *record, const char *code, const char *reason)
{
    if (record->refused == NULL) {
        record->refused = code;
        record->reason = reason;
    }
}

/* A line without a tag goes to the value before it. */
static void continue_value(struct growing *fields, const struct line *line)
{
    struct tagged_field *field = &fields->list[fields->count - 1];
    struct slice more = slice_trim(slice_between(line->from, line->end));
    if (more.length == 0)
        return;
    field->value = field->value.length == 0
                       ? more
                       : slice_between(field->value.bytes, more.bytes + more.length);
}

/* Lines outside of records: up to a tag. False at the end. */
static bool find_record(struct tagged *t, struct line *line)
{
    while (peek(t, line)) {
        bool bare = t->dialect == TAGGED_WOS || t->dialect == TAGGED_REFWORKS;
        bool head = bare && !begins(t, line);
        bool end = has_end_tag(t->dialect) && (is(line, "ER") || is(line, "EF"));
        bool medline = t->dialect == TAGGED_MEDLINE && !begins(t, line);
        if (line->tag[0] != '\0' && !head && !end && !medline)
            return true;
        take(t);
    }
    return false;
}

/* False: the record has ended. */
static bool read_field(struct tagged *t, struct tagged_record *record,
                       struct growing *fields, const struct line *line)
{
    if (ends_record(t, line)) {
        record->unfinished = false;
        record->end_line = t->line;
        take(t);
        return false;
    }
    if (line->tag[0] == '\0' || is(line, "ER"))
        continue_value(fields, line);
    else if (fields->count < TAGGED_FIELDS)
        add_field(fields, line, t->line);
    else
        refuse(record, "too_many_fields", "more fields than an entry may have");
    take(t);
    return true;
}

static const char *last_byte(const struct tagged *t, const char *at)
{
    while (at > t->text.bytes && text_space(at[-1]))
        at--;
    return at;
}

enum result tagged_next(struct tagged_record *record, struct tagged *t,
                        struct arena *arena)
{
    struct line line;
    struct growing fields = {.arena = arena};
    if (!find_record(t, &line))
        return NOT_FOUND;
    const char *from = t->at;
    *record = (struct tagged_record){.line = t->line,
                                     .headless = !begins(t, &line),
                                     .unfinished = has_end_tag(t->dialect),
                                     .end_line = t->line};
    t->marked = t->marked || is(&line, "0");
    add_field(&fields, &line, t->line);
    take(t);
    bool gap = false;
    while (peek(t, &line)) {
        if (line.tag[0] != '\0' && next_record(t, &line, gap))
            break;
        gap = blank(&line);
        if (!read_field(t, record, &fields, &line))
            break;
    }
    record->end_line = t->line - (t->line > record->line);
    record->source = slice_between(from, last_byte(t, t->at));
    record->fields = fields.list;
    record->count = fields.count;
    if (record->source.length > TAGGED_BYTES)
        refuse(record, "too_long", "longer than an entry may be");
    for (size_t i = 0; i < fields.count; i++)
        if (fields.list[i].value.length > t->limits->value_bytes)
            refuse(record, "too_long", "a value longer than it may be");
    return OK;
}

struct slice tagged_value(const struct tagged_record *record, const char *tag)
{
    for (size_t i = 0; i < record->count; i++)
        if (record->fields[i].value.length > 0 && strcmp(record->fields[i].tag, tag) == 0)
            return record->fields[i].value;
    return (struct slice){"", 0};
}

bool tagged_entry(struct bibliography_entry *entry, const struct tagged_record *record)
{
    entry->line = record->line;
    entry->source = record->source;
    if (record->refused != NULL) {
        entry->refused = record->refused;
        entry->reason = record->reason;
        entry->refused_line = record->line;
        return false;
    }
    if (record->headless)
        bibliography_remark(entry, record->line, "missing_type", (struct slice){"", 0},
                            "the line that gives the type is missing");
    if (record->unfinished)
        bibliography_remark(entry, record->end_line, "missing_end", (struct slice){"", 0},
                            "the line that ends the entry is missing");
    return true;
}
