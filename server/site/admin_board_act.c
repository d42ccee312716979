/* Acting on many people of a board: whom and what was chosen is shown with what would
 * happen to each, then done with each alone, and what came of it is shown. */
#include "server/site/admin_board.h"

#include "db/store/board.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/site/board_act.h"
#include "server/site/board_filter.h"
#include "server/site/collections.h"
#include "server/site/export.h"
#include "server/site/flow.h"
#include "server/site/site.h"

#include <string.h>

enum { PEOPLE_MAX = 20000 };

struct chosen {
    json_t *collection;
    struct board_filter filter; /* of the board that it was made on */
    json_t *ids;                /* empty: nobody */
    json_t *people;             /* rows of the board */
    struct acting acting;
};

/* Everybody whom the filter shows now. */
static enum result all_of(json_t **ids, struct db *db, struct board_filter filter)
{
    json_t *people, *person;
    size_t index;
    filter.offset = 0;
    filter.limit = PEOPLE_MAX;
    TRY(board_list(&people, db, &filter));
    *ids = json_array();
    json_array_foreach(people, index, person)
        json_array_append(*ids, json_object_get(person, "id"));
    return OK;
}

static enum result choose(struct chosen *choice, struct request *request)
{
    const char *scope = field(request, "scope");
    TRY(collection_of(&choice->collection, request));
    choice->filter =
        board_filter_of(request->fields, integer_at(choice->collection, "id"));
    choice->acting =
        (struct acting){.request = request, .collection = choice->collection};
    if (field(request, "ids") != NULL)
        choice->ids = flow_numbers(request, "ids");
    else if (scope != NULL && strcmp(scope, "all") == 0)
        TRY(all_of(&choice->ids, request->db, choice->filter));
    else
        choice->ids = flow_numbers(request, "id");
    choice->people = json_array();
    if (json_array_size(choice->ids) == 0)
        return OK;
    struct board_filter chosen = {
        .collection = choice->filter.collection, .ids = choice->ids, .limit = PEOPLE_MAX};
    return board_list(&choice->people, request->db, &chosen);
}

static json_t *frame(const struct chosen *choice)
{
    struct request *request = choice->acting.request;
    const char *base = collection_path(request, choice->collection, "");
    return json_pack(
        "{s:s,s:o,s:s}", "base", base, "back",
        json_string(
            arena_print(request->arena, "%s%s", base,
                        board_filter_query(request->arena, &choice->filter, NULL, NULL))),
        "deed", deed_name(choice->acting.deed));
}

static json_t *reached_first(json_t *people)
{
    json_t *reached = json_array(), *others = json_array(), *person;
    size_t index;
    json_array_foreach(people, index, person) json_array_append(
        *text_at(person, "code", "") == '\0' ? reached : others, person);
    json_array_extend(reached, others);
    return reached;
}

/* The page that asks once more. `form`: what is wrong with the date. */
static enum result ask(struct response *response, struct chosen *choice,
                       const struct submission *form)
{
    struct request *request = choice->acting.request;
    json_t *document = frame(choice), *person, *mail = NULL, *first = NULL;
    size_t index, able = 0;
    int64_t wanted;
    const char *code;
    if (number_of(&wanted, field(request, "preview")) != OK)
        wanted = 0;
    json_array_foreach(choice->people, index, person)
    {
        TRY(deed_refusal(&code, &choice->acting, person));
        json_object_set_new(person, "code", json_string(code));
        json_object_set_new(person, "seen",
                            json_integer(integer_at(person, "mail_id") + 1));
        if (*code != '\0')
            continue;
        able++;
        if (first == NULL || integer_at(person, "id") == wanted)
            first = person;
    }
    if (first != NULL) {
        enum result shown = deed_preview(&mail, &choice->acting, first);
        TRY(shown == NOT_FOUND ? OK : shown);
    }
    board_dress(choice->people);
    json_object_set_new(document, "people", reached_first(choice->people));
    json_object_set_new(document, "able", json_integer((json_int_t)able));
    json_object_set_new(document, "chosen",
                        json_integer((json_int_t)json_array_size(choice->people)));
    json_object_set_new(document, "ids", flow_number_list(choice->people, "id"));
    json_object_set_new(document, "seen", flow_number_list(choice->people, "seen"));
    json_object_set_new(document, "mail", mail != NULL ? mail : json_null());
    json_object_set_new(document, "filter", board_filter_document(&choice->filter));
    json_object_set_new(document, "dangerous",
                        json_boolean(choice->acting.deed == DEED_WITHDRAW));
    json_object_set_new(document, "mailing", json_boolean(mail != NULL));
    json_object_set_new(document, "form", json_null());
    if (choice->acting.deed == DEED_EXTEND)
        flow_add_form(document, request, "extend", NULL, form);
    return collection_page(request, response, "collections/act.html", document,
                           choice->collection);
}

