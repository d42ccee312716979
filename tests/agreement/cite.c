/* Works on standard input, a JSON array of documents; their citations on standard output:
 * for each an object of style to {text, html}. What citations.mjs compares. */
#include "server/base/arena.h"
#include "server/text/citation.h"

#include <jansson.h>

static json_t *citations_of(struct arena *arena, json_t *work)
{
    json_t *styles = json_object();
    for (int style = 0; style < CITATION_STYLES; style++) {
        struct buf text = buf_on(arena), html = buf_on(arena);
        citation_text(&text, (enum citation_style)style, work, ENGLISH);
        citation_html(&html, (enum citation_style)style, work, ENGLISH);
        json_object_set_new(styles, citation_style_names[style],
                            json_pack("{s:s%,s:s%}", "text", text.data, text.length,
                                      "html", html.data, html.length));
    }
    return styles;
}

int main(void)
{
    struct arena *arena = arena_new();
    json_on_arena();
    arena_enter(arena);
    json_error_t error;
    size_t i;
    json_t *works = json_loadf(stdin, 0, &error), *all = json_array(), *work;
    if (!json_is_array(works)) {
        fprintf(stderr, "standard input, line %d: %s\n", error.line, error.text);
        return 1;
    }
    json_array_foreach(works, i, work)
        json_array_append_new(all, citations_of(arena, work));
    return json_dumpf(all, stdout, JSON_COMPACT) != 0 || fclose(stdout) != 0;
}
