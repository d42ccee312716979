/* Whom to ask: one list of everybody, cut down by a search, with a box to ask somebody at
 * all and one to ask them first, in the pilot. Only what was shown is saved, so that a
 * search never undoes what was chosen before. */
#include "db/store/collection.h"
#include "server/base/buf.h"
#include "server/base/percent.h"
#include "server/base/utf8.h"
#include "server/site/admin_collections.h"
#include "server/site/collections.h"
#include "server/site/flow.h"
#include "server/site/people.h"

#include <stdlib.h>
#include <string.h>

enum { RANDOM_MOST = 1000, SHOWN_MOST = 400 };

struct filter {
    const char *text, *role, *who; /* folded; NULL: any */
    int64_t year;                  /* 0: any */
};

static const char *given(const struct request *request, const char *name)
{
    const char *value = query_argument(request, name);
    return value != NULL && *value != '\0' ? value : NULL;
}

static struct filter filter_of(const struct request *request)
{
    struct filter filter = {.role = given(request, "role"), .who = given(request, "who")};
    const char *text = given(request, "q");
    if (text != NULL)
        filter.text = utf8_fold(request->arena, text, strlen(text));
    if (number_of(&filter.year, query_argument(request, "year")) != OK)
        filter.year = 0;
    return filter;
}

static bool text_has(const json_t *person, const char *key, const char *folded)
{
    const char *text = text_of(person, key);
    return text != NULL &&
           strstr(utf8_fold(arena_current(), text, strlen(text)), folded) != NULL;
}

static bool in_group(const json_t *person, const char *who)
{
    if (strcmp(who, "current") == 0)
        return truth_at(person, "current");
    if (strcmp(who, "former") == 0)
        return !truth_at(person, "current");
    if (strcmp(who, "chosen") == 0)
        return truth_at(person, "chosen") || integer_at(person, "invitation_id") != 0;
    if (strcmp(who, "pilot") == 0)
        return truth_at(person, "pilot") || truth_at(person, "invitation_pilot");
    return true;
}

static bool fits(const json_t *person, const struct filter *filter)
{
    if (filter->text != NULL && !text_has(person, "name_latin", filter->text) &&
        !text_has(person, "name_han", filter->text) &&
        !text_has(person, "address", filter->text))
        return false;
    if (filter->role != NULL &&
        strcmp(text_at(person, "role", "none"), filter->role) != 0)
        return false;
    if (filter->year != 0 && integer_at(person, "year") != filter->year)
        return false;
    return filter->who == NULL || in_group(person, filter->who);
}

static json_t *option(const char *value, bool selected)
{
    return json_pack("{s:s,s:b}", "value", value, "selected", selected);
}

static int newest_first(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (right > left) - (right < left);
}

/* The years in which anybody began, newest first. */
static json_t *years(json_t *people, int64_t chosen)
{
    size_t count = 0, index;
    json_t *person, *options = json_array();
    int64_t *list = ARENA_ARRAY(arena_current(), int64_t, json_array_size(people) + 1);
    json_array_foreach(people, index, person)
    {
        int64_t year = integer_at(person, "year");
        if (year != 0)
            list[count++] = year;
    }
    qsort(list, count, sizeof *list, newest_first);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || list[i] != list[i - 1])
            json_array_append_new(
                options, option(arena_print(arena_current(), "%lld", (long long)list[i]),
                                list[i] == chosen));
    return options;
}

static void mark(json_t *person)
{
    const char *reason = text_of(person, "reason");
    json_object_set_new(person, "asked",
                        json_boolean(integer_at(person, "invitation_id") != 0));
    json_object_set_new(
        person, "hindered",
        json_boolean(reason != NULL && strcmp(reason, "no_account") != 0));
}

/* Those who can still be chosen. */
static json_t *open_people(json_t *people)
{
    json_t *open = json_array(), *person;
    size_t index;
    json_array_foreach(people, index, person)
    {
        if (!truth_at(person, "asked"))
            json_array_append(open, person);
    }
    return open;
}

static json_t *first_of(json_t *people)
{
    json_t *first = json_array();
    for (size_t i = 0; i < SHOWN_MOST && i < json_array_size(people); i++)
        json_array_append(first, json_array_get(people, i));
    return first;
}

static json_t *found_people(json_t *people, const struct filter *filter)
{
    json_t *shown = json_array(), *person;
    size_t index;
    json_array_foreach(people, index, person)
    {
        mark(person);
        if (fits(person, filter))
            json_array_append(shown, person);
    }
    return shown;
}

/* The search again, without what else a URL carries. */
static const char *query_of(const struct request *request)
{
    static const char *const names[] = {"q", "role", "year", "who"};
    struct buf query = buf_on(request->arena);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = given(request, names[i]);
        if (value != NULL)
            buf_print(&query, "%s%s=%s", query.length == 0 ? "?" : "&", names[i],
                      percent_text(request->arena, value));
    }
    return query.data;
}

