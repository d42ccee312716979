/* The addresses of a work: its url, its identifiers, and the links that lab sites keep in
 * fields of their own (those of al-folio). */
#include "server/base/identifier.h"
#include "server/text/latex.h"
#include "server/text/work_private.h"

#include <string.h>

static struct slice web_address(struct work *w, struct slice field)
{
    struct slice url = latex_address(w->arena, field);
    const char *from = memmem(url.bytes, url.length, "http", 4);
    if (from == NULL)
        return (struct slice){"", 0};
    url = slice_between(from, url.bytes + url.length);
    bool web = (url.length > 7 && strncasecmp(url.bytes, "http://", 7) == 0) ||
               (url.length > 8 && strncasecmp(url.bytes, "https://", 8) == 0);
    return web && url.length <= 2000 ? url : (struct slice){"", 0};
}

static struct slice find_url(struct work *w)
{
    struct slice url =
        web_address(w, work_first(w, NAMES("url", "ee", "link", "bdsk-url-1")));
    struct slice how = work_first(w, NAMES("howpublished"));
    if (url.length == 0 && work_says(how, "http"))
        url = web_address(w, how);
    return url;
}

static void add_identifier(json_t *list, const char *scheme, struct slice value)
{
    if (value.length == 0)
        return;
    json_t *identifier = json_object();
    json_object_set_new(identifier, "scheme", json_string(scheme));
    json_object_set_new(identifier, "value", work_text(value));
    json_array_append_new(list, identifier);
}

static struct slice find_doi(struct work *w)
{
    static const char *const addresses[] = {"url",  "ee",           "bdsk-url-1",
                                            "link", "howpublished", "note"};
    struct slice doi =
        identifier_doi(w->arena, latex_address(w->arena, work_first(w, NAMES("doi"))));
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0] && doi.length == 0;
         i++) {
        struct slice field = bibtex_value(w->entry, addresses[i]);
        if (field.length <= 2000 && work_says(field, "doi.org/"))
            doi = identifier_doi(w->arena, latex_address(w->arena, field));
    }
    return doi;
}

static void put_identifiers(struct work *w)
{
    json_t *list = json_array();
    struct slice pmid = work_first(w, NAMES("pmid"));
    struct slice prefix = work_first(w, NAMES("eprinttype", "archiveprefix"));
    if (pmid.length == 0 && slice_like(prefix, "pubmed"))
        pmid = work_first(w, NAMES("eprint"));
    add_identifier(list, "doi", find_doi(w));
    add_identifier(list, "arxiv", w->arxiv);
    if (work_is(w, "book"))
        add_identifier(list, "isbn",
                       identifier_isbn(w->arena, work_first(w, NAMES("isbn"))));
    add_identifier(list, "pmid", identifier_pmid(w->arena, pmid));
    json_object_set_new(w->document, "identifiers", list);
}

/* A whole address and nothing else: such fields may also name a file of that site. */
static struct slice only_address(struct work *w, const char *field)
{
    struct slice source = bibtex_value(w->entry, field);
    struct slice url = web_address(w, source);
    bool whole = strncasecmp(latex_address(w->arena, source).bytes, "http", 4) == 0;
    return whole && memchr(url.bytes, ' ', url.length) == NULL ? url
                                                               : (struct slice){"", 0};
}

static bool listed(const json_t *links, const char *url)
{
    size_t i;
    json_t *link;
    json_array_foreach(links, i,
                       link) if (strcmp(json_string_value(json_object_get(link, "url")),
                                        url) == 0) return true;
    return false;
}

static void put_lab_links(struct work *w)
{
    static const char *const fields[][2] = {
        {"pdf",        "pdf"     },
        {"preprint",   "preprint"},
        {"code",       "code"    },
        {"github",     "code"    },
        {"repository", "code"    },
        {"slides",     "slides"  },
        {"video",      "video"   },
        {"talk",       "video"   },
        {"data",       "data"    },
        {"dataset",    "data"    },
        {"poster",     "poster"  },
        {"website",    "website" },
        {"project",    "website" },
        {"html",       "website" },
        {"demo",       "website" },
        {"supp",       "other"   },
        {"blog",       "other"   },
    };
    json_t *links = json_array();
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct slice url = only_address(w, fields[i][0]);
        json_t *address = url.length > 0 ? work_text(url) : NULL;
        if (address == NULL || listed(links, json_string_value(address)))
            continue;
        json_t *link = json_object();
        json_object_set_new(link, "kind", json_string(fields[i][1]));
        json_object_set_new(link, "url", address);
        json_array_append_new(links, link);
    }
    json_object_set_new(w->document, "links", links);
}

void work_put_links(struct work *w)
{
    work_put(w, "url", find_url(w));
    put_identifiers(w);
    put_lab_links(w);
}
