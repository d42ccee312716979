/* The source of a template cut into tokens, and the lines found that hold tags alone.
 *
 * A line is standalone when it holds white space and tags that show nothing by
 * themselves; it then leaves no trace in the page. A partial is standalone only as the
 * one tag of its line, and so is a parent that is closed on its own line, whatever stands
 * inside. A block opened and closed on one line shows something: the line stays. */
#include "server/view/node.h"

static const char *find(const char *from, const char *end, struct slice what)
{
    return memmem(from, (size_t)(end - from), what.bytes, what.length);
}

static struct token *add(struct tokens *tokens, struct arena *arena, struct token token)
{
    if (tokens->count == tokens->capacity) {
        size_t capacity = tokens->capacity > 0 ? tokens->capacity * 2 : 64;
        struct token *items = ARENA_ARRAY(arena, struct token, capacity);
        if (tokens->count > 0)
            memcpy(items, tokens->items, tokens->count * sizeof *items);
        tokens->items = items;
        tokens->capacity = capacity;
    }
    tokens->items[tokens->count] = token;
    return &tokens->items[tokens->count++];
}

static void add_text(struct tokens *tokens, struct arena *arena, const char *source,
                     const char *from, const char *to)
{
    while (from < to) {
        const char *newline = memchr(from, '\n', (size_t)(to - from));
        const char *end = newline != NULL ? newline + 1 : to;
        add(tokens, arena,
            (struct token){
                .sigil = 't',
                .from = (uint32_t)(from - source),
                .to = (uint32_t)(end - source),
                .name = {from, (size_t)(end - from)}
        });
        from = end;
    }
}

/* "| |" between the equal signs: two delimiters without white space or "=". */
static bool read_delimiters(struct slice name, struct slice *open, struct slice *close)
{
    const char *end = name.bytes + name.length;
    const char *middle = name.bytes;
    while (middle < end && !text_space(*middle))
        middle++;
    struct slice first = {name.bytes, (size_t)(middle - name.bytes)};
    struct slice second = slice_trim(slice_between(middle, end));
    if (first.length == 0 || second.length == 0 ||
        memchr(name.bytes, '=', name.length) != NULL)
        return false;
    for (size_t i = 0; i < second.length; i++)
        if (text_space(second.bytes[i]))
            return false;
    *open = first;
    *close = second;
    return true;
}

/* What ends the tag: the delimiter, behind "}" or "=" in the tags that begin with these.
 */
static const char *tag_end(const char *from, const char *end, char sigil,
                           struct slice close, const char **behind)
{
    char bytes[1 + 32];
    struct slice stop = close;
    if ((sigil == '{' || sigil == '=') && close.length < sizeof bytes) {
        bytes[0] = sigil == '{' ? '}' : '=';
        memcpy(bytes + 1, close.bytes, close.length);
        stop = (struct slice){bytes, close.length + 1};
    }
    const char *at = find(from, end, stop);
    if (at != NULL)
        *behind = at + stop.length;
    return at;
}

/* One tag, at `tag`; `*next` is set behind it. */
static enum result add_tag(struct tokens *tokens, const struct template *template,
                           struct arena *arena, const char *tag, struct slice *open,
                           struct slice *close, const char **next,
                           struct template_problem *problem)
{
    const char *source = template->source.bytes;
    const char *end = source + template->source.length;
    const char *inside = tag + open->length;
    size_t at = (size_t)(tag - source);
    while (inside < end && text_space(*inside))
        inside++;
    char sigil = 'v';
    if (inside < end && *inside != '\0' && strchr("#^/><$!=&{", *inside) != NULL)
        sigil = *inside++;
    const char *stop = tag_end(inside, end, sigil, *close, next);
    if (stop == NULL)
        return template_complain(template, at, problem, "the tag is not closed");
    struct slice name = slice_trim(slice_between(inside, stop));
    if (sigil == '=') {
        if (!read_delimiters(name, open, close) || open->length > 32 ||
            close->length > 32)
            return template_complain(template, at, problem,
                                     "the delimiters are not two words without '='");
    } else if (name.length == 0 && sigil != '!') {
        return template_complain(template, at, problem, "the tag has no name");
    }
    add(tokens, arena,
        (struct token){.sigil = sigil,
                       .from = (uint32_t)at,
                       .to = (uint32_t)(*next - source),
                       .name = name,
                       .open = *open,
                       .close = *close});
    return OK;
}

static bool blank(const struct token *token)
{
    for (size_t i = 0; i < token->name.length; i++)
        if (!text_space(token->name.bytes[i]))
            return false;
    return true;
}

size_t token_match(const struct tokens *tokens, size_t index, size_t end)
{
    size_t depth = 0;
    for (size_t i = index; i < end; i++) {
        char sigil = tokens->items[i].sigil;
        if (strchr("#^<$", sigil) != NULL && ++depth > TEMPLATE_NESTING_MAX)
            break;
        if (sigil == '/' && --depth == 0)
            return i;
    }
    return end;
}

struct line {
    bool shows;
    size_t tags, partials;
};

static struct line look_at_line(const struct tokens *tokens, size_t from, size_t end)
{
    struct line line = {0};
    for (size_t i = from; i < end; i++) {
        struct token *token = &tokens->items[i];
        size_t match = end;
        if (token->sigil == 't') {
            line.shows |= !blank(token);
            continue;
        }
        if (token->sigil == '<' || token->sigil == '$')
            match = token_match(tokens, i, end);
        line.tags++;
        line.shows |=
            strchr("v&{", token->sigil) != NULL || (token->sigil == '$' && match < end);
        if (token->sigil == '>' || (token->sigil == '<' && match < end))
            line.partials++;
        if (token->sigil == '<' && match < end)
            i = match;
    }
    return line;
}

static void mark_line(struct tokens *tokens, size_t from, size_t end)
{
    struct line line = look_at_line(tokens, from, end);
    bool standalone =
        line.tags > 0 && !line.shows && (line.partials == 0 || line.tags == 1);
    struct token *first = &tokens->items[from];
    struct slice indent = {first->name.bytes, 0};
    if (first->sigil == 't' && blank(first) && from + 1 < end) {
        indent.length = first->name.length;
        first++;
    }
    if (first->sigil != 't') {
        first->first = true;
        first->indent = indent;
    }
    for (size_t i = from; standalone && i < end; i++) {
        struct token *token = &tokens->items[i];
        token->dropped = token->sigil == 't';
        token->standalone = true;
        if (token->sigil == '<' && token_match(tokens, i, end) < end)
            i = token_match(tokens, i, end);
    }
}

static void mark_lines(struct tokens *tokens)
{
    size_t from = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        bool last = i + 1 == tokens->count;
        if (last ||
            (token->sigil == 't' && token->name.bytes[token->name.length - 1] == '\n')) {
            mark_line(tokens, from, i + 1);
            from = i + 1;
        }
    }
}

enum result template_scan(struct tokens *out, const struct template *template,
                          struct arena *arena, struct slice open, struct slice close,
                          struct template_problem *problem)
{
    const char *source = template->source.bytes;
    const char *end = source + template->source.length;
    const char *at = source;
    *out = (struct tokens){0};
    while (at < end) {
        const char *tag = find(at, end, open);
        add_text(out, arena, source, at, tag != NULL ? tag : end);
        if (tag == NULL)
            break;
        TRY(add_tag(out, template, arena, tag, &open, &close, &at, problem));
    }
    mark_lines(out);
    return OK;
}
