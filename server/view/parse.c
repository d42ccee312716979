/* Tokens become nodes: nesting, names, the place of each tag in the page, and the
 * indentation of what is included.
 *
 * A block whose opening tag stands alone on its line is kept without the indentation of
 * its first line, and gets that of the place where it is shown. In TEMPLATE_HTML nothing
 * is indented: it would change the text of <pre> and <textarea>, and lengthen pages. */
#include "server/view/html_context.h"
#include "server/view/node.h"

struct open {
    uint32_t node;
    size_t token;
    struct html_context before; /* of another branch: where the first one ended */
    bool other;
    struct slice dedent; /* outside of it */
};

/* The section closed last: {{^a}} directly behind {{#a}}...{{/a}} (or the other way
 * round) is its other branch, begins where it began and must end where it ended. */
struct closed {
    size_t token; /* its closing tag; 0: none */
    enum node_kind kind;
    struct slice name;
    struct html_context before, after;
};

struct builder {
    struct template *template;
    struct arena *arena;   /* of the template */
    struct arena *scratch; /* of the reading */
    struct tokens tokens;
    size_t at; /* the token being read */
    struct buf literals;
    struct open open[TEMPLATE_NESTING_MAX];
    size_t depth;
    struct slice dedent; /* stripped from the start of each line now */
    struct closed closed;
    bool joined;               /* the last node is text that more text may join */
    struct html_context place; /* TEMPLATE_HTML */
    struct template_problem *problem;
};

#define COMPLAIN(builder, token, ...)                                                    \
    template_complain((builder)->template, (token)->from, (builder)->problem, __VA_ARGS__)

static struct node *add(struct builder *builder, enum node_kind kind,
                        const struct token *token)
{
    struct node *node = &builder->template->nodes[builder->template->count++];
    *node =
        (struct node){.kind = kind, .span = 1, .at = token->from, .text = token->name};
    builder->joined = false;
    return node;
}

static bool html(const struct builder *builder)
{
    return builder->template->kind == TEMPLATE_HTML;
}

static bool strict(const struct builder *builder)
{
    return template_strict(builder->template);
}

static bool message(const struct builder *builder)
{
    return builder->template->kind == TEMPLATE_MESSAGE_HTML ||
           builder->template->kind == TEMPLATE_MESSAGE_TEXT;
}

static const struct open *innermost(const struct builder *builder)
{
    return builder->depth > 0 ? &builder->open[builder->depth - 1] : NULL;
}

static bool in_parent(const struct builder *builder)
{
    const struct open *open = innermost(builder);
    return open != NULL && builder->template->nodes[open->node].kind == NODE_PARENT;
}

/* How much of `text` the indentation `dedent` takes away. */
static size_t common(struct slice text, struct slice dedent)
{
    size_t n = 0;
    while (n < text.length && n < dedent.length && text.bytes[n] == dedent.bytes[n])
        n++;
    return n;
}

static struct slice without(struct slice text, struct slice dedent)
{
    size_t n = common(text, dedent);
    return (struct slice){text.bytes + n, text.length - n};
}

static bool only_space(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if (strchr(" \t\r\n", text.bytes[i]) == NULL || text.bytes[i] == '\0')
            return false;
    return true;
}

static void note_markup(struct builder *builder, struct slice text)
{
    bool found = false;
    for (size_t i = 0; i < text.length; i++)
        found |= strchr("<>\"'", text.bytes[i]) != NULL;
    for (size_t i = 0; found && i < builder->depth; i++)
        builder->template->nodes[builder->open[i].node].has_markup = true;
}

