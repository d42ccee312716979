/* The member's overview, own changes, password and language. */
#include "server/site/my.h"

#include "db/store/account.h"
#include "db/store/change.h"
#include "db/store/claim.h"
#include "db/store/held.h"
#include "db/store/publication.h"
#include "server/base/utf8.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/form/submission.h"
#include "server/guard/password.h"
#include "server/guard/rate_limit.h"
#include "server/guard/session.h"
#include "server/guard/token.h"
#include "server/site/answers.h"
#include "server/site/editing.h"
#include "server/site/flow.h"
#include "server/site/form_versions.h"
#include "server/site/site.h"
#include "server/site/values.h"

#include <string.h>

enum { OVERVIEW_WORKS = 20 };

/* What the overview says about the profile; null without a person. */
static enum result profile_state(json_t **profile, struct request *request)
{
    json_t *current, *change = NULL;
    int64_t person = integer_at(request->account, "person_id");
    *profile = json_null();
    if (person == 0)
        return OK;
    TRY(entity_current(&current, request->db, "person", person));
    enum result found =
        change_open(&change, request->db, account_id(request), "person", person);
    if (found != OK && found != NOT_FOUND)
        return found;
    json_t *document = json_object_get(current, "document");
    bool bare = !*text_at(document, "interests_en", "") &&
                !*text_at(document, "interests_zh", "") &&
                !*text_at(document, "biography_en", "") &&
                !*text_at(document, "biography_zh", "");
    *profile = json_object();
    json_object_set(*profile, "slug", json_object_get(current, "slug"));
    json_object_set_new(*profile, "bare", json_boolean(bare && found == NOT_FOUND));
    json_object_set_new(*profile, "state",
                        found == OK ? json_string(text_at(change, "state", ""))
                                    : json_null());
    json_t *comment = json_object_get(change, "comment");
    json_object_set(*profile, "comment", comment ? comment : json_null());
    return OK;
}

/* How many works wait for a word of this member, or null. */
static enum result add_claims(json_t *document, struct request *request)
{
    json_t *entered, *row, *waiting = json_null(), *unsaid = json_null();
    int64_t count = 0, open = 0, person = integer_at(request->account, "person_id");
    size_t index;
    if (person != 0) {
        TRY(claim_waiting(&count, request->db, person));
        TRY(claim_entered_list(&entered, request->db, account_id(request)));
        json_array_foreach(entered, index, row) open += text_of(row, "verdict") == NULL;
    }
    if (count > 0)
        waiting = json_pack("{s:I}", "count", (json_int_t)count);
    if (open > 0)
        unsaid = json_pack("{s:I}", "count", (json_int_t)open);
    json_object_set_new(document, "to_confirm", waiting);
    json_object_set_new(document, "entered", unsaid);
    return OK;
}

enum result my_overview(struct request *request, struct response *response)
{
    json_t *profile, *changes, *asked, *held,
        *works = json_pack("{s:i,s:[]}", "total", 0, "rows");
    int64_t person = integer_at(request->account, "person_id");
    struct publication_filter filter = {.person = person, .limit = OVERVIEW_WORKS};
    TRY(profile_state(&profile, request));
    TRY(held_list(&held, request->db, account_id(request)));
    TRY(change_mine(&changes, request->db, account_id(request)));
    TRY(answers_asked(&asked, request));
    if (person != 0)
        TRY(publication_list(&works, request->db, &filter));
    flow_change_states(changes);
    json_t *document = json_object();
    json_object_set(document, "profile", profile);
    json_object_set(document, "held", held);
    json_object_set(document, "changes", changes);
    json_object_set(document, "asked", asked);
    json_object_set(document, "works", works);
    json_object_set_new(document, "more_works",
                        json_boolean(integer_at(works, "total") > OVERVIEW_WORKS));
    TRY(add_claims(document, request));
    return flow_page(request, response, "my/overview.html", document);
}

static struct editing profile_editing(const struct request *request)
{
    return (struct editing){.entity = "person",
                            .target = integer_at(request->account, "person_id"),
                            .action = "/my/profile",
                            .back = "/my"};
}

enum result my_profile(struct request *request, struct response *response)
{
    struct editing editing = profile_editing(request);
    if (editing.target != 0)
        return editing_answer(request, response, &editing);
    return request->method == GET
               ? flow_page(request, response, "my/no_profile.html", json_object())
               : NOT_FOUND;
}

/* Own changes. Another member's is not there. */
static enum result own_change(json_t **change, struct request *request)
{
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    TRY(change_show(change, request->db, id));
    return integer_at(*change, "author_id") == account_id(request) ? OK : NOT_FOUND;
}

enum result my_change_show(struct request *request, struct response *response)
{
    json_t *change;
    TRY(own_change(&change, request));
    const struct form *form;
    TRY(change_form(&form, request, change));
    json_t *one = json_pack("[O]", change);
    flow_change_states(one);
    json_t *document = json_object();
    json_object_set(document, "change", change);
    json_object_set_new(document, "new_entity",
                        json_boolean(integer_at(change, "target_id") == 0));
    json_object_set_new(
        document, "rows",
        difference_rows(request, form, json_object_get(change, "differences")));
    return flow_page(request, response, "my/change.html", document);
}

