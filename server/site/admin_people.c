/* People as an admin sees them: profile, account, sign-in links. */
#include "server/site/admin.h"

#include "db/store/account.h"
#include "db/store/change.h"
#include "db/store/person.h"
#include "server/form/submission.h"
#include "server/guard/csrf.h"
#include "server/guard/token.h"
#include "server/site/flow.h"

#include <string.h>

enum { LINK_HOURS = 72, HISTORY = 20 };

enum result admin_person_index(struct request *request, struct response *response)
{
    json_t *people, *accounts, *person, *account;
    size_t index, at;
    TRY(person_list(&people, request->db));
    TRY(account_list(&accounts, request->db));
    json_t *others = json_array();
    json_array_foreach(people, index, person)
    {
        json_object_set_new(person, "last_seen_at", json_null());
        json_object_set_new(person, "disabled", json_false());
        json_object_set_new(person, "admin", json_false());
    }
    json_array_foreach(accounts, at, account)
    {
        int64_t id = integer_at(account, "person_id");
        if (id == 0)
            json_array_append(others, account);
        json_array_foreach(people, index, person)
        {
            if (id == 0 || integer_at(person, "id") != id)
                continue;
            json_object_set(person, "last_seen_at",
                            json_object_get(account, "last_seen_at"));
            json_object_set(person, "disabled", json_object_get(account, "disabled"));
            json_object_set(person, "admin", json_object_get(account, "admin"));
        }
    }
    return flow_page(request, response, "admin/people.html",
                     json_pack("{s:O,s:O}", "people", people, "others", others));
}

static enum result draw_new(struct request *request, struct response *response,
                            const struct submission *form)
{
    json_t *document = json_object();
    flow_add_form(document, request, "member", NULL, form);
    return flow_page(request, response, "admin/person_new.html", document);
}

enum result admin_person_new(struct request *request, struct response *response)
{
    return draw_new(request, response, NULL);
}

/* What the form "member" knows of the person, as a document of entity "person". */
static json_t *person_of(const json_t *member)
{
    static const char *const same[] = {"given_latin", "family_latin", "name_han",
                                       "email"};
    json_t *person = json_object();
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        json_t *value = json_object_get(member, same[i]);
        json_object_set(person, same[i], value ? value : json_null());
    }
    if (json_is_string(json_object_get(member, "role"))) {
        json_t *appointment = json_pack("{s:O}", "role", json_object_get(member, "role"));
        json_t *starts = json_object_get(member, "starts");
        json_object_set(appointment, "starts", starts ? starts : json_null());
        json_object_set_new(person, "appointments", json_pack("[o]", appointment));
    }
    return person;
}

enum result admin_person_create(struct request *request, struct response *response)
{
    struct submission form;
    struct actor actor = actor_of(request);
    json_t *account;
    if (flow_form(&form, request, response, "member", FOR_ADMIN) != OK) {
        response->status = 422;
        return draw_new(request, response, &form);
    }
    struct new_account new_account = {
        .email = text_at(form.document, "email", ""),
        .admin = json_is_true(json_object_get(form.document, "admin")),
        .language = text_at(form.document, "language", "en")};
    enum result made = account_create_member(&account, request->db, &actor, &new_account,
                                             person_of(form.document), "form");
    if (made == CONFLICT || made == INVALID) {
        form_error(&form, "email", "taken");
        response->status = 422;
        return draw_new(request, response, &form);
    }
    TRY(made);
    flow_done(response,
              arena_print(request->arena, "/admin/people/%s",
                          text_at(account, "person_slug", "")),
              "member_added");
    return OK;
}

/* The person of :slug, and the account, which is null when there is none. */
static enum result find(json_t **person, json_t **account, struct request *request)
{
    *account = json_null();
    TRY(entity_by_slug(person, request->db, "person", param(request, "slug")));
    enum result found =
        account_of_person(account, request->db, integer_at(*person, "id"));
    if (found == NOT_FOUND)
        *account = json_null();
    return found == NOT_FOUND ? OK : found;
}

