/* The works: the list with its filters and each one's page. */
#include "server/site/publications.h"

#include "db/store/public.h"
#include "server/base/document.h"
#include "server/base/utf8.h"
#include "server/site/page.h"
#include "server/site/site.h"
#include "server/site/work_filter.h"
#include "server/site/works_chart.h"
#include "server/site/works_export.h"
#include "server/view/view.h"

#include <string.h>

enum { PAGE_WORKS = 50 };

static json_t *string_or_null(const char *value)
{
    return value != NULL ? json_string(value) : json_null();
}

/* Which language a printed text is in, as far as its script tells. */
static void set_lang(json_t *object, const char *key, const char *value)
{
    bool han = value != NULL && utf8_has_han(value, strlen(value));
    json_object_set_new(object, key,
                        json_string(language_codes[han ? CHINESE : ENGLISH]));
}

static void prepare_common(json_t *work)
{
    size_t i;
    json_t *author, *authors = json_object_get(work, "authors");
    set_lang(work, "title_lang", filled_of(work, "title"));
    set_lang(work, "venue_lang", filled_of(work, "venue"));
    json_array_foreach(authors, i, author)
    {
        set_lang(author, "lang", filled_of(author, "name"));
        json_object_set_new(author, "asked_for", json_false());
        json_object_set_new(author, "last",
                            json_boolean(i + 1 == json_array_size(authors)));
    }
}

/* Where the identifier leads, or NULL. A DOI may hold any character. */
static const char *identifier_url(const char *scheme, const char *value)
{
    static const struct {
        const char *scheme, *prefix;
    } places[] = {
        {"doi",   "https://doi.org/"                },
        {"arxiv", "https://arxiv.org/abs/"          },
        {"pmid",  "https://pubmed.ncbi.nlm.nih.gov/"},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (strcmp(places[i].scheme, scheme) != 0)
            continue;
        struct buf url = buf_on(arena_current());
        buf_string(&url, places[i].prefix);
        for (; *value != '\0'; value++)
            if (strchr("<>\"#%?[]\\^`{|} ", *value) != NULL || *value < ' ')
                buf_print(&url, "%%%02X", (unsigned char)*value);
            else
                buf_char(&url, *value);
        return url.data;
    }
    return NULL;
}

/* "A, B": the names of those for whom `flag` is true (NULL: of all); null when there are
 * none. */
static json_t *names_of(json_t *people, const char *flag)
{
    struct buf names = buf_on(arena_current());
    size_t i;
    json_t *one;
    json_array_foreach(people, i, one)
    {
        if ((flag != NULL && !truth_at(one, flag)) || filled_of(one, "name") == NULL)
            continue;
        if (names.length > 0)
            buf_string(&names, ", ");
        buf_string(&names, filled_of(one, "name"));
    }
    return names.length > 0 ? json_string(names.data) : json_null();
}

/* The ways to the work itself: its links, and those that its numbers give. */
static void add_get(json_t *work)
{
    static const struct {
        const char *scheme, *kind;
    } numbers[] = {
        {"arxiv", "preprint"},
        {"doi",   "doi"     }
    };
    json_t *links = json_object_get(work, "links"), *link;
    json_t *identifiers = json_object_get(work, "identifiers");
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        const char *value = filled_of(identifiers, numbers[n].scheme);
        size_t i;
        bool linked = value == NULL;
        json_array_foreach(links, i, link) linked =
            linked || strcmp(text_at(link, "kind", ""), numbers[n].kind) == 0;
        if (!linked)
            json_array_append_new(links,
                                  json_pack("{s:s,s:s}", "kind", numbers[n].kind, "url",
                                            identifier_url(numbers[n].scheme, value)));
    }
}

/* "CCF-A; CORE A*" as [{name: "CCF-A"}, {name: "CORE A*"}]. */
static json_t *ranks_of(const json_t *work)
{
    json_t *ranks = json_array();
    const char *rank = text_at(work, "rank", "");
    while (*(rank += strspn(rank, "; ")) != '\0') {
        size_t length = strcspn(rank, ";");
        json_array_append_new(ranks, json_pack("{s:s%}", "name", rank, length));
        rank += length;
    }
    return ranks;
}

