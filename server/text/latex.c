/* LaTeX to text, one character or command a step; the rules are in latex.h. Groups are
 * kept on a small stack; beyond its depth braces are ignored. */
#include "server/text/latex.h"

#include "server/base/utf8.h"
#include "server/text/latex_out.h"
#include "server/text/latex_symbol.h"

enum { DEPTH = 48 };

enum group_kind { GROUP_PLAIN, GROUP_SCRIPT, GROUP_FRACTION, GROUP_QUOTE };

/* What changes inside braces and is as before behind them. */
struct group {
    enum group_kind kind;
    enum latex_script script;
    size_t start; /* of a script, in the output */
    bool math, address, in_script;
};

struct latex {
    const char *at, *end;
    struct latex_out out;
    struct group stack[DEPTH];
    size_t depth;      /* of the current group, stack[depth] */
    size_t beyond;     /* braces open past the stack */
    struct group next; /* for the group or single character that follows a command */
    bool expecting;    /* there is such a command */
};

static struct group *current(struct latex *l)
{
    return &l->stack[l->depth];
}

static void expect(struct latex *l, struct group next)
{
    struct group *now = current(l);
    next.math = next.math || now->math;
    next.address = next.address || now->address;
    next.in_script = now->in_script || next.kind == GROUP_SCRIPT;
    if (next.kind == GROUP_SCRIPT) {
        next.start = latex_script_start(&l->out);
        if (now->in_script) /* a script of a script stays as it is */
            next.kind = GROUP_PLAIN;
    }
    l->next = next;
    l->expecting = true;
}

/* What is owed at the end of a group, or of the single character in its place. */
static void leave(struct latex *l, struct group group)
{
    if (l->out.mark_count > 0)
        latex_drop_marks(&l->out);
    switch (group.kind) {
    case GROUP_PLAIN:
        break;
    case GROUP_SCRIPT:
        latex_script(&l->out, group.start, group.script);
        break;
    case GROUP_FRACTION:
        latex_put(&l->out, '/');
        break;
    case GROUP_QUOTE:
        latex_put(&l->out, 0x201D);
        break;
    }
}

static void open_group(struct latex *l)
{
    struct group group = *current(l);
    group.kind = GROUP_PLAIN;
    if (l->expecting)
        group = l->next;
    l->expecting = false;
    if (l->depth + 1 == DEPTH) {
        l->beyond++;
        return;
    }
    l->stack[++l->depth] = group;
    if (group.kind == GROUP_QUOTE)
        latex_put(&l->out, 0x201C);
}

static void close_group(struct latex *l)
{
    if (l->beyond > 0) {
        l->beyond--;
    } else if (l->depth > 0) {
        struct group group = *current(l);
        l->depth--;
        leave(l, group);
    }
}

static void skip_space(struct latex *l)
{
    while (l->at < l->end && text_space(*l->at))
        l->at++;
}

/* Past a group whose content is no text, or an option in brackets. */
static void skip_argument(struct latex *l)
{
    skip_space(l);
    if (l->at >= l->end || *l->at != '{')
        return;
    size_t depth = 0;
    do {
        depth += *l->at == '{';
        depth -= *l->at == '}';
        l->at++;
    } while (l->at < l->end && depth > 0);
}

/* The name behind a backslash: letters, or one other character. */
static struct slice read_name(struct latex *l)
{
    const char *from = l->at;
    while (l->at < l->end && text_letter(*l->at))
        l->at++;
    if (l->at == from && l->at < l->end) {
        size_t size;
        utf8_next(l->at, (size_t)(l->end - l->at), &size);
        l->at += size;
    }
    return slice_between(from, l->at);
}

/* "&name;" at `from`, where the & is: puts the character and tells how long that was. */
static size_t put_entity(struct latex *l, const char *from)
{
    const char *at = from + 1;
    while (at < l->end && at - from < 10 &&
           (text_letter(*at) || text_digit(*at) || *at == '#'))
        at++;
    if (at >= l->end || *at != ';')
        return 0;
    char bytes[9];
    size_t length = latex_entity(bytes, slice_between(from + 1, at));
    if (length == 0)
        return 0;
    bytes[length] = '\0';
    latex_put_text(&l->out, bytes);
    return (size_t)(at + 1 - from);
}