static void add_filters(json_t *document, json_t *people, const struct request *request)
{
    static const char *const groups[] = {"current", "former", "chosen", "pilot", NULL};
    struct filter filter = filter_of(request);
    const char *text = query_argument(request, "q");
    json_object_set_new(document, "q", json_string(text ? text : ""));
    json_object_set_new(document, "roles", flow_options(people_roles, filter.role));
    json_object_set_new(document, "groups", flow_options(groups, filter.who));
    json_object_set_new(document, "years", years(people, filter.year));
    json_object_set_new(
        document, "narrowed",
        json_boolean(filter.text || filter.role || filter.year || filter.who));
}

enum result collection_people_page(struct request *request, struct response *response)
{
    json_t *collection, *people;
    struct filter filter = filter_of(request);
    TRY(collection_of(&collection, request));
    TRY(collection_people(&people, request->db, integer_at(collection, "id")));
    json_t *document = json_object();
    json_t *found = found_people(people, &filter), *shown = first_of(found);
    json_object_set(document, "people", shown);
    json_object_set_new(document, "shown", flow_number_list(open_people(shown), "id"));
    json_object_set_new(document, "found", flow_number_list(open_people(found), "id"));
    json_object_set_new(document, "found_count",
                        json_integer((json_int_t)json_array_size(found)));
    json_object_set_new(document, "cut",
                        json_boolean(json_array_size(found) > SHOWN_MOST));
    json_object_set_new(document, "shown_count",
                        json_integer((json_int_t)json_array_size(shown)));
    json_object_set_new(document, "all_count",
                        json_integer((json_int_t)json_array_size(people)));
    json_object_set_new(
        document, "action",
        json_string(arena_print(request->arena, "%s%s",
                                collection_path(request, collection, "/people"),
                                query_of(request))));
    add_filters(document, people, request);
    return collection_page(request, response, "collections/people.html", document,
                           collection);
}

/* What the form says of the people that it speaks of. */
struct choosing {
    json_t *about, *asked, *pilot;
};

static bool holds(json_t *numbers, int64_t number)
{
    size_t index;
    json_t *one;
    json_array_foreach(numbers, index, one)
    {
        if (json_integer_value(one) == number)
            return true;
    }
    return false;
}

/* Those of the pilot stay there, but for those whose box was shown. */
static enum result keep_pilot(struct choosing *choice, json_t *boxes,
                              struct request *request, const json_t *collection)
{
    json_t *people, *person;
    size_t index;
    TRY(collection_people(&people, request->db, integer_at(collection, "id")));
    json_array_foreach(people, index, person)
    {
        if (truth_at(person, "pilot") && !holds(boxes, integer_at(person, "id")))
            json_array_append(choice->pilot, json_object_get(person, "id"));
    }
    return OK;
}

/* `action` "save": as ticked. "all" and "none": everybody found, shown or not. "add": a
 * list from elsewhere, which takes nobody out of the pilot. */
static enum result read_choice(struct choosing *choice, const char *action,
                               struct request *request, const json_t *collection)
{
    json_t *shown = flow_numbers(request, "shown");
    *choice = (struct choosing){shown, flow_numbers(request, "ask"),
                                flow_numbers(request, "pilot")};
    if (strcmp(action, "none") == 0)
        *choice =
            (struct choosing){flow_numbers(request, "found"), json_array(), json_array()};
    if (strcmp(action, "all") == 0) {
        choice->about = choice->asked = flow_numbers(request, "found");
        return keep_pilot(choice, shown, request, collection);
    }
    if (strcmp(action, "add") == 0) {
        choice->asked = shown;
        return keep_pilot(choice, NULL, request, collection);
    }
    return OK;
}

/* With `action` "random" then some of those chosen, for the pilot. */
enum result collection_people_choose(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    struct choosing choice;
    json_t *collection;
    const char *given_action = field(request, "action");
    const char *action = given_action != NULL ? given_action : "save";
    int64_t count = 0, added = 0;
    TRY(collection_of(&collection, request));
    int64_t id = integer_at(collection, "id");
    TRY(read_choice(&choice, action, request, collection));
    TRY(collection_choose(request->db, &actor, id, choice.about, choice.asked,
                          choice.pilot));
    const char *notice = "people_chosen";
    if (strcmp(action, "random") == 0) {
        if (number_of(&count, field(request, "count")) != OK || count > RANDOM_MOST)
            count = 0;
        if (count > 0)
            TRY(collection_choose_random(&added, request->db, &actor, id, (int)count));
        notice = added > 0 ? "pilot_drawn" : "pilot_not_drawn";
    }
    flow_done(response,
              arena_print(request->arena, "%s%s",
                          collection_path(request, collection, "/people"),
                          query_of(request)),
              notice);
    return OK;
}
