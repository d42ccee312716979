/* Markup of databases to text; see plain.h. */
#include "server/text/plain.h"

#include "server/base/utf8.h"
#include "server/text/latex_out.h"
#include "server/text/latex_symbol.h"

struct plain {
    struct latex_out out;
    const char *at, *end;
    size_t script_start; /* of the open <sub> or <sup> */
    enum latex_script script;
    bool unclosed; /* a <script> without its end was met */
};

static const char *const spacing[] = {
    "p",     "br",   "div", "li", "ul",  "ol",    "tr",         "td",      "th",
    "h1",    "h2",   "h3",  "h4", "sec", "title", "section",    "table",   "break",
    "label", "list", "dd",  "dt", "dl",  "block", "blockquote", "abstract"};
static const char *const silent[] = {"i",
                                     "b",
                                     "em",
                                     "strong",
                                     "u",
                                     "span",
                                     "a",
                                     "scp",
                                     "tt",
                                     "bold",
                                     "sc",
                                     "italic",
                                     "font",
                                     "small",
                                     "big",
                                     "inf",
                                     "roman",
                                     "sub",
                                     "sup",
                                     "code",
                                     "ext-link",
                                     "inline-formula",
                                     "tex-math",
                                     "xref",
                                     "math",
                                     "mi",
                                     "mo",
                                     "mn",
                                     "mrow",
                                     "msub",
                                     "msup",
                                     "mtext",
                                     "msubsup",
                                     "mover",
                                     "munder",
                                     "mfrac",
                                     "msqrt",
                                     "mstyle",
                                     "mspace",
                                     "semantics",
                                     "annotation",
                                     "mfenced",
                                     "mtd",
                                     "mtr",
                                     "mtable",
                                     "underline",
                                     "monospace",
                                     "sans-serif",
                                     "named-content",
                                     "styled-content",
                                     "fn",
                                     "q",
                                     "s",
                                     "del",
                                     "ins",
                                     "mark",
                                     "cite",
                                     "abbr",
                                     "img",
                                     "inline-graphic",
                                     "alternatives",
                                     "formula",
                                     "disp-formula",
                                     "strike",
                                     "nobr",
                                     "wbr",
                                     "script",
                                     "style",
                                     "body",
                                     "html"};

/* Their content is no text. */
static const char *const no_text[] = {"script", "style", "annotation", "tex-math"};

static bool among(struct slice name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_like(name, list[i]))
            return true;
    return false;
}
#define AMONG(name, list) among((name), (list), sizeof(list) / sizeof((list)[0]))

struct tag {
    struct slice name; /* without a namespace */
    bool closing, empty;
    const char *behind;
};

/* A tag that we know by name, at the <; "a<b and c>d" has none. */
static bool read_tag(struct tag *tag, const struct plain *p)
{
    const char *at = p->at + 1;
    tag->closing = at < p->end && *at == '/';
    at += tag->closing;
    const char *from = at;
    while (at < p->end && at - from < 32 &&
           (text_letter(*at) || text_digit(*at) || *at == '-' || *at == ':')) {
        if (*at++ == ':')
            from = at;
    }
    tag->name = slice_between(from, at);
    const char *behind_name = at;
    bool attributes = false;
    for (; at < p->end && at - from < 1024 && *at != '>' && *at != '<'; at++)
        attributes = attributes || *at == '=' || *at == '/';
    if (at >= p->end || *at != '>' || (!attributes && at != behind_name))
        return false;
    tag->empty = at[-1] == '/';
    tag->behind = at + 1;
    return AMONG(tag->name, silent) || AMONG(tag->name, spacing);
}

static void end_script(struct plain *p)
{
    if (p->script != SCRIPT_NONE)
        latex_script(&p->out, p->script_start, p->script);
    p->script = SCRIPT_NONE;
}

static void at_script(struct plain *p, const struct tag *tag)
{
    bool up = slice_like(tag->name, "sup");
    end_script(p);
    if (tag->closing || tag->empty)
        return;
    p->script_start = latex_script_start(&p->out);
    p->script = up ? SCRIPT_UP : SCRIPT_DOWN;
}

/* Behind </script> of the <script> that ends at `at`; NULL when there is none. */
static const char *behind_content(struct plain *p, const char *at, struct slice name)
{
    while (!p->unclosed && (at = memchr(at, '<', (size_t)(p->end - at))) != NULL) {
        at++;
        if ((size_t)(p->end - at) <= name.length || *at != '/' ||
            strncasecmp(at + 1, name.bytes, name.length) != 0)
            continue;
        const char *close = memchr(at, '>', (size_t)(p->end - at));
        if (close != NULL)
            return close + 1;
    }
    p->unclosed = true; /* looking once is enough */
    return NULL;
}

static void at_less(struct plain *p)
{
    struct tag tag;
    if (!read_tag(&tag, p)) {
        latex_put(&p->out, *p->at++);
        return;
    }
    p->at = tag.behind;
    if (slice_like(tag.name, "sup") || slice_like(tag.name, "sub") ||
        slice_like(tag.name, "inf"))
        at_script(p, &tag);
    else if (AMONG(tag.name, spacing))
        latex_put_space(&p->out);
    else if (!tag.closing && !tag.empty && AMONG(tag.name, no_text)) {
        const char *behind = behind_content(p, p->at, tag.name);
        p->at = behind == NULL ? p->at : behind;
    }
}

static void at_ampersand(struct plain *p)
{
    const char *at = p->at + 1;
    while (at < p->end && at - p->at < 12 &&
           (text_letter(*at) || text_digit(*at) || *at == '#'))
        at++;
    char bytes[9];
    size_t length = 0;
    if (at < p->end && *at == ';')
        length = latex_entity(bytes, slice_between(p->at + 1, at));
    if (length == 0) {
        latex_put(&p->out, *p->at++);
        return;
    }
    bytes[length] = '\0';
    latex_put_text(&p->out, bytes);
    p->at = at + 1;
}

struct slice plain_text(struct arena *arena, struct slice source)
{
    struct plain p = {.at = source.bytes, .end = source.bytes + source.length};
    p.out.buf = buf_on(arena);
    buf_reserve(&p.out.buf, source.length);
    while (p.at < p.end) {
        if (*p.at == '<') {
            at_less(&p);
        } else if (*p.at == '&') {
            at_ampersand(&p);
        } else {
            size_t size;
            latex_put(&p.out, utf8_next(p.at, (size_t)(p.end - p.at), &size));
            p.at += size;
        }
    }
    end_script(&p);
    return latex_finish(&p.out);
}
