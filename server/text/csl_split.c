/* Finding where items begin and end; see csl_split.h. The scan knows strings and nesting,
 * no more; whether an item is JSON is jansson's to say. */
#include "server/text/csl_split.h"

enum {
    DEPTH = 32,
    ITEM_BYTES = 4 << 20,
    FAILURES = 200 /* each may cost a look at ITEM_BYTES; the rest is refused at once */
};

struct csl_split {
    const char *at, *end;
    const char *counted; /* up to here lines were counted */
    const char *text;
    size_t line;
    size_t failures;
    size_t budget; /* bytes that may yet be searched for the item behind a broken one */
    bool single;   /* one item, or none */
};

struct span {
    const char *end; /* behind the value; NULL: it does not end */
    bool deep;
};

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && text_space(*at))
        at++;
    return at;
}

/* Behind the string that opens at `at`; NULL when it has no end. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : NULL;
}

/* The value at `at`: a list or object with all in it, a string, or a word. */
static struct span skip_value(const char *at, const char *end)
{
    struct span span = {.end = NULL};
    size_t depth = 0;
    end = end - at > ITEM_BYTES ? at + ITEM_BYTES : end;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            if (at == NULL)
                return span;
        } else if (*at == '[' || *at == '{') {
            span.deep = ++depth > DEPTH || span.deep;
            at++;
        } else if (*at == ']' || *at == '}') {
            if (depth == 0)
                break;
            depth--;
            at++;
        } else if (depth == 0 && (*at == ',' || text_space(*at))) {
            break;
        } else {
            at++;
            continue;
        }
        if (depth == 0)
            break;
    }
    span.end = depth == 0 ? at : NULL;
    return span;
}