/* `link`: a URL made just now, shown this once. */
static enum result draw(struct request *request, struct response *response,
                        const char *link, const struct submission *form)
{
    json_t *person, *account, *links = json_array(), *history, *row;
    size_t index;
    TRY(find(&person, &account, request));
    if (json_is_object(account))
        TRY(link_list(&links, request->db, integer_at(account, "id")));
    json_array_foreach(links, index, row) json_object_set_new(
        row, "good", json_boolean(strcmp(text_at(row, "state", ""), "good") == 0));
    TRY(event_of(&history, request->db, "person", integer_at(person, "id"), HISTORY));
    flow_event_names(history);
    json_t *about = json_object_get(person, "document"), *document = json_object();
    const char *given = text_at(about, "given_latin", ""),
               *family = text_at(about, "family_latin", "");
    const char *latin = arena_print(request->arena, "%s%s%s", given,
                                    *given && *family ? " " : "", family);
    json_object_set_new(document, "person",
                        json_pack("{s:O,s:O,s:s,s:s}", "id",
                                  json_object_get(person, "id"), "slug",
                                  json_object_get(person, "slug"), "name_latin", latin,
                                  "name_han", text_at(about, "name_han", "")));
    json_object_set(document, "owner", account);
    json_object_set_new(document, "self",
                        json_boolean(integer_at(account, "id") == account_id(request)));
    json_object_set(document, "links", links);
    json_object_set(document, "history", history);
    json_object_set_new(document, "link", link ? json_string(link) : json_null());
    json_object_set_new(document, "hours", json_integer(LINK_HOURS));
    flow_add_form(document, request, "account", about, form);
    return flow_page(request, response, "admin/person.html", document);
}

enum result admin_person_show(struct request *request, struct response *response)
{
    return draw(request, response, NULL, NULL);
}

static const char *person_path(const struct request *request)
{
    return arena_print(request->arena, "/admin/people/%s", param(request, "slug"));
}

/* A new account of the person, or the one of that address when it is nobody's yet: the
 * first admin's, made on the command line. */
static enum result give_account(struct request *request, const json_t *form,
                                int64_t person)
{
    json_t *account;
    struct actor actor = actor_of(request);
    struct new_account new_account = {.email = text_at(form, "email", ""),
                                      .admin =
                                          json_is_true(json_object_get(form, "admin")),
                                      .language = text_at(form, "language", "en"),
                                      .person = person};
    enum result found = account_by_email(&account, request->db, new_account.email);
    if (found == NOT_FOUND)
        return account_create(&account, request->db, &actor, &new_account);
    TRY(found);
    if (integer_at(account, "person_id") != 0)
        return CONFLICT;
    return account_set_person(request->db, &actor, integer_at(account, "id"), person);
}

enum result admin_account_create(struct request *request, struct response *response)
{
    json_t *person, *account;
    struct submission form;
    TRY(find(&person, &account, request));
    enum result made = flow_form(&form, request, response, "account", FOR_ADMIN);
    if (made == OK)
        made = give_account(request, form.document, integer_at(person, "id"));
    if (made == CONFLICT) {
        form_error(&form, "email", "taken");
        response->status = 422;
        made = INVALID;
    }
    if (made == INVALID)
        return draw(request, response, NULL, &form);
    TRY(made);
    flow_done(response, person_path(request), "created");
    return OK;
}

enum result admin_link_create(struct request *request, struct response *response)
{
    json_t *person, *account;
    struct actor actor = actor_of(request);
    int64_t id;
    TRY(find(&person, &account, request));
    if (!json_is_object(account) || json_is_true(json_object_get(account, "disabled")))
        return CONFLICT;
    const char *token = token_new(request->arena);
    TRY(link_create(&id, request->db, &actor, integer_at(account, "id"),
                    token_hash(request->arena, token), LINK_HOURS, NULL));
    return draw(
        request, response,
        arena_print(request->arena, "%s/sign-in/link/%s", site_origin(request), token),
        NULL);
}

enum result admin_link_withdraw(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    TRY(link_withdraw(request->db, &actor, id));
    flow_done(response, person_path(request), "link_withdrawn");
    return OK;
}

/* Nobody closes the door on themselves. */
enum result admin_account_disable(struct request *request, struct response *response)
{
    json_t *person, *account;
    struct actor actor = actor_of(request);
    const char *wanted = field(request, "disabled");
    bool disabled = wanted && strcmp(wanted, "yes") == 0;
    TRY(find(&person, &account, request));
    if (!json_is_object(account))
        return NOT_FOUND;
    if (integer_at(account, "id") == actor.account)
        return DENIED;
    TRY(account_set_disabled(request->db, &actor, integer_at(account, "id"), disabled));
    flow_done(response, person_path(request),
              disabled ? "account_disabled" : "account_enabled");
    return OK;
}

enum result admin_account_promote(struct request *request, struct response *response)
{
    json_t *person, *account;
    struct actor actor = actor_of(request);
    const char *wanted = field(request, "admin");
    TRY(find(&person, &account, request));
    if (!json_is_object(account))
        return NOT_FOUND;
    if (integer_at(account, "id") == actor.account)
        return DENIED;
    TRY(account_set_admin(request->db, &actor, integer_at(account, "id"),
                          wanted && strcmp(wanted, "yes") == 0));
    flow_done(response, person_path(request), "saved");
    return OK;
}
