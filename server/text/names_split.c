/* Cutting at depth 0; see names_split.h. */
#include "server/text/names_split.h"

#include "server/base/utf8.h"

#include <utf8proc.h>

struct cutter {
    struct words *out;
    struct arena *arena;
    size_t capacity;
};

static void cut(struct cutter *c, const char *from, const char *to)
{
    struct slice piece = slice_trim(slice_between(from, to));
    if (piece.length == 0)
        return;
    if (c->out->count == c->capacity) {
        size_t capacity = c->capacity == 0 ? 8 : c->capacity * 2;
        struct slice *larger = ARENA_ARRAY(c->arena, struct slice, capacity);
        if (c->out->count > 0)
            memcpy(larger, c->out->list, c->out->count * sizeof *larger);
        c->out->list = larger;
        c->capacity = capacity;
    }
    c->out->list[c->out->count++] = piece;
}

static bool starts(const char *at, const char *end, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(end - at) >= length && memcmp(at, text, length) == 0;
}

/* Is the ; at `at` that of an HTML entity (&eacute;)? */
static bool ends_entity(const char *start, const char *at)
{
    const char *from = at;
    while (from > start && at - from < 10 &&
           (text_letter(from[-1]) || text_digit(from[-1]) || from[-1] == '#'))
        from--;
    return from > start && from < at && from[-1] == '&';
}

/* How long a separator of names is at `at`; 0 when none is there. */
static size_t name_separator(const char *start, const char *at, const char *end)
{
    if (*at == ';' && !ends_entity(start, at))
        return 1;
    if (starts(at, end, "；") || starts(at, end, "、"))
        return 3;
    bool before = at == start || text_space(at[-1]) || at[-1] == '}';
    if (!before || end - at < 3 || strncasecmp(at, "and", 3) != 0)
        return 0;
    return end - at == 3 || text_space(at[3]) ? 3 : 0;
}

static size_t comma(const char *start, const char *at, const char *end)
{
    (void)start;
    return *at == ',' ? 1 : starts(at, end, "，") ? 3 : 0;
}

static size_t space_or_tie(const char *start, const char *at, const char *end)
{
    (void)end;
    bool accent = *at == '~' && at > start && at[-1] == '\\';
    return (text_space(*at) || *at == '~') && !accent;
}

/* Cuts where `separator` finds one outside braces. */
static void split(struct words *out, struct arena *arena, struct slice source,
                  size_t (*separator)(const char *, const char *, const char *))
{
    *out = (struct words){NULL, 0};
    struct cutter cutter = {out, arena, 0};
    const char *end = source.bytes + source.length;
    const char *from = source.bytes;
    size_t depth = 0;
    const char *at = from;
    while (at < end) {
        size_t length = depth == 0 ? separator(source.bytes, at, end) : 0;
        if (length > 0) {
            cut(&cutter, from, at);
            at += length;
            from = at;
            continue;
        }
        depth += *at == '{';
        depth -= *at == '}' && depth > 0;
        at++;
    }
    cut(&cutter, from, end);
}

void names_of(struct words *names, struct arena *arena, struct slice source)
{
    split(names, arena, source, name_separator);
}

void commas_of(struct words *parts, struct arena *arena, struct slice source)
{
    split(parts, arena, source, comma);
}

void words_of(struct words *words, struct arena *arena, struct slice source)
{
    split(words, arena, source, space_or_tie);
}

/* The letter that decides about a command: \oe itself, or what an accent stands on. */
static const char *command_letter(const char *at, const char *end)
{
    static const char *const letters[] = {"oe", "OE", "ae", "AE", "aa", "AA", "o",
                                          "O",  "l",  "L",  "ss", "i",  "j",  "dh",
                                          "DH", "th", "TH", "dj", "DJ", "ng", "NG"};
    const char *name = ++at;
    while (at < end && text_letter(*at))
        at++;
    struct slice word = slice_between(name, at);
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (slice_is(word, letters[i]))
            return name;
    return word.length == 0 && at < end ? at + 1 : at;
}

bool word_is_small(struct slice word)
{
    const char *at = word.bytes;
    const char *end = at + word.length;
    size_t size = 1;
    size_t depth = 0;
    bool special = false;
    for (; at < end; at += size) {
        size = 1;
        if (*at == '{') {
            depth++;
            special = special || (depth == 1 && at + 1 < end && at[1] == '\\');
        } else if (*at == '}') {
            depth -= depth > 0;
            special = special && depth > 0;
        } else if (*at == '\\' && (depth == 0 || special)) {
            at = command_letter(at, end);
            size = 0;
            special = depth > 0;
            if (at < end && text_letter(*at))
                return *at >= 'a';
        } else if (depth == 0 || special) {
            int32_t code = utf8_next(at, (size_t)(end - at), &size);
            utf8proc_category_t category = utf8proc_category(code);
            if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO)
                return category == UTF8PROC_CATEGORY_LL;
        }
    }
    return false;
}
