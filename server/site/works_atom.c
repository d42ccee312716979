/* The newest works as an Atom feed (RFC 4287). */
#include "server/base/document.h"
#include "server/base/percent.h"
#include "server/site/origin.h"
#include "server/site/page.h"
#include "server/site/site.h"
#include "server/site/work_filter.h"
#include "server/site/works_export.h"
#include "server/view/view.h"

#include <string.h>

enum { ENTRIES = 50 };

/* Text in an element or an attribute (XML 1.0, 2.4); characters that XML does not have
 * are left out. */
static void xml(struct buf *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '&')
            buf_string(out, "&amp;");
        else if (*text == '<')
            buf_string(out, "&lt;");
        else if (*text == '>')
            buf_string(out, "&gt;");
        else if (*text == '"')
            buf_string(out, "&quot;");
        else if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
            buf_char(out, *text);
}

static void element(struct buf *out, const char *name, const char *text)
{
    if (text == NULL)
        return;
    buf_print(out, "<%s>", name);
    xml(out, text);
    buf_print(out, "</%s>\n", name);
}

static void link_to(struct buf *out, const char *rel, const char *type, const char *url)
{
    buf_print(out, "<link rel=\"%s\" type=\"%s\" href=\"", rel, type);
    xml(out, url);
    buf_string(out, "\"/>\n");
}

/* The id stays when the address of the page changes. */
static void entry(struct buf *out, json_t *work, enum language language)
{
    struct arena *arena = arena_current();
    const char *origin = origin_of_site();
    size_t i;
    json_t *author;
    buf_string(out, "<entry>\n");
    element(out, "id",
            arena_print(arena, "%s/publications/%lld", origin,
                        (long long)integer_at(work, "id")));
    element(out, "title", text_at(work, "title", ""));
    element(out, "updated", text_at(work, "updated_at", ""));
    link_to(out, "alternate", "text/html",
            arena_print(arena, "%s/%s/publications/%s", origin, language_codes[language],
                        percent_text(arena, text_at(work, "slug", ""))));
    json_array_foreach(json_object_get(work, "authors"), i, author)
    {
        buf_string(out, "<author>");
        element(out, "name", text_at(author, "name", ""));
        buf_string(out, "</author>\n");
    }
    buf_string(out, "<category term=\"");
    xml(out, text_at(work, "kind", "other"));
    buf_string(out, "\"/>\n");
    element(out, "summary", filled_of(work, "abstract"));
    buf_string(out, "</entry>\n");
}

/* The latest of all, as text: they are all of one form and one zone. */
static const char *latest(json_t *works)
{
    const char *updated = "1970-01-01T00:00:00Z"; /* of a feed with nothing in it */
    size_t i;
    json_t *work;
    json_array_foreach(works, i,
                       work) if (strcmp(text_at(work, "updated_at", ""), updated) > 0)
        updated = text_at(work, "updated_at", "");
    return updated;
}

enum result works_atom(struct request *request, struct response *response)
{
    json_t *lab, *works, *work, *choices;
    struct public_works_filter filter;
    struct arena *arena = request->arena;
    struct buf *out = &response->body;
    size_t i;
    TRY(page_lab(&lab, request));
    TRY(work_filter_read(&filter, &choices, request));
    filter.limit = ENTRIES;
    TRY(public_work_entries(&works, request->db, &filter));
    const char *query = work_filter_query(arena, &filter, NULL);
    const char *origin = origin_of_site(), *name = text_at(lab, "name", "");
    const char *self = arena_print(arena, "%s/publications.atom%s", origin, query);
    buf_print(out,
              "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
              "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"%s\">\n",
              language_codes[request->language]);
    element(out, "id", self);
    element(out, "title",
            arena_print(arena, "%s · %s",
                        view_message(site.view, request->language, "publications.title"),
                        name));
    element(out, "updated", latest(works));
    buf_string(out, "<author>");
    element(out, "name", name);
    buf_string(out, "</author>\n");
    link_to(out, "self", "application/atom+xml", self);
    link_to(out, "alternate", "text/html",
            arena_print(arena, "%s/%s/publications%s", origin,
                        language_codes[request->language], query));
    json_array_foreach(works, i, work) entry(out, work, request->language);
    buf_string(out, "</feed>\n");
    response->type = "application/atom+xml; charset=utf-8";
    return OK;
}
