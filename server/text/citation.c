/* Citations: a style's template is filled into marked text (citation_private.h), whose
 * punctuation is joined while it becomes HTML or text. */
#include "server/text/citation.h"

#include "server/base/document.h"
#include "server/base/slice.h"
#include "server/base/utf8.h"
#include "server/text/citation_private.h"

/* What a piece of a template came to. */
struct filling {
    size_t values, filled; /* asked for; not empty */
    bool failed;           /* a value that must be there is not */
};

static void fill(struct filling *filling, struct buf *out, struct citing *citing,
                 const char **template);

/* Past the end of an alternative that is not wanted. */
static void skip(const char **template)
{
    const char *at = *template;
    for (int depth = 0; *at != '\0'; at++)
        if (*at == '<')
            depth++;
        else if (depth == 0 && (*at == '|' || *at == '>'))
            break;
        else if (*at == '>')
            depth--;
    *template = at;
}

static bool is_separator(char c)
{
    return c == '.' || c == ',' || c == ';' || c == ':';
}

/* A group that opens the one around it has nothing to be separated from. */
static void append_group(struct buf *out, const struct buf *text)
{
    bool first = out->length == 0 && is_separator(text->data[0]);
    size_t lead = first ? strspn(text->data, ".,;: ") : 0;
    buf_append(out, text->data + lead, text->length - lead);
}

/* From behind the "<" of a group to behind its ">". */
static void fill_group(struct filling *filling, struct buf *out, struct citing *citing,
                       const char **template)
{
    bool done = false;
    do {
        struct filling inner = {0};
        struct buf text = buf_on(citing->arena);
        if (done) {
            skip(template);
            continue;
        }
        fill(&inner, &text, citing, template);
        done = !inner.failed && (inner.values == 0 || inner.filled > 0);
        if (done)
            append_group(out, &text);
        filling->values += inner.values;
        filling->filled += done ? inner.filled : 0;
    } while (*(*template)++ == '|');
}

static void fill_value(struct filling *filling, struct buf *out, struct citing *citing,
                       const char **template)
{
    const char *name = *template;
    size_t length = strcspn(name, "}!");
    bool decoration;
    const char *value = citation_value(citing, name, length, &decoration);
    if (name[length] == '!' && value == NULL)
        filling->failed = true;
    *template = name + length + strspn(name + length, "!}");
    if (!decoration) {
        filling->values++;
        filling->filled += value != NULL;
    }
    if (value != NULL && *value != '\0') {
        buf_char(out, MARK_VALUE);
        buf_string(out, value);
        buf_char(out, MARK_TEXT);
    }
}

/* Up to the end of the template or of the alternative. */
static void fill(struct filling *filling, struct buf *out, struct citing *citing,
                 const char **template)
{
    while (**template != '\0' && **template != '|' && **template != '>') {
        char c = *(*template)++;
        if (c == '<')
            fill_group(filling, out, citing, template);
        else if (c == '{')
            fill_value(filling, out, citing, template);
        else
            buf_char(out, c == '_' ? MARK_ITALIC : c == '*' ? MARK_BOLD : c);
    }
}

/* The reference as it is written, and what its punctuation depends on. */
struct line {
    struct buf out;
    bool html;
    bool italic, bold, link;                /* open in `out` */
    bool want_italic, want_bold, want_link; /* open in the marked text */
    struct slice address;
    bool han;         /* the value has Han characters, which have no italics */
    bool value;       /* within a value, */
    char last;        /* the last byte shown that is no space; 0 at the beginning */
    bool last_value;  /* it came from a value */
    bool last_link;   /* it was part of a link */
    bool space;       /* a space is due before what comes next */
    bool in_quotes;   /* of the template, */
    bool quoted_open; /* which were just opened */
    bool quoted;      /* a closing quotation mark stands behind `last` */
    bool ended;       /* a sentence of the template's ended there */
};

static void put_escaped(struct buf *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] == '<')
            buf_string(out, "&lt;");
        else if (bytes[i] == '>')
            buf_string(out, "&gt;");
        else if (bytes[i] == '&')
            buf_string(out, "&amp;");
        else if (bytes[i] == '"')
            buf_string(out, "&quot;");
        else if (bytes[i] == '\'')
            buf_string(out, "&#39;");
        else
            buf_char(out, bytes[i]);
}

