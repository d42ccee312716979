/* A member's works: which are theirs, which may be, which are not; and works that others
 * send in and that name them. */
#include "server/site/my_works.h"

#include "db/store/claim.h"
#include "server/base/utf8.h"
#include "server/site/flow.h"

#include <string.h>

enum { PAGE_ROWS = 50, CHOSEN_MAX = 1000, COMMENT_MAX = 2000 };

static const char *const lists[] = {"confirm", "mine", "not_mine", NULL};

static int64_t own_person(const struct request *request)
{
    return integer_at(request->account, "person_id");
}

/* NULL: none of the three. */
static const char *list_named(const char *name)
{
    for (size_t i = 0; name != NULL && lists[i] != NULL; i++)
        if (strcmp(name, lists[i]) == 0)
            return lists[i];
    return NULL;
}

static int64_t page_number(const char *text)
{
    int64_t page;
    return number_of(&page, text) == OK && page < 1000000 ? page : 1;
}

static json_t *tabs(const json_t *claims, const char *chosen)
{
    json_t *rows = json_array();
    for (size_t i = 0; lists[i] != NULL; i++)
        json_array_append_new(rows,
                              json_pack("{s:s, s:I, s:b}", "list", lists[i], "count",
                                        (json_int_t)integer_at(claims, lists[i]),
                                        "chosen", (int)(strcmp(lists[i], chosen) == 0)));
    return rows;
}

/* The works that were just spoken of, for the button that takes it back: numbers alone.
 */
static json_t *just_said(const struct request *request)
{
    const char *said = query_argument(request, "said");
    if (said == NULL || *said == '\0' || strlen(said) > 1000 ||
        strspn(said, "0123456789,") != strlen(said))
        return json_null();
    return json_string(said);
}

enum result my_works_index(struct request *request, struct response *response)
{
    int64_t person = own_person(request),
            page = page_number(query_argument(request, "page"));
    const char *list = list_named(query_argument(request, "list"));
    json_t *claims;
    if (person == 0)
        return flow_page(request, response, "my/no_profile.html", json_object());
    TRY(claim_list(&claims, request->db, person, list != NULL ? list : "confirm",
                   PAGE_ROWS, (page - 1) * PAGE_ROWS));
    if (list == NULL && integer_at(claims, "confirm") == 0)
        TRY(claim_list(&claims, request->db, person, list = "mine", PAGE_ROWS,
                       (page - 1) * PAGE_ROWS));
    list = list != NULL ? list : "confirm";
    json_t *document = json_object(), *is = json_object();
    for (size_t i = 0; lists[i] != NULL; i++)
        json_object_set_new(is, lists[i], json_boolean(strcmp(lists[i], list) == 0));
    bool more = integer_at(claims, list) > page * PAGE_ROWS;
    json_object_set_new(document, "tabs", tabs(claims, list));
    json_object_set_new(document, "list", json_string(list));
    json_object_set_new(document, "is", is);
    json_object_set(document, "works", json_object_get(claims, "rows"));
    json_object_set_new(document, "number", json_integer(page));
    json_object_set_new(document, "newer",
                        page > 1 ? json_integer(page - 1) : json_null());
    json_object_set_new(document, "older", more ? json_integer(page + 1) : json_null());
    json_object_set_new(document, "said", just_said(request));
    return flow_page(request, response, "my/works.html", document);
}

struct wish {
    enum claim_verdict verdict;
    const char *notice;
    json_t *ids;
};

/* Which button was pressed, for one work or those that are chosen. NOT_FOUND: none. */
static enum result read_wish(struct wish *wish, struct request *request)
{
    static const struct {
        const char *button, *notice;
        enum claim_verdict verdict;
    } buttons[] = {
        {"mine",     "claim_mine",     CLAIM_MINE    },
        {"not_mine", "claim_not_mine", CLAIM_NOT_MINE},
        {"undo",     "claim_undone",   CLAIM_UNDO    },
    };
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
        const char *value = field(request, buttons[i].button);
        if (value == NULL)
            continue;
        bool chosen = strcmp(value, "chosen") == 0;
        *wish = (struct wish){buttons[i].verdict, buttons[i].notice,
                              flow_numbers(request, chosen ? "work" : buttons[i].button)};
        return json_array_size(wish->ids) > CHOSEN_MAX ? INVALID : OK;
    }
    return NOT_FOUND;
}

