/* /admin/authors: authors who are linked to nobody and may be somebody of the lab. All
 * whom a name may mean are offered; an admin links, or says that somebody is not meant.
 */
#include "db/store/claim.h"
#include "server/site/admin_works.h"
#include "server/site/flow.h"

#include <string.h>

enum { PAGE_ROWS = 50 };

enum result admin_author_index(struct request *request, struct response *response)
{
    int64_t page;
    json_t *open, *said, *row;
    size_t index;
    if (number_of(&page, query_argument(request, "page")) != OK || page > 1000000)
        page = 1;
    TRY(claim_open(&open, request->db, PAGE_ROWS, (page - 1) * PAGE_ROWS));
    TRY(claim_said(&said, request->db));
    json_array_foreach(said, index, row) json_object_set_new(
        row, "any_email", json_boolean(*text_at(row, "email", "") != '\0'));
    bool more = integer_at(open, "total") > page * PAGE_ROWS;
    json_t *document = json_object();
    json_object_set(document, "authors", json_object_get(open, "rows"));
    json_object_set_new(document, "count", json_integer(integer_at(open, "total")));
    json_object_set(document, "said", said);
    json_object_set_new(document, "any_said", json_boolean(json_array_size(said) > 0));
    json_object_set_new(document, "number", json_integer(page));
    json_object_set_new(document, "newer",
                        page > 1 ? json_integer(page - 1) : json_null());
    json_object_set_new(document, "older", more ? json_integer(page + 1) : json_null());
    return flow_page(request, response, "admin/authors.html", document);
}

enum result admin_author_say(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    struct claim_link link = {.name = field(request, "name")};
    const char *say = field(request, "say"), *notice;
    int64_t page;
    const char *back = "/admin/authors";
    if (say == NULL || number_of(&link.publication, field(request, "work")) != OK ||
        number_of(&link.person, field(request, "person")) != OK)
        return INVALID;
    if (number_of(&page, field(request, "page")) == OK)
        back = arena_print(request->arena, "%s?page=%lld", back, (long long)page);
    enum result result;
    if (strcmp(say, "undo") == 0) {
        result = claim_drop(request->db, &actor, link.publication, link.person);
        notice = "claim_undone";
    } else {
        bool linked = strcmp(say, "link") == 0;
        if (link.name == NULL ||
            number_of(&link.position, field(request, "position")) != OK)
            return INVALID;
        if (!linked && strcmp(say, "unlink") != 0)
            return INVALID;
        result = claim_set(request->db, &actor, &link, linked);
        notice = linked ? "author_linked" : "author_not_meant";
    }
    if (result != CONFLICT)
        TRY(result);
    flow_done(response, back, result == CONFLICT ? "author_moved" : notice);
    return OK;
}