static struct editing change_editing(const struct request *request, json_t *change)
{
    const char *page =
        arena_print(request->arena, "/my/changes/%s", param(request, "id"));
    return (struct editing){.entity = text_at(change, "entity", ""),
                            .target = integer_at(change, "target_id"),
                            .change = change,
                            .action = arena_print(request->arena, "%s/edit", page),
                            .back = page,
                            .done = "/my"};
}

static bool is_open(const json_t *change)
{
    const char *state = text_at(change, "state", "");
    return strcmp(state, "approved") != 0 && strcmp(state, "withdrawn") != 0;
}

enum result my_change_edit(struct request *request, struct response *response)
{
    json_t *change;
    TRY(own_change(&change, request));
    struct editing editing = change_editing(request, change);
    int64_t collection = integer_at(change, "collection_id");
    if (collection != 0) { /* an answer has pages of its own */
        response_redirect(response, arena_print(request->arena, "/my/collections/%lld",
                                                (long long)collection));
        return OK;
    }
    if (is_open(change))
        return editing_answer(request, response, &editing);
    if (request->method != GET)
        return CONFLICT;
    response_redirect(response, editing.back);
    return OK;
}

enum result my_change_withdraw(struct request *request, struct response *response)
{
    int64_t id, version;
    struct actor actor = actor_of(request);
    TRY(number_of(&id, param(request, "id")));
    if (number_of(&version, field(request, "version")) != OK)
        return INVALID;
    TRY(change_withdraw(request->db, &actor, id, version));
    flow_done(response, "/my", "withdrawn");
    return OK;
}

/* Does the person have to show the old password? Not right after signing in, which a link
 * is enough for: who has forgotten the password sets a new one that way. */
static bool must_confirm(const struct request *request)
{
    return json_is_true(json_object_get(request->account, "has_password")) &&
           !json_is_true(json_object_get(request->account, "session_fresh"));
}

/* The field for the present password is for those who must show it. */
static void drop_current(json_t *form)
{
    json_t *section = json_array_get(json_object_get(form, "sections"), 0);
    json_t *fields = json_object_get(section, "fields"), *shown;
    size_t index;
    json_array_foreach(fields, index, shown)
    {
        if (strcmp(text_at(shown, "name", ""), "current") != 0)
            continue;
        json_array_remove(fields, index);
        return;
    }
}

static enum result draw_password(struct request *request, struct response *response,
                                 json_t *errors)
{
    const struct form *form = form_named(site.forms, "password");
    json_t *document = json_object();
    json_t *shown = form_page(form, NULL, errors, FOR_MEMBER, request->language);
    if (!must_confirm(request))
        drop_current(shown);
    json_object_set_new(document, "form", shown);
    json_object_set_new(document, "confirm", json_boolean(must_confirm(request)));
    return flow_page(request, response, "my/password.html", document);
}

enum result my_password_edit(struct request *request, struct response *response)
{
    return draw_password(request, response, NULL);
}

static enum result check_current(struct request *request, struct response *response,
                                 struct submission *form)
{
    const char *hash, *email = text_at(request->account, "email", "");
    int64_t id;
    if (!must_confirm(request))
        return OK;
    TRY(rate_count(request, response, &rate_sign_in,
                   utf8_fold(request->arena, email, strlen(email))));
    TRY(account_password(&id, &hash, request->db, email));
    enum result right = password_verify(hash, text_at(form->document, "current", ""));
    if (right != DENIED && right != INVALID)
        return right;
    form_error(form, "current", "wrong_password");
    return INVALID;
}

static enum result check_new(const struct request *request, struct submission *form)
{
    const char *known[] = {text_at(request->account, "email", ""),
                           text_at(request->account, "name_latin", ""),
                           text_at(request->account, "name_han", ""), "labd", NULL};
    enum password_fault fault =
        password_fault(request->arena, text_at(form->document, "password", ""), known);
    if (fault == PASSWORD_FINE)
        return OK;
    form_error(form, "password",
               arena_print(request->arena, "password_%s", password_fault_name(fault)));
    return INVALID;
}

enum result my_password_update(struct request *request, struct response *response)
{
    struct submission form;
    struct actor actor = actor_of(request);
    const char *hash;
    enum result result = flow_form(&form, request, response, "password", FOR_MEMBER);
    if (result == OK)
        result = check_current(request, response, &form);
    if (result == OK)
        result = check_new(request, &form);
    if (result == INVALID) {
        response->status = 422;
        return draw_password(request, response, form.errors);
    }
    TRY(result);
    TRY(password_hash(&hash, request->arena, text_at(form.document, "password", "")));
    TRY(account_set_password(request->db, &actor, actor.account, hash,
                             token_hash(request->arena, session_cookie(request))));
    TRY(guard_sign_in(request, response, actor.account));
    flow_done(response, "/my", "password_saved");
    return OK;
}

enum result my_language_update(struct request *request, struct response *response)
{
    const char *wanted = field(request, "language");
    if (!wanted || (strcmp(wanted, "en") != 0 && strcmp(wanted, "zh") != 0))
        return INVALID;
    TRY(account_set_language(request->db, account_id(request), wanted));
    response_cookie(response, "labd_language", wanted, 365L * 24 * 3600);
    flow_done(response, "/my", "language_saved");
    return OK;
}
