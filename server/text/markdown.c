/* A renderer on md4c's events; what may come out is in markdown.h. Every callback returns
 * whether a limit was broken, which ends the parsing. */
#include "server/text/markdown.h"

#include "server/base/buf.h"
#include "server/text/markdown_link.h"

struct page {
    struct buf out;
    size_t depth;  /* of blocks */
    size_t images; /* open around us: their content is text alone */
};

/* Negative to end the parsing: md4c loses positive values on their way out. */
static int state(const struct page *page)
{
    bool broken = page->out.length > MARKDOWN_HTML || page->depth > MARKDOWN_DEPTH;
    return broken ? -1 : 0;
}

static const char *cell_open(const MD_BLOCK_TD_DETAIL *cell, bool head)
{
    static const char *const opens[2][4] = {
        {"<td>", "<td class=\"left\">", "<td class=\"center\">", "<td class=\"right\">"},
        {"<th>", "<th class=\"left\">", "<th class=\"center\">", "<th class=\"right\">"}
    };
    return opens[head][cell->align];
}

/* The element of a block; NULL when there is none or it needs more than its name. */
static const char *block_name(MD_BLOCKTYPE type)
{
    switch (type) {
    case MD_BLOCK_QUOTE:
        return "blockquote";
    case MD_BLOCK_UL:
        return "ul";
    case MD_BLOCK_LI:
        return "li";
    case MD_BLOCK_P:
        return "p";
    case MD_BLOCK_TABLE:
        return "table";
    case MD_BLOCK_THEAD:
        return "thead";
    case MD_BLOCK_TBODY:
        return "tbody";
    case MD_BLOCK_TR:
        return "tr";
    case MD_BLOCK_DOC:
    case MD_BLOCK_HTML:
    case MD_BLOCK_OL:
    case MD_BLOCK_HR:
    case MD_BLOCK_H:
    case MD_BLOCK_CODE:
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        break;
    }
    return NULL;
}

static unsigned heading(const MD_BLOCK_H_DETAIL *detail)
{
    return detail->level < 6 ? detail->level + 1 : 6;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct page *page = data;
    const char *name = block_name(type);
    page->depth++;
    if (name != NULL)
        buf_print(&page->out, "<%s>", name);
    else if (type == MD_BLOCK_OL && ((MD_BLOCK_OL_DETAIL *)detail)->start != 1)
        buf_print(&page->out, "<ol start=\"%u\">", ((MD_BLOCK_OL_DETAIL *)detail)->start);
    else if (type == MD_BLOCK_OL)
        buf_string(&page->out, "<ol>");
    else if (type == MD_BLOCK_HR)
        buf_string(&page->out, "<hr>");
    else if (type == MD_BLOCK_H)
        buf_print(&page->out, "<h%u>", heading(detail));
    else if (type == MD_BLOCK_CODE)
        buf_string(&page->out, "<pre><code>");
    else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
        buf_string(&page->out, cell_open(detail, type == MD_BLOCK_TH));
    return state(page);
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct page *page = data;
    const char *name = block_name(type);
    page->depth--;
    if (name != NULL)
        buf_print(&page->out, "</%s>\n", name);
    else if (type == MD_BLOCK_OL)
        buf_string(&page->out, "</ol>\n");
    else if (type == MD_BLOCK_H)
        buf_print(&page->out, "</h%u>\n", heading(detail));
    else if (type == MD_BLOCK_CODE)
        buf_string(&page->out, "</code></pre>\n");
    else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD)
        buf_string(&page->out, type == MD_BLOCK_TH ? "</th>" : "</td>");
    return state(page);
}

static const char *span_name(MD_SPANTYPE type)
{
    switch (type) {
    case MD_SPAN_EM:
        return "em";
    case MD_SPAN_STRONG:
        return "strong";
    case MD_SPAN_CODE:
        return "code";
    case MD_SPAN_DEL:
        return "del";
    case MD_SPAN_U:
        return "u";
    case MD_SPAN_A:
    case MD_SPAN_IMG:
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY:
    case MD_SPAN_WIKILINK:
        break;
    }
    return NULL;
}

static void open_address(struct page *page, const char *before, const MD_ATTRIBUTE *where,
                         bool image)
{
    struct slice address = markdown_address(page->out.arena, where, image);
    if (address.length == 0)
        return;
    buf_string(&page->out, before);
    buf_append(&page->out, address.bytes, address.length);
    buf_string(&page->out, image ? "\" alt=\"" : "\">");
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct page *page = data;
    if (page->images == 0) {
        const char *name = span_name(type);
        if (name != NULL)
            buf_print(&page->out, "<%s>", name);
        else if (type == MD_SPAN_A)
            open_address(page, "<a href=\"", &((MD_SPAN_A_DETAIL *)detail)->href, false);
        else if (type == MD_SPAN_IMG)
            open_address(page, "<img src=\"", &((MD_SPAN_IMG_DETAIL *)detail)->src, true);
    }
    page->images += type == MD_SPAN_IMG;
    return state(page);
}

static int leave_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct page *page = data;
    page->images -= type == MD_SPAN_IMG;
    if (page->images > 0)
        return state(page);
    const char *name = span_name(type);
    struct arena *arena = page->out.arena;
    if (name != NULL)
        buf_print(&page->out, "</%s>", name);
    else if (type == MD_SPAN_A &&
             markdown_address(arena, &((MD_SPAN_A_DETAIL *)detail)->href, false).length >
                 0)
        buf_string(&page->out, "</a>");
    else if (type == MD_SPAN_IMG &&
             markdown_address(arena, &((MD_SPAN_IMG_DETAIL *)detail)->src, true).length >
                 0)
        buf_string(&page->out, "\">");
    return state(page);
}

static int text(MD_TEXTTYPE type, const MD_CHAR *bytes, MD_SIZE size, void *data)
{
    struct page *page = data;
    switch (type) {
    case MD_TEXT_NULLCHAR:
        buf_string(&page->out, "\xEF\xBF\xBD");
        break;
    case MD_TEXT_BR:
        buf_string(&page->out, page->images > 0 ? " " : "<br>\n");
        break;
    case MD_TEXT_SOFTBR:
        buf_char(&page->out, page->images > 0 ? ' ' : '\n');
        break;
    case MD_TEXT_ENTITY: /* md4c has seen that it is & letters or digits ; */
        buf_append(&page->out, bytes, size);
        break;
    case MD_TEXT_NORMAL:
    case MD_TEXT_CODE:
    case MD_TEXT_HTML:
    case MD_TEXT_LATEXMATH:
        markdown_escape(&page->out, (struct slice){bytes, size});
        break;
    }
    return state(page);
}

enum result markdown_html(struct slice *html, struct arena *arena, struct slice source)
{
    if (source.length > MARKDOWN_SOURCE)
        return INVALID;
    struct page page = {.out = buf_on(arena)};
    const MD_PARSER parser = {
        .flags = MD_FLAG_NOHTML | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH |
                 MD_FLAG_PERMISSIVEURLAUTOLINKS | MD_FLAG_PERMISSIVEEMAILAUTOLINKS,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = text};
    if (md_parse(source.bytes, (MD_SIZE)source.length, &parser, &page) != 0)
        return INVALID;
    *html = (struct slice){page.out.data, page.out.length};
    return OK;
}