static const char *back_to(const struct request *request)
{
    const char *list = list_named(field(request, "list"));
    if (list == NULL)
        return "/my/publications";
    return arena_print(request->arena, "/my/publications?list=%s&page=%lld", list,
                       (long long)page_number(field(request, "page")));
}

enum result my_works_say(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    struct wish wish;
    int64_t count, person = own_person(request);
    const char *back = back_to(request);
    if (person == 0)
        return NOT_FOUND;
    TRY(read_wish(&wish, request) == OK ? OK : INVALID);
    if (json_array_size(wish.ids) == 0) {
        flow_done(response, back, "none_chosen");
        return OK;
    }
    TRY(claim_say(&count, request->db, &actor, person, wish.verdict, wish.ids));
    const char *said = json_string_value(flow_number_list(wish.ids, NULL));
    if (count == 0)
        wish.notice = "claim_none";
    else if (count < (int64_t)json_array_size(wish.ids))
        wish.notice = "claim_some";
    if (count > 0 && wish.verdict != CLAIM_UNDO && strlen(said) <= 1000)
        back = arena_print(request->arena, "%s%ssaid=%s", back,
                           strchr(back, '?') ? "&" : "?", said);
    flow_done(response, back, wish.notice);
    return OK;
}

/* Works that co-authors send in. */

struct typed {
    int64_t change;
    const char *comment;
    const char *error; /* code, or NULL */
};

static enum result draw_entered(struct request *request, struct response *response,
                                const struct typed *typed)
{
    json_t *changes, *change;
    size_t index;
    TRY(claim_entered_list(&changes, request->db, account_id(request)));
    json_array_foreach(changes, index, change)
    {
        bool here = typed != NULL && typed->change == integer_at(change, "id");
        bool wrong = strcmp(text_at(change, "verdict", ""), "wrong") == 0;
        json_object_set_new(
            change, "said_right",
            json_boolean(strcmp(text_at(change, "verdict", ""), "right") == 0));
        json_object_set_new(change, "said_wrong", json_boolean(wrong));
        json_object_set_new(change, "error",
                            here && typed->error ? json_string(typed->error)
                                                 : json_null());
        json_object_set_new(change, "typed",
                            json_string(here && typed->comment ? typed->comment
                                        : wrong ? text_at(change, "comment", "")
                                                : ""));
        json_object_set_new(change, "opened", json_boolean(here || wrong));
    }
    return flow_page(request, response, "my/entered.html",
                     json_pack("{s:O}", "changes", changes));
}

enum result my_entered_index(struct request *request, struct response *response)
{
    return draw_entered(request, response, NULL);
}

static const char *comment_fault(const char *comment)
{
    size_t length = strlen(comment);
    if (strspn(comment, " \t\n") == length)
        return "comment_needed";
    bool fit = utf8_valid(comment, length) &&
               utf8_fault(comment, length, true) == UTF8_FINE &&
               utf8_length(comment, length) <= COMMENT_MAX;
    return fit ? NULL : "comment_unfit";
}

enum result my_entered_say(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    struct typed typed = {0};
    int64_t version;
    const char *verdict = field(request, "verdict"), *comment = field(request, "comment");
    TRY(number_of(&typed.change, param(request, "id")));
    if (verdict == NULL || number_of(&version, field(request, "version")) != OK)
        return INVALID;
    bool right = strcmp(verdict, "right") == 0, wrong = strcmp(verdict, "wrong") == 0;
    if (strcmp(verdict, "undo") == 0) {
        TRY(claim_confirm_undo(request->db, &actor, typed.change));
        flow_done(response, "/my/entered", "claim_undone");
        return OK;
    }
    if (!right && !wrong)
        return INVALID;
    typed.comment =
        comment ? flow_plain_lines(request->arena, comment, strlen(comment)) : "";
    if (wrong && (typed.error = comment_fault(typed.comment)) != NULL) {
        response->status = 422;
        if (!utf8_valid(typed.comment, strlen(typed.comment)))
            typed.comment = "";
        return draw_entered(request, response, &typed);
    }
    enum result said = claim_confirm(request->db, &actor, typed.change, version, verdict,
                                     wrong ? typed.comment : NULL);
    if (said == CONFLICT) {
        response->status = 409;
        typed.error = "entered_altered";
        return draw_entered(request, response, &typed);
    }
    TRY(said);
    flow_done(response, "/my/entered", wrong ? "entered_wrong" : "entered_right");
    return OK;
}
