/* GET /api/v1/people, /publications and single ones: public data, filtered, paged by key.
 */
#include "db/store/public_api.h"
#include "server/api/api.h"
#include "server/api/problem.h"
#include "server/base/utf8.h"
#include "server/site/site.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_DEFAULT = 50, PAGE_MOST = 200 };

/* ?limit=, 1 to 200. */
static enum result page_limit(int *limit, const struct request *request)
{
    const char *text = query_argument(request, "limit");
    *limit = PAGE_DEFAULT;
    if (text == NULL)
        return OK;
    char *end;
    long number = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || number < 1 || number > PAGE_MOST)
        return INVALID;
    *limit = (int)number;
    return OK;
}

/* A LIKE pattern that finds the folded words of ?q= anywhere. */
static const char *search_pattern(const struct request *request)
{
    const char *text = query_argument(request, "q");
    if (text == NULL)
        return NULL;
    struct buf pattern = buf_on(request->arena);
    buf_char(&pattern, '%');
    for (const char *c = utf8_fold(request->arena, text, strlen(text)); *c != '\0'; c++) {
        if (strchr("%_\\", *c) != NULL)
            buf_char(&pattern, '\\');
        buf_char(&pattern, *c);
    }
    buf_char(&pattern, '%');
    return pattern.data;
}

/* {"items": [...], "next": the cursor of the following page, or null}. One row more than
 * the page holds has been asked for. */
static enum result put_page(struct response *response, json_t *rows, int limit,
                            json_t *(*cursor)(json_t *row))
{
    json_t *next = json_null();
    if (json_array_size(rows) > (size_t)limit) {
        json_array_remove(rows, (size_t)limit);
        next = cursor(json_array_get(rows, (size_t)limit - 1));
    }
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        json_object_del(row, "id");
        json_object_del(row, "issued");
    }
    return api_document(response, json_pack("{s:o, s:o}", "items", rows, "next", next));
}

/* "20240500.17": where a work stands in the order of the list. */
static json_t *work_cursor(json_t *row)
{
    return json_sprintf("%" JSON_INTEGER_FORMAT ".%" JSON_INTEGER_FORMAT,
                        json_integer_value(json_object_get(row, "issued")),
                        json_integer_value(json_object_get(row, "id")));
}

static enum result read_work_cursor(struct public_api_works *filter,
                                    const struct request *request)
{
    const char *text = query_argument(request, "after");
    if (text == NULL)
        return OK;
    char *end;
    filter->after_issued = strtol(text, &end, 10);
    if (end == text || *end != '.' || filter->after_issued < 0 ||
        filter->after_issued > 99999999)
        return INVALID;
    filter->after_id = strtoll(end + 1, &end, 10);
    return *end == '\0' && filter->after_id > 0 && filter->after_id < INT64_MAX ? OK
                                                                                : INVALID;
}

enum result api_publication_index(struct request *request, struct response *response)
{
    json_t *rows;
    struct public_api_works filter = {.kind = query_argument(request, "kind"),
                                      .person = query_argument(request, "person"),
                                      .pattern = search_pattern(request)};
    const char *year = query_argument(request, "year");
    int limit;
    TRY(page_limit(&limit, request));
    TRY(read_work_cursor(&filter, request));
    if (year != NULL) {
        if (strlen(year) != 4 || strspn(year, "0123456789") != 4)
            return INVALID;
        filter.year = atoi(year);
    }
    filter.limit = limit + 1;
    TRY(public_api_publication_list(&rows, request->db, &filter));
    return put_page(response, rows, limit, work_cursor);
}

static json_t *person_cursor(json_t *row)
{
    return json_incref(json_object_get(row, "slug"));
}

enum result api_person_index(struct request *request, struct response *response)
{
    json_t *rows;
    struct public_api_members filter = {.role = query_argument(request, "role"),
                                        .current = query_argument(request, "current"),
                                        .after = query_argument(request, "after")};
    int limit;
    TRY(page_limit(&limit, request));
    if (filter.current != NULL && strcmp(filter.current, "true") != 0 &&
        strcmp(filter.current, "false") != 0)
        return INVALID;
    filter.limit = limit + 1;
    TRY(public_api_person_list(&rows, request->db, &filter));
    return put_page(response, rows, limit, person_cursor);
}

/* One document, its version in the entity tag: what If-Match of a PATCH compares with.
 * Never kept here, so that the tag is the latest, but for everyone. */
static enum result put_versioned(struct response *response, json_t *document)
{
    response_header(response, "Cache-Control", "public, max-age=0, must-revalidate");
    response->version = (int)json_integer_value(json_object_get(document, "version"));
    return api_document(response, document);
}

enum result api_publication_show(struct request *request, struct response *response)
{
    json_t *work;
    TRY(public_api_publication_by_slug(&work, request->db, param(request, "slug")));
    return put_versioned(response, work);
}

enum result api_person_show(struct request *request, struct response *response)
{
    json_t *person;
    TRY(public_api_person_by_slug(&person, request->db, param(request, "slug")));
    return put_versioned(response, person);
}