static enum result add_text(struct builder *builder, const struct token *token)
{
    const char *source = builder->template->source.bytes;
    struct slice text = token->name;
    if (token->dropped)
        return OK;
    if (in_parent(builder)) {
        if (strict(builder) && !only_space(text))
            return COMPLAIN(
                builder, token, "text between the blocks of {{<%.*s}} is lost",
                (int)builder->template->nodes[innermost(builder)->node].text.length,
                builder->template->nodes[innermost(builder)->node].text.bytes);
        return OK;
    }
    if (token->from == 0 || source[token->from - 1] == '\n')
        text = without(text, builder->dedent);
    if (text.length == 0)
        return OK;
    if (html(builder)) {
        size_t at;
        const char *reason =
            html_context_text(&builder->place, text.bytes, text.length, &at);
        if (reason != NULL)
            return template_complain(builder->template,
                                     (size_t)(text.bytes + at - source), builder->problem,
                                     "%s", reason);
        note_markup(builder, text);
    }
    /* The literals move while they grow: for now the node keeps only their length. */
    size_t before = builder->literals.length;
    if (builder->template->kind == TEMPLATE_MESSAGE_HTML)
        escape_html(&builder->literals, text.bytes, text.length);
    else
        buf_append(&builder->literals, text.bytes, text.length);
    size_t length = builder->literals.length - before;
    if (builder->joined) {
        builder->template->nodes[builder->template->count - 1].text.length += length;
        return OK;
    }
    add(builder, NODE_TEXT, token)->text = (struct slice){NULL, length};
    builder->joined = true;
    return OK;
}

static struct path split(struct builder *builder, struct slice name)
{
    if (name.length == 1 && name.bytes[0] == '.')
        return (struct path){0};
    size_t count = 1;
    for (size_t i = 0; i < name.length; i++)
        count += name.bytes[i] == '.';
    struct slice *segments = ARENA_ARRAY(builder->arena, struct slice, count);
    const char *from = name.bytes;
    const char *end = name.bytes + name.length;
    for (size_t i = 0; i < count; i++) {
        const char *dot = memchr(from, '.', (size_t)(end - from));
        const char *stop = dot != NULL ? dot : end;
        segments[i] = (struct slice){from, (size_t)(stop - from)};
        from = stop + 1;
    }
    return (struct path){segments, count};
}

static bool well_named(struct slice name)
{
    if (name.length == 1 && name.bytes[0] == '.')
        return true;
    for (size_t i = 0; i < name.length; i++) {
        char c = name.bytes[i];
        bool edge = i == 0 || i + 1 == name.length || name.bytes[i - 1] == '.';
        if ((c == '.' && edge) || strchr(" \t\r\n*{}#/<>&\"'", c) != NULL)
            return false;
    }
    return name.length > 0;
}

static enum result set_path(struct builder *builder, struct node *node,
                            const struct token *token, struct slice name)
{
    if (strict(builder) && !well_named(name))
        return COMPLAIN(builder, token, "'%.*s' is not a name", (int)name.length,
                        name.bytes);
    node->path = split(builder, name);
    return OK;
}

/* A dynamic name, behind "folder/" or "role." perhaps: this prefix stays the node's text,
 * the name behind the asterisk is its path. */
static enum result set_dynamic(struct builder *builder, struct node *node,
                               const struct token *token, char separator)
{
    struct slice name = node->text;
    const char *star = memchr(name.bytes, '*', name.length);
    if (star == NULL || (star > name.bytes && star[-1] != separator))
        return OK;
    struct slice rest = {star + 1, name.length - (size_t)(star + 1 - name.bytes)};
    while (rest.length > 0 && strchr(" \t\r\n", rest.bytes[0]) != NULL) {
        rest.bytes++;
        rest.length--;
    }
    node->dynamic = true;
    node->text.length = (size_t)(star - name.bytes);
    return set_path(builder, node, token, rest);
}

