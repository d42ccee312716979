/* The members: who is here, who was, and each one's page. */
#include "server/site/people.h"

#include "db/store/public.h"
#include "server/base/document.h"
#include "server/base/utf8.h"
#include "server/site/page.h"
#include "server/site/publications.h"
#include "server/text/markdown.h"
#include "server/text/names_han.h"

#include <string.h>

const char *const people_roles[] = {
    "faculty",       "postdoc", "staff",  "phd",  "master",
    "undergraduate", "visitor", "member", "none", NULL};

enum { ALUMNI_UNFOLDED = 12, PERSON_WORKS = 200 };

/* The family name; of a name that does not look like a person's, the first character. */
static const char *han_monogram(struct arena *arena, const char *name)
{
    size_t length = han_family(slice_of(name));
    if (length == 0)
        utf8_next(name, strlen(name), &length);
    return arena_copy(arena, name, length);
}

static size_t first_letter(const char *name)
{
    size_t size = 0;
    if (name != NULL)
        utf8_next(name, strlen(name), &size);
    return size;
}

const char *people_monogram(const json_t *person, enum language language,
                            enum language *written_in)
{
    struct arena *arena = arena_current();
    const char *han = filled_of(person, "name_han");
    const char *given = filled_of(person, "given_latin"),
               *family = filled_of(person, "family_latin");
    if (han != NULL && (language == CHINESE || (given == NULL && family == NULL))) {
        *written_in = CHINESE;
        return han_monogram(arena, han);
    }
    *written_in = ENGLISH;
    return arena_print(arena, "%.*s%.*s", (int)first_letter(given),
                       given != NULL ? given : "", (int)first_letter(family),
                       family != NULL ? family : "");
}

void people_prepare(json_t *person, enum language language)
{
    enum language in;
    json_object_set_new(person, "monogram",
                        json_string(people_monogram(person, language, &in)));
    json_object_set_new(person, "monogram_lang", json_string(language_codes[in]));
    json_object_set(person, "role_shown", json_object_get(person, "role"));
}

/* "2019–2021", but "2021" for a stay within one year. */
static void prepare_years(json_t *stay)
{
    json_t *from = json_object_get(stay, "from_year");
    json_object_set_new(stay, "same_year",
                        json_boolean(json_is_integer(from) &&
                                     json_equal(from, json_object_get(stay, "to_year"))));
}

/* The group of the person's role: groups stand in the order in which people come. */
static json_t *group_of(json_t *groups, json_t *person)
{
    json_t *role = json_object_get(person, "role");
    json_t *last = json_array_get(groups, json_array_size(groups) - 1);
    if (last != NULL && json_equal(json_object_get(last, "role"), role))
        return json_object_get(last, "people");
    json_t *people = json_array();
    json_array_append_new(groups, json_pack("{s:O,s:o}", "role", role, "people", people));
    return people;
}

enum result people_index(struct request *request, struct response *response)
{
    json_t *people, *person, *groups = json_array(), *alumni = json_array();
    size_t i;
    TRY(public_people(&people, request->db));
    json_array_foreach(people, i, person)
    {
        people_prepare(person, request->language);
        prepare_years(person);
        json_object_set_new(person, "role_shown", json_null()); /* the heading says it */
        json_array_append(truth_at(person, "alumnus") ? alumni : group_of(groups, person),
                          person);
    }
    size_t gone = json_array_size(alumni), here = json_array_size(people) - gone;
    json_t *document = json_pack("{s:o}", "groups", groups);
    json_object_set_new(document, "current",
                        here > 0 ? json_pack("{s:I}", "count", (json_int_t)here)
                                 : json_null());
    json_object_set_new(document, "alumni",
                        gone > 0
                            ? json_pack("{s:I,s:b,s:o}", "count", (json_int_t)gone, "few",
                                        (int)(gone <= ALUMNI_UNFOLDED), "people", alumni)
                            : json_null());
    return page(request, response, "people/index.html", document);
}

static enum result add_biography(json_t *person)
{
    const char *biography = filled_of(person, "biography");
    struct slice html = {0};
    if (biography != NULL)
        TRY(markdown_html(&html, arena_current(), slice_of(biography)));
    json_object_set_new(person, "biography_html",
                        html.length > 0 ? json_stringn(html.bytes, html.length)
                                        : json_null());
    return OK;
}

static enum result add_works(json_t *person, struct request *request)
{
    struct public_works_filter filter = {.person = filled_of(person, "slug"),
                                         .limit = PERSON_WORKS};
    json_t *works;
    TRY(public_works(&works, request->db, &filter));
    json_int_t found =
        json_integer_value(json_object_get(json_array_get(works, 0), "found"));
    json_object_set_new(person, "has_works", json_boolean(json_array_size(works) > 0));
    json_object_set_new(person, "more_works", json_boolean(found > PERSON_WORKS));
    json_object_set_new(person, "years", works_by_year(works, filter.person));
    return OK;
}

enum result people_profile(json_t *person, struct request *request)
{
    json_t *appointment;
    size_t i;
    localize(person, request->language);
    people_prepare(person, request->language);
    json_t *appointments = json_object_get(person, "appointments");
    json_array_foreach(appointments, i, appointment) prepare_years(appointment);
    TRY(add_biography(person));
    TRY(add_works(person, request));
    bool links = json_array_size(json_object_get(person, "links")) > 0;
    json_object_set_new(person, "has_links", json_boolean(links));
    bool contact = filled_of(person, "email") != NULL ||
                   filled_of(person, "phone") != NULL ||
                   filled_of(person, "office") != NULL ||
                   filled_of(person, "orcid") != NULL || links;
    json_object_set_new(person, "has_contact", json_boolean(contact));
    json_object_set_new(person, "has_appointments",
                        json_boolean(json_array_size(appointments) > 0));
    json_object_set_new(person, "has_role",
                        json_boolean(filled_of(person, "role") != NULL ||
                                     filled_of(person, "title") != NULL));
    return OK;
}

enum result people_show(struct request *request, struct response *response)
{
    json_t *person;
    TRY(public_person(&person, request->db, param(request, "slug")));
    TRY(people_profile(person, request));
    return page(request, response, "people/show.html", person);
}