static void prepare(json_t *work)
{
    const char *kind = filled_of(work, "kind");
    json_int_t all = json_integer_value(json_object_get(work, "author_count"));
    json_int_t more = all - (json_int_t)json_array_size(json_object_get(work, "authors"));
    bool usual =
        kind != NULL && (strcmp(kind, "article") == 0 || strcmp(kind, "conference") == 0);
    prepare_common(work);
    add_get(work);
    json_object_set_new(work, "ranks", ranks_of(work));
    json_object_set_new(work, "edited_by",
                        all == 0 ? names_of(json_object_get(work, "editors"), NULL)
                                 : json_null());
    json_object_set_new(work, "kind_tag", usual ? json_null() : string_or_null(kind));
    json_object_set_new(work, "more_authors",
                        more > 0 ? json_integer(more) : json_null());
}

void works_prepare(json_t *works)
{
    size_t i;
    json_t *work;
    json_array_foreach(works, i, work) prepare(work);
}

json_t *works_by_year(json_t *works, const char *person)
{
    json_t *years = json_array(), *work, *group = NULL, *author;
    size_t i, j;
    works_prepare(works);
    json_array_foreach(works, i, work)
    {
        json_t *year = json_object_get(work, "year");
        if (group == NULL || !json_equal(json_object_get(group, "year"), year)) {
            group = json_pack("{s:O,s:[]}", "year", year, "works");
            json_array_append_new(years, group);
        }
        json_array_append(json_object_get(group, "works"), work);
        json_array_foreach(json_object_get(work, "authors"), j, author)
            json_object_set_new(
                author, "asked_for",
                json_boolean(person != NULL &&
                             strcmp(text_at(author, "person_slug", ""), person) == 0));
    }
    return years;
}

/* How many there are, and the way to the next page. */
static void add_paging(json_t *document, json_t *works,
                       const struct public_works_filter *filter, const char *base)
{
    size_t shown = json_array_size(works);
    json_t *last = json_array_get(works, shown - 1);
    json_int_t found = json_integer_value(json_object_get(last, "found"));
    bool first = filter->after == 0, more = found > filter->limit;
    bool many = found > PUBLIC_WORKS_COUNTED || (more && truth_at(last, "open"));
    const char *query = work_filter_query(arena_current(), filter, NULL);
    const char *here = arena_print(arena_current(), "%s%s", base, query);
    json_object_set_new(
        document, "found",
        first && found > 0
            ? json_pack("{s:I,s:b}", "count", many ? found - 1 : found, "more", (int)many)
            : json_null());
    const char *after = NULL;
    if (more)
        after =
            arena_print(arena_current(), "%s%cafter=%lld", here,
                        *query != '\0' ? '&' : '?', (long long)integer_at(last, "id"));
    json_object_set_new(document, "here", json_string(here));
    json_object_set_new(document, "files", works_files(query));
    json_object_set_new(document, "earlier", string_or_null(after));
    json_object_set_new(document, "later", json_boolean(!first));
    json_object_set_new(document, "paged", json_boolean(!first || more));
    json_object_set_new(document, "has_works", json_boolean(shown > 0));
}

/* The picture of all works stands on the first page of all works. */
static enum result add_chart(json_t *document, struct request *request, bool shown)
{
    json_t *counts, *chart = NULL;
    if (shown) {
        TRY(public_work_counts_of(&counts, request->db));
        chart = works_chart(counts);
    }
    json_object_set_new(document, "chart", chart != NULL ? chart : json_null());
    return OK;
}

enum result works_list(json_t **document, json_t **works,
                       struct public_works_filter *filter, struct request *request,
                       const char *base)
{
    json_t *choices;
    TRY(work_filter_read(filter, &choices, request));
    filter->limit = PAGE_WORKS;
    TRY(public_works(works, request->db, filter));
    *document = json_pack("{s:s,s:s,s:O,s:o,s:b}", "base", base, "text",
                          filter->text ? filter->text : "", "choices", choices, "active",
                          work_filter_active(filter, choices, base), "filtered",
                          (int)work_filter_narrows(filter));
    add_paging(*document, *works, filter, base);
    return OK;
}

enum result publications_index(struct request *request, struct response *response)
{
    json_t *document, *works;
    struct public_works_filter filter;
    const char *base = arena_print(request->arena, "/%s/publications",
                                   language_codes[request->language]);
    TRY(works_list(&document, &works, &filter, request, base));
    TRY(add_chart(document, request, !work_filter_narrows(&filter) && filter.after == 0));
    json_object_set_new(document, "years", works_by_year(works, filter.person));
    return page(request, response, "publications/index.html", document);
}