static enum result add_message(struct builder *builder, const struct token *token)
{
    if (message(builder))
        return COMPLAIN(builder, token, "a message cannot name another message");
    if (token->sigil != 'v')
        return COMPLAIN(builder, token, "messages are shown by {{%.*s}} alone",
                        (int)token->name.length, token->name.bytes);
    const char *reason = html(builder) ? html_context_message(&builder->place) : NULL;
    if (reason != NULL)
        return COMPLAIN(builder, token, "%s", reason);
    struct node *node = add(builder, NODE_MESSAGE, token);
    node->text = (struct slice){token->name.bytes + 2, token->name.length - 2};
    TRY(set_dynamic(builder, node, token, '.'));
    if (!node->dynamic && !well_named(node->text))
        return COMPLAIN(builder, token, "'%.*s' is not a name", (int)token->name.length,
                        token->name.bytes);
    return OK;
}

static bool names_message(const struct builder *builder, const struct token *token)
{
    return strict(builder) && token->name.length > 2 &&
           memcmp(token->name.bytes, "t.", 2) == 0;
}

static enum result add_variable(struct builder *builder, const struct token *token)
{
    static const char suffix[] = "_html";
    bool raw = token->sigil != 'v';
    struct slice name = token->name;
    if (names_message(builder, token))
        return add_message(builder, token);
    if (raw && strict(builder) &&
        (message(builder) || name.length < sizeof suffix - 1 ||
         memcmp(name.bytes + name.length - (sizeof suffix - 1), suffix,
                sizeof suffix - 1) != 0))
        return COMPLAIN(builder, token,
                        "only a name that ends in _html may go out without escaping");
    struct node *node = add(builder, NODE_VARIABLE, token);
    node->escape = raw ? ESCAPE_NONE : ESCAPE_HTML;
    if (builder->template->kind == TEMPLATE_TEXT ||
        builder->template->kind == TEMPLATE_MESSAGE_TEXT)
        node->escape = ESCAPE_NONE;
    const char *reason =
        html(builder) ? html_context_variable(&builder->place, raw, &node->escape) : NULL;
    if (reason != NULL)
        return COMPLAIN(builder, token, "%s", reason);
    return set_path(builder, node, token, name);
}

static enum result push(struct builder *builder, const struct token *token)
{
    if (builder->depth == TEMPLATE_NESTING_MAX)
        return COMPLAIN(builder, token, "sections are nested more than %d deep",
                        TEMPLATE_NESTING_MAX);
    builder->open[builder->depth++] = (struct open){
        .node = (uint32_t)builder->template->count - 1,
        .token = builder->at,
        .before = builder->place,
        .dedent = builder->dedent,
    };
    return OK;
}

static bool other_branch(const struct builder *builder, const struct token *token)
{
    const struct closed *closed = &builder->closed;
    return closed->token > 0 && closed->token + 1 == builder->at &&
           slice_equal(closed->name, token->name) &&
           (closed->kind == NODE_SECTION) == (token->sigil == '^');
}

static enum result add_section(struct builder *builder, const struct token *token)
{
    bool other = other_branch(builder, token);
    if (other)
        builder->place = builder->closed.before;
    const char *reason = html(builder) ? html_context_section(&builder->place) : NULL;
    if (reason != NULL)
        return COMPLAIN(builder, token, "%s", reason);
    if (names_message(builder, token))
        return add_message(builder, token);
    if (in_parent(builder) && strict(builder))
        return COMPLAIN(builder, token, "only blocks may stand in a parent");
    struct node *node =
        add(builder, token->sigil == '#' ? NODE_SECTION : NODE_INVERTED, token);
    node->inside.from = token->to;
    node->inside.open = token->open;
    node->inside.close = token->close;
    TRY(set_path(builder, node, token, token->name));
    TRY(push(builder, token));
    if (other) {
        builder->open[builder->depth - 1].before = builder->closed.after;
        builder->open[builder->depth - 1].other = true;
    }
    return OK;
}

