/* A person's page by who looks at it; see seen.h. What is shown is decided in one place,
 * the database's may_see(); here are only the words around it. */
#include "server/site/seen.h"

#include "db/store/change.h"
#include "db/store/person.h"
#include "server/site/flow.h"
#include "server/site/people.h"

#include <string.h>

/* For a sentence: {fields: [{field, last}]}, or null. */
static json_t *listed(json_t *fields)
{
    json_t *field;
    size_t index, count = json_array_size(fields);
    json_array_foreach(fields, index, field)
        json_object_set_new(field, "last", json_boolean(index + 1 == count));
    return count > 0 ? json_pack("{s:O}", "fields", fields) : json_null();
}

static enum result draw(struct request *request, struct response *response,
                        const char *template, const char *slug, const char *standing,
                        json_t *views, bool pending)
{
    json_t *person;
    TRY(person_seen(&person, request->db, slug, standing));
    TRY(people_profile(person, request));
    static const char *const lists[] = {"hidden", "closed"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        json_t *fields = json_object_get(person, lists[i]);
        json_object_set(person, lists[i], listed(fields));
    }
    json_object_set_new(person, "standing", json_string(standing));
    json_object_set_new(person, "own", json_boolean(strcmp(standing, "owner") == 0));
    json_object_set(person, "views", views);
    json_object_set_new(person, "pending", json_boolean(pending));
    return flow_page(request, response, template, person);
}

enum result seen_member(struct request *request, struct response *response)
{
    const char *standing, *slug = param(request, "slug");
    TRY(person_standing(&standing, request->db, slug, account_id(request)));
    return draw(request, response, "people/member.html", slug, standing, json_array(),
                false);
}

/* One view after the other, the chosen one marked; *chosen is the first unless another
 * was asked for. */
static json_t *views_of(const struct request *request, const char **chosen)
{
    static const char *const names[] = {"visitor", "member", "advisor", "admin"};
    enum { COUNT = sizeof names / sizeof *names };
    const char *as = query_argument(request, "as");
    json_t *views = json_array();
    *chosen = names[0];
    for (size_t i = 0; as && i < COUNT; i++)
        if (strcmp(as, names[i]) == 0)
            *chosen = names[i];
    for (size_t i = 0; i < COUNT; i++)
        json_array_append_new(views, json_pack("{s:s,s:b}", "view", names[i], "chosen",
                                               *chosen == names[i]));
    return views;
}

enum result seen_own(struct request *request, struct response *response)
{
    const char *standing, *slug = text_at(request->account, "person_slug", NULL);
    if (!slug)
        return flow_page(request, response, "my/no_profile.html", json_object());
    json_t *change, *views = views_of(request, &standing);
    enum result pending = change_open(&change, request->db, account_id(request), "person",
                                      integer_at(request->account, "person_id"));
    if (pending != OK && pending != NOT_FOUND)
        return pending;
    return draw(request, response, "my/page.html", slug, standing, views, pending == OK);
}