/* Closes what is open and no longer wanted. Elements nest: a, b, i from outside in. */
static void close_tags(struct line *line)
{
    bool bold = line->bold && !line->want_bold, link = line->link && !line->want_link;
    if (line->italic && (!line->want_italic || line->han || bold || link)) {
        buf_string(&line->out, line->html ? "</i>" : "");
        line->italic = false;
    }
    if (line->bold && (bold || link)) {
        buf_string(&line->out, line->html ? "</b>" : "");
        line->bold = false;
    }
    if (link) {
        buf_string(&line->out, line->html ? "</a>" : "");
        line->link = false;
    }
}

static void open_tags(struct line *line)
{
    if (line->want_link && !line->link) {
        if (line->html) {
            buf_string(&line->out, "<a href=\"");
            put_escaped(&line->out, line->address.bytes, line->address.length);
            buf_string(&line->out, "\">");
        }
        line->link = true;
    }
    if (line->want_bold && !line->bold) {
        buf_string(&line->out, line->html ? "<b>" : "");
        line->bold = true;
    }
    if (line->want_italic && !line->han && !line->italic) {
        buf_string(&line->out, line->html ? "<i>" : "");
        line->italic = true;
    }
}

static void show(struct line *line, const char *bytes, size_t length)
{
    close_tags(line);
    if (line->space && line->last != '\0')
        buf_char(&line->out, ' ');
    line->space = false;
    open_tags(line);
    if (line->html)
        put_escaped(&line->out, bytes, length);
    else
        buf_append(&line->out, bytes, length);
    line->last = bytes[length - 1];
    line->last_value = line->value;
    line->last_link = line->want_link;
}

/* Takes back the separator that was shown last. */
static void take_back(struct line *line)
{
    close_tags(line);
    if (line->out.length > 0 && is_separator(line->out.data[line->out.length - 1]))
        line->out.data[--line->out.length] = '\0';
}

/* Makes ,” into .” */
static void stop_in_quotes(struct line *line)
{
    close_tags(line);
    line->out.length -= strlen(",”");
    buf_string(&line->out, ".”");
    line->last = '.';
    line->ended = true;
    line->space = false;
}

/* The template's own punctuation: joined with what stands before it. */
static void separate(struct line *line, char sign, const char *next)
{
    char last = line->last;
    bool in_quotes = line->quoted || strncmp(next, "”", strlen("”")) == 0;
    if (last == '\0' || last == '(' || last == '[' || line->ended)
        return;
    if (last == '?' || last == '!' || last == '.') {
        line->ended = sign == '.';
        if (sign == '.' || (sign == ',' && in_quotes))
            return;
    } else if (is_separator(last)) {
        if (!line->last_value && sign != '.')
            return;
        if (line->quoted) {
            stop_in_quotes(line);
            return;
        }
        take_back(line);
    }
    line->space = false;
    show(line, &sign, 1);
    line->ended = sign == '.';
}

/* One piece of marked text; returns its length. */
static size_t take_mark(struct line *line, const char *at)
{
    switch ((enum citation_mark) * at) {
    case MARK_ITALIC:
        line->want_italic = !line->want_italic;
        break;
    case MARK_BOLD:
        line->want_bold = !line->want_bold;
        break;
    case MARK_LINK: {
        size_t length = strcspn(at + 1, (char[]){MARK_LINKED, '\0'});
        line->address = (struct slice){at + 1, length};
        line->want_link = true;
        return length + 2;
    }
    case MARK_LINKED:
        break;
    case MARK_LINK_END:
        line->want_link = false;
        break;
    case MARK_VALUE:
        line->value = true;
        line->han = utf8_has_han(at, strcspn(at, (char[]){MARK_TEXT, '\0'}));
        break;
    case MARK_TEXT:
        line->value = line->han = false;
        break;
    }
    return 1;
}

/* Quotation marks in a value that stands in the template's own are single ones. */
static const char *inner_quote(const struct line *line, const char *at, size_t length)
{
    bool first = line->space || line->last == '(' || line->quoted_open;
    if (length == 1 && *at == '"')
        return first ? "‘" : "’";
    if (length == strlen("“") && memcmp(at, "“", length) == 0)
        return "‘";
    return length == strlen("”") && memcmp(at, "”", length) == 0 ? "’" : NULL;
}