static void known_command(struct latex *l, struct latex_meaning meaning)
{
    switch (meaning.command) {
    case LATEX_UNKNOWN:
    case LATEX_SYMBOL:
    case LATEX_MATH_SYMBOL:
        latex_put_text(&l->out, meaning.text);
        break;
    case LATEX_ACCENT:
        latex_put_mark(&l->out, meaning.mark);
        break;
    case LATEX_SUPERSCRIPT:
        expect(l, (struct group){.kind = GROUP_SCRIPT, .script = SCRIPT_UP});
        break;
    case LATEX_SUBSCRIPT:
        expect(l, (struct group){.kind = GROUP_SCRIPT, .script = SCRIPT_DOWN});
        break;
    case LATEX_MATH:
        expect(l, (struct group){.math = true});
        break;
    case LATEX_ADDRESS:
        expect(l, (struct group){.address = true});
        break;
    case LATEX_FRACTION:
        expect(l, (struct group){.kind = GROUP_FRACTION});
        break;
    case LATEX_QUOTE:
        expect(l, (struct group){.kind = GROUP_QUOTE});
        break;
    case LATEX_DROP:
        skip_argument(l);
        break;
    }
}

static void command(struct latex *l)
{
    const char *backslash = l->at++;
    struct slice name = read_name(l);
    bool word = name.length > 0 && text_letter(name.bytes[0]);
    if (name.length > 0 && name.bytes[0] == '&') {
        size_t length = put_entity(l, backslash + 1);
        if (length > 0) {
            l->at = backslash + 1 + length;
            return;
        }
    }
    if (name.length > 0 && text_space(name.bytes[0])) {
        latex_put_space(&l->out);
        return;
    }
    if (slice_is(name, "(") || slice_is(name, "[") || slice_is(name, ")") ||
        slice_is(name, "]")) {
        current(l)->math = name.bytes[0] == '(' || name.bytes[0] == '[';
        return;
    }
    struct latex_meaning meaning = latex_meaning(name);
    bool space_counts = meaning.command == LATEX_MATH_SYMBOL ||
                        (meaning.command == LATEX_SYMBOL && current(l)->math);
    if (word && !space_counts)
        skip_space(l);
    known_command(l, meaning);
}

static bool next_is(const struct latex *l, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(l->end - l->at) >= length && memcmp(l->at, text, length) == 0;
}

/* Dashes and quotes made of several characters. */
static void ligature(struct latex *l)
{
    static const struct {
        const char *text;
        int32_t code;
    } all[] = {
        {"---", 0x2014},
        {"--",  0x2013},
        {"``",  0x201C},
        {"''",  0x201D},
        {"`",   0x2018}
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (next_is(l, all[i].text)) {
            l->at += strlen(all[i].text);
            latex_put(&l->out, all[i].code);
            return;
        }
    latex_put(&l->out, *l->at++);
}

static void close_html(struct latex *l, enum latex_script script)
{
    if (l->depth > 0 && current(l)->kind == GROUP_SCRIPT && current(l)->script == script)
        close_group(l);
}

/* An HTML tag that means something for text, or a < that is only a character. */
static void tag(struct latex *l)
{
    static const char *const dropped[] = {"i",         "b",
                                          "em",        "strong",
                                          "u",         "p",
                                          "br",        "span",
                                          "a",         "scp",
                                          "tt",        "italic",
                                          "bold",      "small",
                                          "big",       "font",
                                          "div",       "li",
                                          "ul",        "ol",
                                          "sc",        "inline-formula",
                                          "tex-math",  "title",
                                          "jats:p",    "jats:title",
                                          "jats:sec",  "jats:italic",
                                          "jats:bold", "roman"};
    const char *at = l->at + 1;
    bool closing = at < l->end && *at == '/';
    at += closing;
    const char *from = at;
    while (at < l->end && at - from < 16 &&
           (text_letter(*at) || *at == ':' || *at == '-'))
        at++;
    struct slice name = slice_between(from, at);
    const char *behind_name = at;
    bool attributes = false; /* "a<b and c>d" has none, and is no tag */
    for (; at < l->end && at - from < 512 && *at != '>' && *at != '<'; at++)
        attributes = attributes || *at == '=' || *at == '/';
    bool whole = at < l->end && *at == '>' && (attributes || at == behind_name);
    bool up = slice_like(name, "sup");
    bool down = slice_like(name, "sub") || slice_like(name, "inf");
    bool drop = up || down;
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0] && !drop; i++)
        drop = slice_like(name, dropped[i]);
    if (!whole || !drop) {
        latex_put(&l->out, *l->at++);
        return;
    }
    l->at = at + 1;
    if (slice_like(name, "br") || slice_like(name, "p") || slice_like(name, "jats:p"))
        latex_put_space(&l->out);
    if ((up || down) && closing) {
        close_html(l, up ? SCRIPT_UP : SCRIPT_DOWN);
    } else if (up || down) {
        expect(l, (struct group){.kind = GROUP_SCRIPT,
                                 .script = up ? SCRIPT_UP : SCRIPT_DOWN});
        open_group(l);
    }
}

