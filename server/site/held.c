/* What was typed into a form whose session was over; see held.h. */
#include "server/site/held.h"

#include "db/store/held.h"
#include "server/base/percent.h"
#include "server/form/forms.h"
#include "server/form/submission.h"
#include "server/guard/csrf.h"
#include "server/guard/token.h"
#include "server/site/flow.h"
#include "server/site/site.h"
#include "server/view/view.h"

#include <string.h>

/* Whose labels a field may have; the others are shown by their names. */
static const char *const labelled[] = {"person",  "publication", "lab",     "member",
                                       "account", "token",       "return",  "import",
                                       "works",   "sign_in",     "password"};

static const struct field *field_anywhere(const char *name)
{
    for (size_t i = 0; i < sizeof labelled / sizeof *labelled; i++) {
        const struct form *form = form_named(site.forms, labelled[i]);
        const struct field *found =
            form ? field_named(form->fields, form->field_count, name) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* Passwords are typed again; neither they nor tokens are kept. */
static bool is_secret(const char *name)
{
    const struct field *field = field_anywhere(name);
    return strcmp(name, "csrf") == 0 || (field && field->type == FIELD_PASSWORD);
}

static json_t *fields_to_keep(const struct request *request)
{
    json_t *kept = json_object(), *values;
    const char *name;
    json_object_foreach(request->fields, name, values) if (!is_secret(name))
        json_object_set(kept, name, values);
    return kept;
}

/* A person before a browser sends a form and reads what comes back; a script that saves
 * now and then has kept the text itself. */
static bool by_navigation(const struct request *request)
{
    const char *mode = request_header(request, "Sec-Fetch-Mode");
    const char *accept = request_header(request, "Accept");
    if (mode)
        return strcmp(mode, "navigate") == 0;
    return !accept || strstr(accept, "text/html") || strstr(accept, "*/*");
}

/* "authors.2.name" is "Authors 3 · Name". */
static const char *label_of(const struct request *request, const char *name)
{
    struct arena *arena = request->arena;
    size_t length = strcspn(name, ".");
    const struct field *field = field_anywhere(arena_copy(arena, name, length));
    if (!field || !field->label.text[request->language])
        return name;
    const char *label = field->label.text[request->language], *rest = name + length;
    int64_t row;
    if (*rest != '.')
        return label;
    size_t digits = strcspn(rest + 1, ".");
    const char *number = arena_copy(arena, rest + 1, digits);
    const char *inner = rest[1 + digits] ? rest + digits + 2 : "";
    const struct field *below = field_named(field->fields, field->field_count, inner);
    if (strcmp(number, "0") == 0)
        row = 0;
    else if (number_of(&row, number) != OK)
        return name;
    return arena_print(arena, "%s %lld · %s", label, (long long)row + 1,
                       below && below->label.text[request->language]
                           ? below->label.text[request->language]
                           : inner);
}

/* What the page shows of one field, and the hidden inputs that carry it on. */
static void add_field(json_t *document, const struct request *request, const char *name,
                      json_t *values)
{
    json_t *value;
    size_t index;
    bool carried = strcmp(name, "action") != 0 && strcmp(name, "csrf") != 0;
    json_array_foreach(values, index, value)
    {
        if (json_is_object(value)) {
            if (json_integer_value(json_object_get(value, "size")) > 0)
                json_array_append(json_object_get(document, "files"),
                                  json_object_get(value, "filename"));
            continue;
        }
        if (carried || !json_is_true(json_object_get(document, "redraws")))
            json_array_append_new(json_object_get(document, "hidden"),
                                  json_pack("{s:s,s:O}", "name", name, "value", value));
        if (!form_reserved(name) && json_string_length(value) > 0)
            json_array_append_new(
                json_object_get(document, "typed"),
                json_pack("{s:s,s:O}", "label", label_of(request, name), "value", value));
    }
}

static json_t *shown(const struct request *request, const char *path, json_t *fields)
{
    json_t *document =
        json_pack("{s:s,s:[],s:[],s:[]}", "post_path", path, "hidden", "typed", "files");
    const char *name;
    json_t *values;
    json_object_set_new(document, "redraws",
                        json_boolean(json_object_get(fields, "redraws") != NULL));
    json_object_foreach(fields, name, values) add_field(document, request, name, values);
    json_object_set_new(
        document, "any_files",
        json_boolean(json_array_size(json_object_get(document, "files"))));
    json_object_set_new(document, "id", json_null());
    json_object_set_new(document, "created_at", json_null());
    return document;
}

/* A form for anybody: nothing is kept, the answer carries it. */
static enum result answer_again(struct request *request, struct response *response)
{
    json_t *document = shown(request, request->path, fields_to_keep(request));
    const char *csrf = csrf_token_new(request, response);
    json_object_set_new(document, "csrf", json_string(csrf));
    response->status = 403;
    return flow_page(request, response, "my/held.html", document);
}

/* To the page of what was kept; who is not its writer is asked to sign in. */
static void lead_on(const struct request *request, struct response *response, int64_t id)
{
    const char *page = arena_print(request->arena, "/my/held/%lld", (long long)id);
    response->status = 200;
    if (request->account) {
        response_redirect(response, page);
        response_header(response, "Cache-Control", "private, no-store");
        return;
    }
    struct buf url = buf_on(request->arena);
    buf_string(&url, "/sign-in?next=");
    percent_encode(&url, page, strlen(page), true);
    flow_done(response, url.data, "kept");
}

enum result held_answer(struct request *request, struct response *response)
{
    enum audience audience = request->route->audience;
    const char *token = field(request, "csrf");
    json_t *owner;
    int64_t id;
    if (request->method != POST || !request->fields || audience == TOKEN ||
        audience == NOBODY || !by_navigation(request) || !csrf_own_page(request))
        return DENIED;
    if (audience == ANYONE)
        return answer_again(request, response);
    if (!token_shaped(token))
        return DENIED;
    enum result found =
        held_whose(&owner, request->db, token_hash(request->arena, token));
    if (found == NOT_FOUND)
        return DENIED;
    TRY(found);
    if (audience == ADMIN && !json_is_true(json_object_get(owner, "admin")))
        return DENIED;
    int64_t account = integer_at(owner, "id");
    TRY(held_keep(&id, request->db, account, request->path, fields_to_keep(request)));
    lead_on(request, response, id);
    return OK;
}

enum result held_settle(struct request *request, struct response *response)
{
    if (request->method != POST)
        return OK;
    if (response->status == 422 && request->fields && form_redraws(request->fields))
        response->status = 200; /* nobody has called it complete */
    return response->status == 303 && request->account
               ? held_sent(request->db, account_id(request), request->path)
               : OK;
}

enum result held_location(const char **location, struct request *request, int64_t account)
{
    int64_t id;
    enum result found = held_next(&id, request->db, account);
    if (found == OK)
        *location = arena_print(request->arena, "/my/held/%lld", (long long)id);
    return found == NOT_FOUND ? OK : found;
}

enum result my_held_show(struct request *request, struct response *response)
{
    int64_t id;
    json_t *held;
    TRY(number_of(&id, param(request, "id")));
    enum result found = held_show(&held, request->db, account_id(request), id);
    if (found == NOT_FOUND) {
        response->status = 404;
        return flow_page(request, response, "my/held_not.html", json_object());
    }
    TRY(found);
    json_t *document =
        shown(request, text_at(held, "path", "/my"), json_object_get(held, "fields"));
    json_object_set(document, "id", json_object_get(held, "id"));
    json_object_set(document, "created_at", json_object_get(held, "created_at"));
    return flow_page(request, response, "my/held.html", document);
}

enum result my_held_discard(struct request *request, struct response *response)
{
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    TRY(held_drop(request->db, account_id(request), id));
    flow_done(response, "/my", "held_discarded");
    return OK;
}
