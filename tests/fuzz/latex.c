/* libFuzzer: any text through LaTeX, names, slugs and Markdown. */
#include "server/text/latex.h"
#include "server/base/identifier.h"
#include "server/base/utf8.h"
#include "server/text/encoding.h"
#include "server/text/markdown.h"
#include "server/text/names.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void require_text(struct slice text)
{
    require(utf8_fault(text.bytes, text.length, false) == UTF8_FINE);
}

static void all_of(struct arena *arena, struct slice text)
{
    require_text(latex_text(arena, text));
    require_text(latex_address(arena, text));
    struct names names = names_parse(arena, text);
    for (size_t i = 0; i < names.count; i++) {
        struct slice shown = name_display(arena, &names.list[i]);
        require(shown.length > 0);
        require_text(shown);
    }
    require_text(identifier_doi(arena, latex_address(arena, text)));
    require_text(identifier_arxiv(arena, latex_address(arena, text)));
    require_text(identifier_isbn(arena, text));
    struct slice html;
    if (markdown_html(&html, arena, text) == OK) {
        require(utf8_valid(html.bytes, html.length));
        require(memmem(html.bytes, html.length, "<script", 7) == NULL);
        require(memmem(html.bytes, html.length, "=\"javascript", 12) == NULL);
        require(memmem(html.bytes, html.length, "=\"//", 4) == NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct decoded decoded;
    if (encoding_decode(&decoded, arena, (const char *)data, size) == OK)
        all_of(arena, decoded.text);
    arena_free(arena);
    return 0;
}
