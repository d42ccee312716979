/* The lab in one page: its own sentence, its latest works, some of its people. */
#include "server/site/home.h"

#include "db/store/public.h"
#include "server/site/page.h"
#include "server/site/people.h"
#include "server/site/publications.h"

enum { HOME_WORKS = 6, HOME_PEOPLE = 8 };

enum result home_index(struct request *request, struct response *response)
{
    struct public_works_filter newest = {.limit = HOME_WORKS},
                               chosen = {.selected = true, .limit = HOME_WORKS};
    json_t *lab, *works, *selected, *all, *person, *people = json_array();
    size_t i;
    json_int_t here = 0;
    TRY(page_lab(&lab, request));
    TRY(public_works(&works, request->db, &newest));
    TRY(public_works(&selected, request->db, &chosen));
    TRY(public_people(&all, request->db));
    works_prepare(works);
    works_prepare(selected);
    json_array_foreach(all, i, person)
    {
        if (json_is_true(json_object_get(person, "alumnus")))
            continue;
        if (here++ < HOME_PEOPLE) {
            people_prepare(person, request->language);
            json_array_append(people, person);
        }
    }
    json_t *document = json_pack("{s:o,s:b,s:o,s:b}", "works", works, "has_works",
                                 (int)(json_array_size(works) > 0), "people", people,
                                 "has_people", (int)(here > 0));
    json_object_set_new(document, "has_selected",
                        json_boolean(json_array_size(selected) > 0));
    json_object_set_new(document, "selected", selected);
    json_object_set_new(document, "current",
                        here > 0 ? json_pack("{s:I}", "count", here) : json_null());
    json_object_set_new(document, "about_html",
                        page_markdown(request, json_object_get(lab, "about")));
    return page(request, response, "home/index.html", document);
}
