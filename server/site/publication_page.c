/* A work's page; see publication_page.h. What is missing is simply not there. */
#include "server/site/publication_page.h"

#include "db/store/public.h"
#include "db/store/public_work.h"
#include "server/base/document.h"
#include "server/base/percent.h"
#include "server/base/utf8.h"
#include "server/http/router.h"
#include "server/site/page.h"
#include "server/site/publication_meta.h"
#include "server/site/site.h"
#include "server/site/works_export.h"
#include "server/text/citation.h"
#include "server/text/work_facts.h"

#include <string.h>

static json_t *text_or_null(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

static void set_lang(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, json_string(text_language(text)));
}

/* Whether the list has anything, for what stands around it once. */
static void set_filled(json_t *work, const char *key, const char *list)
{
    json_object_set_new(work, key,
                        json_boolean(json_array_size(json_object_get(work, list)) > 0));
}

/* Each in the language of its script, the last one known as such. */
static void prepare_people(json_t *people)
{
    size_t i;
    json_t *one;
    json_array_foreach(people, i, one)
    {
        set_lang(one, "lang", filled_of(one, "name"));
        json_object_set_new(one, "last", json_boolean(i + 1 == json_array_size(people)));
        json_object_set_new(one, "asked_for", json_false());
    }
}

/* "A, B": the authors for whom `flag` is true; null when there are none. */
static json_t *authors_with(const json_t *work, const char *flag)
{
    struct buf names = buf_on(arena_current());
    size_t i;
    const json_t *author;
    json_array_foreach(json_object_get(work, "authors"), i,
                       author) if (truth_at(author, flag))
        buf_print(&names, "%s%s", names.length > 0 ? ", " : "",
                  text_at(author, "name", ""));
    return names.length > 0 ? json_string(names.data) : json_null();
}

static bool has_link(const json_t *links, const char *kind)
{
    size_t i;
    const json_t *link;
    json_array_foreach(links, i, link) if (strcmp(text_at(link, "kind", ""), kind) ==
                                           0) return true;
    return false;
}

/* The buttons: links in the order of use, a preprint by its arXiv number where no link
 * says where it is, and the DOI. */
static json_t *buttons(const json_t *work)
{
    static const char *const order[] = {"pdf",   "preprint", "code",    "data", "slides",
                                        "video", "poster",   "website", "other"};
    struct arena *arena = arena_current();
    const json_t *links = json_object_get(work, "links"), *link;
    json_t *all = json_array();
    const char *arxiv =
        identifier_address(arena, "arxiv", work_identifier(work, "arxiv"));
    const char *doi = identifier_address(arena, "doi", work_identifier(work, "doi"));
    size_t i;
    for (size_t kind = 0; kind < sizeof order / sizeof order[0]; kind++) {
        json_array_foreach(links, i,
                           link) if (strcmp(text_at(link, "kind", ""), order[kind]) == 0)
            json_array_append_new(all, json_pack("{s:s,s:O}", "kind", order[kind], "url",
                                                 json_object_get(link, "url")));
        if (strcmp(order[kind], "preprint") == 0 && arxiv != NULL &&
            !has_link(links, "preprint"))
            json_array_append_new(
                all, json_pack("{s:s,s:s}", "kind", "preprint", "url", arxiv));
    }
    if (doi != NULL)
        json_array_append_new(all, json_pack("{s:s,s:s}", "kind", "doi", "url", doi));
    return all;
}

static void add_identifier_addresses(json_t *work)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(work, "identifiers"), i, one) json_object_set_new(
        one, "url",
        text_or_null(identifier_address(arena_current(), text_at(one, "scheme", ""),
                                        text_of(one, "value"))));
}

/* The beginning of the abstract, for search engines. */
static json_t *description(const json_t *work)
{
    const char *abstract = filled_of(work, "abstract");
    size_t length = 0, letters = 0, size;
    if (abstract == NULL)
        return json_null();
    for (size_t all = strlen(abstract); length < all && letters < 200; letters++) {
        utf8_next(abstract + length, all - length, &size);
        length += size;
    }
    return json_stringn(abstract, length);
}