static enum result add_partial(struct builder *builder, const struct token *token)
{
    const char *reason = html(builder) ? html_context_whole(&builder->place) : NULL;
    if (reason != NULL)
        return COMPLAIN(builder, token, "%s", reason);
    if (message(builder))
        return COMPLAIN(builder, token, "a message cannot include a template");
    if (in_parent(builder) && strict(builder))
        return COMPLAIN(builder, token, "only blocks may stand in a parent");
    bool parent = token->sigil == '<';
    struct node *node = add(builder, parent ? NODE_PARENT : NODE_PARTIAL, token);
    if (token->standalone && token->first && !html(builder))
        node->indent = without(token->indent, builder->dedent);
    TRY(set_dynamic(builder, node, token, '/'));
    return parent ? push(builder, token) : OK;
}

/* The white space before the first line of the block's content, which starts with the
 * token behind the end of the block's own line. */
static struct slice content_indent(const struct builder *builder,
                                   const struct token *token)
{
    const struct tokens *tokens = &builder->tokens;
    const char *source = builder->template->source.bytes;
    size_t close = token_match(tokens, builder->at, tokens->count);
    size_t i = builder->at + 1;
    while (i < close && !(tokens->items[i].sigil == 't' && i > 0 &&
                          source[tokens->items[i].to - 1] == '\n'))
        i++;
    i++;
    if (i < close && tokens->items[i].sigil == 't') {
        struct slice text = tokens->items[i].name;
        size_t n = 0;
        while (n < text.length && (text.bytes[n] == ' ' || text.bytes[n] == '\t'))
            n++;
        if (n < text.length || i + 1 < close)
            return (struct slice){text.bytes, n};
    } else if (i < close) {
        return (struct slice){token->indent.bytes, 0};
    }
    return token->first ? token->indent : (struct slice){token->indent.bytes, 0};
}

static void indent_block(struct builder *builder, struct node *node,
                         const struct token *token, bool overrides)
{
    if (token->standalone) {
        struct slice indent = content_indent(builder, token);
        node->indent = without(indent, builder->dedent);
        if (common(indent, builder->dedent) == builder->dedent.length)
            builder->dedent = indent;
    } else if (token->first && !overrides) {
        node->indent = without(token->indent, builder->dedent);
    }
}

static enum result add_block(struct builder *builder, const struct token *token)
{
    bool overrides = in_parent(builder);
    const char *reason = html(builder) ? html_context_section(&builder->place) : NULL;
    if (reason == NULL && html(builder) && builder->place.place != HTML_TEXT)
        reason = html_context_message(&builder->place);
    if (reason != NULL)
        return COMPLAIN(builder, token, "%s", reason);
    if (message(builder))
        return COMPLAIN(builder, token, "a message has no blocks");
    struct node *node = add(builder, NODE_BLOCK, token);
    node->alone = token->standalone;
    node->in_attribute = html(builder) && builder->place.place != HTML_TEXT;
    TRY(push(builder, token));
    if (!html(builder))
        indent_block(builder, node, token, overrides);
    return OK;
}

static enum result close_place(struct builder *builder, const struct token *token,
                               const struct open *open, const struct node *node)
{
    if (node->kind == NODE_PARENT)
        return OK;
    struct html_context after = builder->place;
    const char *reason = html_context_section(&after);
    if (reason == NULL)
        reason = html_context_join(&builder->place, &open->before);
    if (reason != NULL)
        return COMPLAIN(builder, token, "%s", reason);
    if (node->kind != NODE_BLOCK && !open->other)
        builder->closed =
            (struct closed){builder->at, node->kind, node->text, open->before, after};
    return OK;
}

static enum result close(struct builder *builder, const struct token *token)
{
    if (builder->depth == 0)
        return COMPLAIN(builder, token, "{{/%.*s}} closes nothing",
                        (int)token->name.length, token->name.bytes);
    const struct open *open = &builder->open[--builder->depth];
    const struct token *opening = &builder->tokens.items[open->token];
    struct node *node = &builder->template->nodes[open->node];
    if (!slice_equal(opening->name, token->name))
        return COMPLAIN(builder, token, "{{/%.*s}} stands where {{/%.*s}} is due",
                        (int)token->name.length, token->name.bytes,
                        (int)opening->name.length, opening->name.bytes);
    if (html(builder))
        TRY(close_place(builder, token, open, node));
    if (node->kind == NODE_SECTION || node->kind == NODE_INVERTED)
        node->inside.to = token->from;
    node->span = (uint32_t)(builder->template->count - open->node);
    builder->dedent = open->dedent;
    builder->joined = false;
    return OK;
}

