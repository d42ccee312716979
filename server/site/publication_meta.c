/* Fields for Google Scholar, Zotero and search engines; see publication_meta.h. */
#include "server/site/publication_meta.h"

#include "server/base/config.h"
#include "server/base/document.h"
#include "server/base/percent.h"
#include "server/http/query.h"
#include "server/text/coins.h"
#include "server/text/linked_data.h"
#include "server/text/work_facts.h"

#include <string.h>

static json_t *text_or_null(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

/* A path of ours as an address; NULL when it is not known where the site is. */
static const char *address(const char *path)
{
    if (path == NULL || *path != '/')
        return path;
    return *config.base_url != '\0'
               ? arena_print(arena_current(), "%s%s", config.base_url, path)
               : NULL;
}

static void add(json_t *meta, const char *name, const char *value)
{
    if (value != NULL && *value != '\0')
        json_array_append_new(meta, json_pack("{s:s,s:s}", "name", name, "value", value));
}

/* The first link to a PDF, ours before others'. */
static const char *pdf_of(const json_t *work)
{
    const char *found = NULL;
    size_t i;
    const json_t *link;
    json_array_foreach(json_object_get(work, "links"), i, link)
    {
        const char *url = filled_of(link, "url");
        if (url == NULL || strcmp(text_at(link, "kind", ""), "pdf") != 0)
            continue;
        if (found == NULL || *url == '/')
            found = url;
        if (*url == '/')
            break;
    }
    return address(found);
}

/* Scholar takes whole dates, with slashes, or years. */
static const char *scholar_date(const json_t *work)
{
    char *date = arena_print(arena_current(), "%s", text_at(work, "published", ""));
    if (strlen(date) < strlen("2020-01-01"))
        date[strcspn(date, "-")] = '\0';
    for (char *at = date; *at != '\0'; at++)
        if (*at == '-')
            *at = '/';
    return date;
}

/* What the work appeared in or came from has a field for each kind. */
static void add_container(json_t *meta, const json_t *work)
{
    static const struct {
        const char *kind, *key, *name;
    } fields[] = {
        {"article",    "venue",     "citation_journal_title"               },
        {"conference", "venue",     "citation_conference_title"            },
        {"chapter",    "venue",     "citation_inbook_title"                },
        {"thesis",     "publisher", "citation_dissertation_institution"    },
        {"thesis",     "genre",     "citation_dissertation_name"           },
        {"report",     "publisher", "citation_technical_report_institution"},
        {"report",     "number",    "citation_technical_report_number"     },
    };
    const char *kind = text_at(work, "kind", "");
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (strcmp(kind, fields[i].kind) == 0)
            add(meta, fields[i].name, filled_of(work, fields[i].key));
    if (strcmp(kind, "thesis") != 0 && strcmp(kind, "report") != 0)
        add(meta, "citation_publisher", filled_of(work, "publisher"));
}

static json_t *citation_fields(const json_t *work, const char *page)
{
    json_t *meta = json_array(), *one;
    size_t i;
    struct work_pages pages = work_pages(arena_current(), work);
    const json_t *people = json_object_get(work, "authors");
    add(meta, "citation_title", filled_of(work, "title"));
    if (json_array_size(people) == 0)
        people = json_object_get(work, "editors");
    json_array_foreach(people, i, one)
        add(meta, "citation_author", filled_of(one, "name"));
    add(meta, "citation_publication_date", scholar_date(work));
    add_container(meta, work);
    add(meta, "citation_volume", filled_of(work, "volume"));
    add(meta, "citation_issue", filled_of(work, "issue"));
    add(meta, "citation_firstpage", pages.first);
    add(meta, "citation_lastpage", pages.last);
    add(meta, "citation_doi", work_identifier(work, "doi"));
    add(meta, "citation_arxiv_id", work_identifier(work, "arxiv"));
    add(meta, "citation_pmid", work_identifier(work, "pmid"));
    add(meta, "citation_isbn", work_identifier(work, "isbn"));
    add(meta, "citation_language", text_of(work, "language"));
    json_array_foreach(json_object_get(work, "topics"), i, one)
        add(meta, "citation_keywords", filled_of(one, "name"));
    add(meta, "citation_abstract_html_url", page);
    add(meta, "citation_pdf_url", pdf_of(work));
    return meta;
}

static void add_pages_of_people(json_t *people, const char *prefix)
{
    size_t i;
    json_t *one;
    json_array_foreach(people, i, one)
    {
        const char *slug = filled_of(one, "person_slug");
        const char *page =
            slug == NULL ? NULL
                         : address(arena_print(arena_current(), "%s/people/%s", prefix,
                                               percent_text(arena_current(), slug)));
        json_object_set_new(one, "page", text_or_null(page));
    }
}

void publication_meta(json_t *work, const struct request *request)
{
    struct arena *arena = arena_current();
    struct buf coins = buf_on(arena), data = buf_on(arena);
    const char *prefix = arena_print(arena, "/%s", language_codes[request->language]);
    const char *page = address(query_page_key(request));
    json_object_set_new(work, "published", text_or_null(work_date_text(arena, work)));
    json_object_set_new(work, "language", json_string(work_language(work)));
    json_object_set_new(work, "page", text_or_null(page));
    json_object_set_new(work, "pdf", text_or_null(pdf_of(work)));
    add_pages_of_people(json_object_get(work, "authors"), prefix);
    json_object_set_new(work, "meta", citation_fields(work, page));
    coins_write(&coins, work, page);
    json_object_set_new(work, "coins", json_string(coins.data));
    linked_data_html(&data, linked_data(work));
    json_object_set_new(work, "linked_data_html", json_string(data.data));
}