static void plain(struct latex *l)
{
    size_t size;
    latex_put(&l->out, utf8_next(l->at, (size_t)(l->end - l->at), &size));
    l->at += size;
}

/* Inside \url{}: nothing but escapes. */
static void address_step(struct latex *l)
{
    bool escape = *l->at == '\\' && l->at + 1 < l->end && !text_letter(l->at[1]) &&
                  !(l->at[1] == '~' && l->at + 2 < l->end && l->at[2] == '{');
    if (*l->at == '\\' && !escape) {
        command(l);
        return;
    }
    l->at += escape;
    if (text_space(*l->at))
        l->at++;
    else
        plain(l);
}

static void dollar(struct latex *l)
{
    l->at += next_is(l, "$$") ? 2 : 1;
    current(l)->math = !current(l)->math;
}

static void script_sign(struct latex *l)
{
    enum latex_script script = *l->at == '^' ? SCRIPT_UP : SCRIPT_DOWN;
    if (!current(l)->math) {
        latex_put(&l->out, *l->at++);
        return;
    }
    l->at++;
    skip_space(l);
    expect(l, (struct group){.kind = GROUP_SCRIPT, .script = script});
}

static void step(struct latex *l)
{
    char c = *l->at;
    if (c == '{' || c == '}') {
        l->at++;
        if (c == '{')
            open_group(l);
        else
            close_group(l);
    } else if (current(l)->address) {
        address_step(l);
    } else if (c == '\\') {
        command(l);
    } else if (c == '$') {
        dollar(l);
    } else if (c == '^' || c == '_') {
        script_sign(l);
    } else if (c == '~') {
        latex_put_space(&l->out);
        l->at++;
    } else if ((c == '-' || c == '`' || c == '\'') && !current(l)->math) {
        ligature(l);
    } else if (c == '<') {
        tag(l);
    } else if (c == '&') {
        size_t length = put_entity(l, l->at);
        l->at += length > 0 ? length : 1;
        if (length == 0)
            latex_put(&l->out, c);
    } else {
        plain(l);
    }
}

/* A command that waits for an argument takes a single character or command as well. */
static void step_or_argument(struct latex *l)
{
    if (!l->expecting || *l->at == '{') {
        step(l);
        return;
    }
    struct group wanted = l->next;
    l->expecting = false;
    if (*l->at == '}' || *l->at == '$')
        return;
    size_t before = l->out.buf.length;
    step(l);
    if (l->expecting || l->out.mark_count > 0 || wanted.kind == GROUP_QUOTE)
        return;
    if (l->out.buf.length == before && l->at < l->end && *l->at == '{') {
        l->next = wanted; /* ^\mathrm{th}: a command before the argument */
        l->expecting = true;
        return;
    }
    leave(l, wanted);
}

static struct slice convert(struct arena *arena, struct slice source, bool address)
{
    struct latex l = {.at = source.bytes, .end = source.bytes + source.length};
    l.out.buf = buf_on(arena);
    buf_reserve(&l.out.buf, source.length + 8);
    l.stack[0].address = address;
    while (l.at < l.end)
        step_or_argument(&l);
    return latex_finish(&l.out);
}

struct slice latex_text(struct arena *arena, struct slice source)
{
    return convert(arena, source, false);
}

struct slice latex_address(struct arena *arena, struct slice source)
{
    return convert(arena, source, true);
}