static bool key_is(const char *key, const char *behind, const char *const *names,
                   size_t count)
{
    struct slice name = slice_between(key + 1, behind - 1);
    for (size_t i = 0; i < count; i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

/* In the object at `at`: where the list of items starts, behind its bracket, or the
 * answer itself; NULL when the object is an item. */
static const char *find_items(const char *at, const char *end, bool *single)
{
    static const char *const lists[] = {"items", "references", "data"};
    static const char *const answers[] = {"message"};
    at = skip_space(at + 1, end);
    while (at < end && *at == '"') {
        const char *behind = skip_string(at, end);
        const char *value = behind == NULL ? end : skip_space(behind, end);
        if (value >= end || *value != ':')
            return NULL;
        value = skip_space(value + 1, end);
        if (value < end && *value == '[' && key_is(at, behind, lists, 3))
            return value + 1;
        if (value < end && *value == '{' && key_is(at, behind, answers, 1)) {
            const char *items = find_items(value, end, single);
            *single = items == NULL;
            return items == NULL ? value : items;
        }
        struct span span = skip_value(value, end);
        if (span.end == NULL || span.end == value)
            return NULL;
        at = skip_space(span.end, end);
        at = at < end && *at == ',' ? skip_space(at + 1, end) : end;
    }
    return NULL;
}

struct csl_split *csl_split(struct arena *arena, struct slice text)
{
    struct csl_split *split = ARENA_NEW(arena, struct csl_split);
    const char *end = text.bytes + text.length;
    const char *at = skip_space(text.bytes, end);
    *split = (struct csl_split){.at = at,
                                .end = end,
                                .counted = text.bytes,
                                .text = text.bytes,
                                .line = 1,
                                .budget = text.length * 4 + ITEM_BYTES};
    if (at < end && *at == '[') {
        split->at = at + 1;
    } else if (at < end && *at == '{') {
        split->single = true;
        bool answer = false;
        const char *items = find_items(at, end, &answer);
        split->single = items == NULL || answer;
        split->at = items == NULL ? at : items;
    }
    return split;
}

/* Calls are in the text's order. */
static size_t line_of(struct csl_split *split, const char *at)
{
    for (; split->counted < at; split->counted++)
        split->line += *split->counted == '\n' ||
                       (*split->counted == '\r' &&
                        (split->counted + 1 == split->end || split->counted[1] != '\n'));
    return split->line;
}

/* How far from the start of its line; SIZE_MAX if something else stands before. */
static size_t column_of(const struct csl_split *split, const char *at)
{
    const char *from = at;
    while (from > split->text && (from[-1] == ' ' || from[-1] == '\t'))
        from--;
    bool first = from == split->text || from[-1] == '\n' || from[-1] == '\r';
    return first ? (size_t)(at - from) : SIZE_MAX;
}

/* Where, behind a broken item, the next begins: at a { in the same column of its line, or
 * one that opens with a key that only items have. NULL: nowhere before `end`. */
static const char *next_item(const struct csl_split *split, const char *broken,
                             const char *end)
{
    static const char *const keys[] = {"id",  "type",    "title",
                                       "DOI", "indexed", "abstract"};
    size_t column = column_of(split, broken);
    for (const char *at = broken + 1; at < end; at++) {
        at = memchr(at, '{', (size_t)(end - at));
        if (at == NULL)
            return NULL;
        if (column != SIZE_MAX && column_of(split, at) == column)
            return at;
        const char *key = skip_space(at + 1, end);
        const char *behind = key < end && *key == '"' ? skip_string(key, end) : NULL;
        if (column == SIZE_MAX && behind != NULL && behind - key < 12 &&
            key_is(key, behind, keys, sizeof keys / sizeof keys[0]))
            return at;
    }
    return NULL;
}

static void refuse(struct bibliography_entry *entry, const char *code, const char *reason)
{
    entry->refused = code;
    entry->reason = reason;
    entry->refused_line = entry->line;
}

/* Whatever is wrong from `at` on: the entry ends where another can be seen to begin. */
static void give_up(struct csl_split *split, struct bibliography_entry *entry,
                    const char *at, const char *end)
{
    const char *next = NULL;
    const char *limit = end == NULL ? split->end : end;
    if ((size_t)(limit - at) > split->budget)
        limit = at + split->budget;
    if (++split->failures <= FAILURES)
        next = next_item(split, at, limit);
    split->budget -= (size_t)((next == NULL ? limit : next) - at);
    split->at = next != NULL ? next : end == NULL ? split->end : end;
    entry->source = slice_between(at, split->at);
}

static json_t *parse(struct bibliography_entry *entry)
{
    json_error_t error;
    struct slice text = entry->source;
    size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL;
    json_t *item =
        json_loadb(text.bytes, text.length, flags | JSON_REJECT_DUPLICATES, &error);
    if (item != NULL)
        return item;
    bool repeated = json_error_code(&error) == json_error_duplicate_key;
    size_t line = entry->line + (error.line > 1 ? (size_t)error.line - 1 : 0);
    if (repeated)
        item = json_loadb(text.bytes, text.length, flags, &error);
    if (item == NULL) {
        refuse(entry, "malformed", "it is not JSON");
        entry->refused_line = line;
    } else {
        bibliography_remark(entry, line, "repeated_key", (struct slice){"", 0},
                            "a key stands there twice; the last one counts");
    }
    return item;
}

/* Past the commas and stray brackets between items; false at the end. */
static bool find_item(struct csl_split *split)
{
    while (split->at < split->end &&
           (text_space(*split->at) || *split->at == ',' || *split->at == '}'))
        split->at++;
    return split->at < split->end && *split->at != ']';
}

enum result csl_split_next(json_t **item, struct bibliography_entry *entry,
                           struct csl_split *split)
{
    *item = NULL;
    if (!find_item(split))
        return NOT_FOUND;
    const char *at = split->at;
    entry->line = line_of(split, at);
    struct span span = skip_value(at, split->end);
    entry->source = slice_between(at, span.end == NULL ? split->end : span.end);
    split->at = split->single || span.end == NULL ? split->end : span.end;
    if (span.deep) {
        refuse(entry, "too_deep", "lists in lists, deeper than they may be");
        give_up(split, entry, at, span.end);
    } else if (span.end == NULL) {
        bool cut = split->end - at <= ITEM_BYTES;
        refuse(entry, cut ? "unclosed" : "too_long",
               cut ? "its end is missing" : "longer than an entry may be");
        give_up(split, entry, at, NULL);
    } else {
        *item = parse(entry);
        if (*item == NULL)
            give_up(split, entry, at, span.end);
    }
    return OK;
}