static enum result read_token(struct builder *builder, const struct token *token)
{
    switch (token->sigil) {
    case 't':
        return add_text(builder, token);
    case '!':
    case '=':
        return OK;
    case '#':
    case '^':
        return add_section(builder, token);
    case '>':
    case '<':
        return add_partial(builder, token);
    case '$':
        return add_block(builder, token);
    case '/':
        return close(builder, token);
    default: /* v { & */
        if (in_parent(builder) && strict(builder))
            return COMPLAIN(builder, token, "only blocks may stand in a parent");
        return add_variable(builder, token);
    }
}

static enum result finish(struct builder *builder)
{
    struct template *template = builder->template;
    if (builder->depth > 0) {
        const struct token *token = &builder->tokens.items[innermost(builder)->token];
        return COMPLAIN(builder, token, "{{%c%.*s}} is not closed", token->sigil,
                        (int)token->name.length, token->name.bytes);
    }
    const char *reason = html(builder) ? html_context_whole(&builder->place) : NULL;
    if (reason != NULL)
        return template_complain(template, template->source.length, builder->problem,
                                 "%s", reason);
    struct node *nodes = ARENA_ARRAY(builder->arena, struct node, template->count + 1);
    memcpy(nodes, template->nodes, template->count * sizeof *nodes);
    template->nodes = nodes;
    const char *literal =
        arena_copy(builder->arena, builder->literals.data, builder->literals.length);
    for (size_t i = 0; i < template->count; i++)
        if (template->nodes[i].kind == NODE_TEXT) {
            template->nodes[i].text.bytes = literal;
            literal += template->nodes[i].text.length;
        }
    return OK;
}

static enum result build(struct builder *builder)
{
    struct template *template = builder->template;
    /* As many as there may be; kept at their true number by finish(). */
    template->nodes =
        ARENA_ARRAY(builder->scratch, struct node, builder->tokens.count + 1);
    for (; builder->at < builder->tokens.count; builder->at++)
        TRY(read_token(builder, &builder->tokens.items[builder->at]));
    return finish(builder);
}

enum result template_read_with(struct template **out, struct arena *arena,
                               enum template_kind kind, const char *file,
                               struct slice text, struct slice open, struct slice close,
                               struct template_problem *problem)
{
    struct template *template = ARENA_NEW(arena, struct template);
    template->kind = kind;
    template->file = arena_string(arena, file);
    if (text.length > TEMPLATE_SOURCE_MAX)
        return template_complain(template, 0, problem, "the template is too long");
    template->source =
        (struct slice){arena_copy(arena, text.bytes, text.length), text.length};
    struct arena *scratch = arena_new();
    struct builder *builder = ARENA_NEW(scratch, struct builder);
    builder->template = template;
    builder->arena = arena;
    builder->scratch = scratch;
    builder->literals = buf_on(scratch);
    builder->problem = problem;
    enum result result =
        template_scan(&builder->tokens, template, scratch, open, close, problem);
    if (result == OK)
        result = build(builder);
    arena_free(scratch);
    *out = result == OK ? template : NULL;
    return result;
}

enum result template_read(struct template **out, struct arena *arena,
                          enum template_kind kind, const char *file, const char *text,
                          size_t length, struct template_problem *problem)
{
    return template_read_with(out, arena, kind, file, (struct slice){text, length},
                              (struct slice){"{{", 2}, (struct slice){"}}", 2}, problem);
}