static json_t *citations(json_t *work, enum language language)
{
    json_t *all = json_array();
    for (int style = 0; style < CITATION_STYLES; style++) {
        struct buf html = buf_on(arena_current());
        citation_html(&html, (enum citation_style)style, work, language);
        json_array_append_new(all, json_pack("{s:s,s:s%,s:b}", "style",
                                             citation_style_names[style], "citation_html",
                                             html.data, html.length, "open", style == 0));
    }
    return all;
}

static bool has_route(const char *pattern)
{
    for (const struct route *const *table = site.routes; *table != NULL; table++)
        for (const struct route *route = *table; route->pattern != NULL; route++)
            if (strcmp(route->pattern, pattern) == 0)
                return true;
    return false;
}

/* The formats that a work can be had in: those that have a route. */
static json_t *formats(void)
{
    static const struct {
        const char *name, *label, *type;
    } known[] = {
        {"bibtex",   "BibTeX",   "text/x-bibtex"                          },
        {"biblatex", "biblatex", "text/x-bibtex"                          },
        {"ris",      "RIS",      "application/x-research-info-systems"    },
        {"csl.json", "CSL-JSON", "application/vnd.citationstyles.csl+json"},
    };
    json_t *all = json_array();
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (has_route(
                arena_print(arena_current(), "/publications/:slug/%s", known[i].name)))
            json_array_append_new(all, json_pack("{s:s,s:s,s:s,s:b}", "format",
                                                 known[i].name, "label", known[i].label,
                                                 "type", known[i].type, "last", 0));
    json_object_set_new(json_array_get(all, json_array_size(all) - 1), "last",
                        json_true());
    return all;
}

enum result publication_moved(struct request *request, struct response *response,
                              const char *behind)
{
    const char *slug;
    TRY(public_work_leads_to(&slug, request->db, param(request, "slug")));
    const char *prefix =
        request->language_in_path
            ? arena_print(request->arena, "/%s", language_codes[request->language])
            : "";
    response_redirect(response,
                      arena_print(request->arena, "%s/publications/%s%s", prefix,
                                  percent_text(request->arena, slug), behind));
    response->status = 301;
    return OK;
}

enum result publications_show(struct request *request, struct response *response)
{
    json_t *work;
    struct buf entry = buf_on(request->arena);
    enum result found = public_work(&work, request->db, param(request, "slug"));
    if (found == NOT_FOUND)
        return publication_moved(request, response, "");
    TRY(found);
    localize(json_object_get(work, "topics"), request->language);
    json_object_set(work, "written_in", json_object_get(work, "language"));
    works_bibtex(&entry, work);
    prepare_people(json_object_get(work, "authors"));
    prepare_people(json_object_get(work, "editors"));
    set_lang(work, "title_lang", filled_of(work, "title"));
    set_lang(work, "venue_lang", filled_of(work, "venue"));
    set_lang(work, "abstract_lang", filled_of(work, "abstract"));
    json_object_set_new(work, "citations", citations(work, request->language));
    publication_meta(work, request);
    add_identifier_addresses(work);
    json_object_set_new(work, "buttons", buttons(work));
    set_filled(work, "has_buttons", "buttons");
    set_filled(work, "has_editors", "editors");
    set_filled(work, "has_topics", "topics");
    json_object_set_new(work, "equally", authors_with(work, "equal"));
    json_object_set_new(work, "corresponding", authors_with(work, "corresponding"));
    json_object_set_new(work, "description", description(work));
    json_object_set_new(work, "pages_shown",
                        text_or_null(work_pages(request->arena, work).shown));
    json_object_set_new(work, "entry", json_string(entry.data));
    json_object_set_new(work, "formats", formats());
    json_object_set_new(work, "more_authors", json_null());
    return page(request, response, "publications/show.html", work);
}