static void take_text(struct line *line, const char *at, size_t length)
{
    const char *inner =
        line->value && line->in_quotes ? inner_quote(line, at, length) : NULL;
    bool opens = !line->value && length == strlen("“") && memcmp(at, "“", length) == 0;
    if (inner != NULL) {
        at = inner;
        length = strlen(inner);
    }
    if (*at == ' ') {
        line->space = line->last != '(' && line->last != '[';
    } else if (length == strlen("”") && memcmp(at, "”", length) == 0 && !line->value) {
        char last = line->last;
        bool value = line->last_value;
        show(line, at, length);
        line->last = last;
        line->last_value = value;
        line->quoted = true;
        line->in_quotes = false;
    } else if (!line->value && is_separator(*at)) {
        separate(line, *at, at + 1);
    } else {
        show(line, at, length);
        line->quoted = line->ended = false;
        line->quoted_open = opens;
        line->in_quotes = line->in_quotes || opens;
    }
}

/* Joins the marked text into the line and ends it: with a full stop, unless a link does.
 */
static void join(struct line *line, const char *marked, bool ended)
{
    size_t all = strlen(marked), size;
    for (size_t at = 0; at < all; at += size) {
        utf8_next(marked + at, all - at, &size);
        if ((unsigned char)marked[at] < ' ')
            size = take_mark(line, marked + at);
        else
            take_text(line, marked + at, size);
    }
    line->want_italic = line->want_bold = line->want_link = false;
    line->value = false;
    bool link = line->last_link && !ended;
    if (line->last != '\0' && is_separator(line->last) && line->last != '.' &&
        !line->last_value && !line->quoted) {
        take_back(line);
        line->last = line->out.length > 0 ? line->out.data[line->out.length - 1] : '\0';
    }
    if (line->last != '\0' && strchr(".?!", line->last) == NULL && !link)
        separate(line, '.', "");
    close_tags(line);
}

static enum citation_kind kind_of(const json_t *work)
{
    static const char *const kinds[CITE_KINDS] = {
        [CITE_ARTICLE] = "article",   [CITE_CONFERENCE] = "conference",
        [CITE_BOOK] = "book",         [CITE_CHAPTER] = "chapter",
        [CITE_THESIS] = "thesis",     [CITE_REPORT] = "report",
        [CITE_PREPRINT] = "preprint", [CITE_SOFTWARE] = "software",
        [CITE_DATASET] = "dataset",   [CITE_OTHER] = "other",
    };
    const char *kind = text_at(work, "kind", "");
    for (size_t i = 0; i < CITE_KINDS; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return (enum citation_kind)i;
    return CITE_OTHER;
}

static bool is_chinese(const json_t *work, enum language language)
{
    const char *title = filled_of(work, "title");
    return title != NULL ? utf8_has_han(title, strlen(title)) : language == CHINESE;
}

static void cite(struct buf *out, enum citation_style style, json_t *work,
                 enum language language, bool html)
{
    struct citing citing = {.arena = out->arena,
                            .rules = &citation_rules[style],
                            .work = work,
                            .chinese = is_chinese(work, language),
                            .gbt = style == CITATION_GBT7714};
    struct buf marked = buf_on(out->arena);
    struct filling filling = {0};
    enum citation_kind kind = kind_of(work);
    const char *template = citing.rules->templates[kind];
    citing.part = (kind == CITE_CHAPTER || kind == CITE_CONFERENCE) &&
                  filled_of(work, "venue") != NULL;
    fill(&filling, &marked, &citing, &template);
    struct line line = {.out = buf_on(out->arena), .html = html};
    join(&line, marked.data, citing.rules->ended);
    buf_append(out, line.out.data, line.out.length);
}

void citation_html(struct buf *out, enum citation_style style, json_t *work,
                   enum language language)
{
    cite(out, style, work, language, true);
}

void citation_text(struct buf *out, enum citation_style style, json_t *work,
                   enum language language)
{
    cite(out, style, work, language, false);
}
