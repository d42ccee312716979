/* schema.org's view of a work; see linked_data.h. */
#include "server/text/linked_data.h"

#include "server/base/document.h"
#include "server/base/utf8.h"
#include "server/text/work_facts.h"
#include "server/text/written_name.h"

#include <string.h>

static void set(json_t *object, const char *key, const char *value)
{
    if (value != NULL && *value != '\0')
        json_object_set_new(object, key, json_string(value));
}

static json_t *thing(const char *type, const char *name)
{
    return name == NULL ? NULL : json_pack("{s:s,s:s}", "@type", type, "name", name);
}

static void set_thing(json_t *object, const char *key, json_t *value)
{
    if (value != NULL)
        json_object_set_new(object, key, value);
}

static const char *type_of(const json_t *work)
{
    static const struct {
        const char *kind, *type;
    } types[] = {
        {"article",    "ScholarlyArticle"  },
        {"conference", "ScholarlyArticle"  },
        {"preprint",   "ScholarlyArticle"  },
        {"book",       "Book"              },
        {"chapter",    "Chapter"           },
        {"thesis",     "Thesis"            },
        {"report",     "Report"            },
        {"software",   "SoftwareSourceCode"},
        {"dataset",    "Dataset"           },
    };
    const char *kind = text_at(work, "kind", "");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(kind, types[i].kind) == 0)
            return types[i].type;
    return "CreativeWork";
}

static json_t *people(const json_t *names)
{
    size_t i;
    const json_t *one;
    json_t *all = json_array();
    json_array_foreach(names, i, one)
    {
        struct written_name name = written_name(one);
        bool group =
            name.given == NULL && !utf8_has_han(name.family, strlen(name.family));
        json_t *person = thing(group ? "Organization" : "Person", filled_of(one, "name"));
        if (person == NULL)
            continue;
        set(person, "givenName", name.given);
        set(person, "familyName", name.given != NULL ? name.family : NULL);
        set(person, "url", filled_of(one, "page"));
        json_array_append_new(all, person);
    }
    return json_array_size(all) > 0 ? all : NULL;
}

/* The journal by its volume and issue, or the book that it stands in. */
static json_t *part_of(const json_t *work)
{
    const char *kind = text_at(work, "kind", ""), *venue = filled_of(work, "venue");
    const char *volume = filled_of(work, "volume"), *issue = filled_of(work, "issue");
    bool article = strcmp(kind, "article") == 0;
    json_t *whole = thing(article                           ? "Periodical"
                          : strcmp(kind, "chapter") == 0    ? "Book"
                          : strcmp(kind, "conference") == 0 ? "Book"
                                                            : "CreativeWork",
                          venue);
    if (whole == NULL || !article)
        return whole;
    if (volume != NULL)
        whole = json_pack("{s:s,s:s,s:o}", "@type", "PublicationVolume", "volumeNumber",
                          volume, "isPartOf", whole);
    if (issue != NULL)
        whole = json_pack("{s:s,s:s,s:o}", "@type", "PublicationIssue", "issueNumber",
                          issue, "isPartOf", whole);
    return whole;
}

static void set_identifiers(json_t *data, const json_t *work)
{
    size_t i;
    const json_t *one;
    json_t *all = json_array(), *same = json_array();
    json_array_foreach(json_object_get(work, "identifiers"), i, one)
    {
        const char *scheme = filled_of(one, "scheme"), *value = filled_of(one, "value");
        if (scheme == NULL || value == NULL)
            continue;
        if (strcmp(scheme, "isbn") == 0) {
            set(data, "isbn", value);
            continue;
        }
        json_array_append_new(all, json_pack("{s:s,s:s,s:s}", "@type", "PropertyValue",
                                             "propertyID", scheme, "value", value));
        const char *address = identifier_address(arena_current(), scheme, value);
        if (address != NULL)
            json_array_append_new(same, json_string(address));
    }
    set_thing(data, "identifier", json_array_size(all) > 0 ? all : NULL);
    set_thing(data, "sameAs", json_array_size(same) > 0 ? same : NULL);
}

json_t *linked_data(const json_t *work)
{
    struct work_pages pages = work_pages(arena_current(), work);
    const char *title = text_at(work, "title", ""), *pdf = filled_of(work, "pdf");
    json_t *data = json_pack("{s:s,s:s,s:s}", "@context", "https://schema.org", "@type",
                             type_of(work), "name", title);
    if (strcmp(type_of(work), "ScholarlyArticle") == 0)
        set(data, "headline", title);
    set_thing(data, "author", people(json_object_get(work, "authors")));
    set_thing(data, "editor", people(json_object_get(work, "editors")));
    set(data, "datePublished", work_date_text(arena_current(), work));
    set(data, "inLanguage", work_language(work));
    set(data, "url", filled_of(work, "page"));
    set(data, "abstract", filled_of(work, "abstract"));
    set(data, "award", filled_of(work, "award"));
    set_thing(data, "isPartOf", part_of(work));
    set_thing(data, "publisher", thing("Organization", filled_of(work, "publisher")));
    set(data, "bookEdition",
        strcmp(type_of(work), "Book") == 0 ? filled_of(work, "edition") : NULL);
    set(data, "pageStart", pages.first);
    set(data, "pageEnd", pages.last);
    set(data, "pagination", pages.shown);
    set_identifiers(data, work);
    if (pdf != NULL)
        json_object_set_new(data, "encoding",
                            json_pack("{s:s,s:s,s:s}", "@type", "MediaObject",
                                      "contentUrl", pdf, "encodingFormat",
                                      "application/pdf"));
    return data;
}

void linked_data_html(struct buf *out, json_t *data)
{
    const char *text = json_dumps(data, JSON_COMPACT);
    buf_string(out, "<script type=\"application/ld+json\">");
    for (; text != NULL && *text != '\0'; text++)
        if (strchr("<>&", *text) != NULL)
            buf_print(out, "\\u%04x", (unsigned)*text);
        else
            buf_char(out, *text);
    buf_string(out, "</script>");
}