/* The date of an extension; INVALID: the page is to be drawn again with `form`. */
static enum result read_until(struct submission *form, struct chosen *choice)
{
    struct request *request = choice->acting.request;
    json_t *fields = json_object(), *until = json_object_get(request->fields, "until");
    bool over = false;
    if (until != NULL)
        json_object_set(fields, "until", until);
    TRY(form_read_fields(form, form_named(site.forms, "extend"), fields, FOR_ADMIN));
    choice->acting.until = filled_of(form->document, "until");
    if (choice->acting.until == NULL)
        return OK;
    TRY(board_day_over(&over, request->db, choice->acting.until));
    if (over)
        form_error(form, "until", "day_over");
    return over ? INVALID : OK;
}

static int64_t seen_of(json_t *seen, json_t *ids, const json_t *person)
{
    size_t index;
    json_t *id;
    json_array_foreach(ids, index, id)
    {
        if (json_equal(id, json_object_get(person, "id")))
            return json_integer_value(json_array_get(seen, index)) - 1;
    }
    return -1;
}

static enum result act(struct response *response, struct chosen *choice)
{
    struct request *request = choice->acting.request;
    json_t *document = frame(choice), *person, *left_out = json_array();
    json_t *seen = flow_numbers(request, "seen"), *done = json_array();
    size_t index;
    json_array_foreach(choice->people, index, person)
    {
        const char *code, *link;
        enum result result = deed_do(&code, &link, &choice->acting, person,
                                     seen_of(seen, choice->ids, person));
        if (result == NOT_FOUND)
            code = "changed_meanwhile";
        else if (result != OK)
            code = "failed"; /* logged; the others are not held up */
        json_object_set_new(person, "code", json_string(code));
        json_object_set_new(person, "link",
                            link != NULL ? json_string(link) : json_null());
        json_array_append(*code == '\0' ? done : left_out, person);
    }
    json_object_set_new(document, "done_count",
                        json_integer((json_int_t)json_array_size(done)));
    json_object_set_new(document, "left_count",
                        json_integer((json_int_t)json_array_size(left_out)));
    json_object_set(document, "done", done);
    json_object_set(document, "left_out", left_out);
    return collection_page(request, response, "collections/act_done.html", document,
                           choice->collection);
}

static enum result nobody(struct response *response, struct chosen *choice)
{
    json_t *document = frame(choice);
    response->status = 422;
    return collection_page(choice->acting.request, response,
                           "collections/act_nobody.html", document, choice->collection);
}

enum result admin_board_act(struct request *request, struct response *response)
{
    struct chosen choice = {0};
    struct submission form;
    const char *action = field(request, "action"), *step = field(request, "step");
    TRY(choose(&choice, request));
    if (action == NULL)
        return INVALID;
    if (json_array_size(choice.people) == 0)
        return nobody(response, &choice);
    if (strcmp(action, "export") == 0) {
        choice.filter.ids = choice.ids;
        return export_draw(request, response, &choice.filter, NULL);
    }
    if (deed_of(&choice.acting.deed, action) != OK)
        return INVALID;
    if (step == NULL || strcmp(step, "do") != 0 || field(request, "preview") != NULL)
        return ask(response, &choice, NULL);
    if (choice.acting.deed == DEED_EXTEND) {
        enum result read = read_until(&form, &choice);
        if (read == INVALID) {
            response->status = 422;
            return ask(response, &choice, &form);
        }
        TRY(read);
    }
    return act(response, &choice);
}
