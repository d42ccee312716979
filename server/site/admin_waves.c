/* Waves: what opening one would do, with the mails as people will read them, and then
 * the opening. What is confirmed is what is done: the people, and the form, that the page
 * showed. */
#include "db/store/collection.h"
#include "db/transaction.h"
#include "server/form/difference.h"
#include "server/site/admin_collections.h"
#include "server/site/asking.h"
#include "server/site/collections.h"
#include "server/site/flow.h"
#include "server/site/form_versions.h"
#include "server/site/mail_previews.h"

#include <string.h>

static bool is_text(const json_t *object, const char *key, const char *text)
{
    return strcmp(text_at(object, key, ""), text) == 0;
}

/* Why no wave can open; NULL: one can. */
static const char *blocked(const json_t *collection)
{
    json_t *days = json_object_get(collection, "days_left");
    if (is_text(collection, "state", "closing") || is_text(collection, "state", "closed"))
        return "not_open";
    if (json_is_integer(days) && json_integer_value(days) < 0)
        return "over";
    if (json_array_size(form_problems(json_object_get(collection, "definition"))) > 0)
        return "form";
    return NULL;
}

static void add_blocked(json_t *document, const json_t *collection)
{
    const char *code = blocked(collection);
    bool form = code != NULL && strcmp(code, "form") == 0;
    json_object_set_new(document, "blocked", code ? json_string(code) : json_null());
    json_object_set_new(document, "blocked_path",
                        json_string(form ? "form" : "settings"));
}

/* Those who were chosen and not asked yet. */
struct people {
    json_t *able, *unable;
};

/* For templates/partials/wave_unable.html; null when there is nobody. */
static json_t *unable_of(const struct people *people)
{
    size_t count = json_array_size(people->unable);
    return count == 0
               ? json_null()
               : json_pack("{s:O,s:i}", "people", people->unable, "count", (int)count);
}

static enum result find_people(struct people *people, struct request *request,
                               const json_t *collection, bool pilot)
{
    json_t *all, *person;
    size_t index;
    *people = (struct people){json_array(), json_array()};
    TRY(collection_people(&all, request->db, integer_at(collection, "id")));
    json_array_foreach(all, index, person)
    {
        const char *reason = text_of(person, "reason");
        if (!truth_at(person, pilot ? "pilot" : "chosen") ||
            integer_at(person, "invitation_id") != 0)
            continue;
        bool able = reason == NULL || strcmp(reason, "no_account") == 0 ||
                    strcmp(reason, "bounced") == 0;
        json_array_append(able ? people->able : people->unable, person);
    }
    return OK;
}

/* Does the wave find people with an older form than the one that it brings? */
static bool is_older(const json_t *collection, const json_t *invitation)
{
    return !is_text(invitation, "state", "withdrawn") &&
           (truth_at(collection, "unpublished") ||
            integer_at(invitation, "form_version_id") !=
                integer_at(collection, "form_version_id"));
}

static size_t count_older(const json_t *collection, json_t *invitations)
{
    size_t index, count = 0;
    json_t *invitation;
    json_array_foreach(invitations, index, invitation) count +=
        is_older(collection, invitation);
    return count;
}

enum result collection_waves_page(struct request *request, struct response *response)
{
    json_t *collection, *waves, *invitations;
    struct people pilot, everyone;
    TRY(collection_of(&collection, request));
    int64_t id = integer_at(collection, "id");
    TRY(collection_waves(&waves, request->db, id));
    TRY(invitation_list(&invitations, request->db, id));
    TRY(find_people(&pilot, request, collection, true));
    TRY(find_people(&everyone, request, collection, false));
    size_t older = count_older(collection, invitations);
    json_t *document = json_pack(
        "{s:O,s:i,s:o,s:i,s:o,s:i,s:b,s:b,s:b}", "waves", waves, "pilot_count",
        (int)json_array_size(pilot.able), "pilot_unable", unable_of(&pilot),
        "everyone_count", (int)json_array_size(everyone.able), "everyone_unable",
        unable_of(&everyone), "older_count", (int)older, "may_extend",
        json_array_size(everyone.able) > 0 || older > 0, "any",
        json_array_size(waves) > 0, "may_pilot", json_array_size(pilot.able) > 0);
    add_blocked(document, collection);
    return collection_page(request, response, "collections/waves.html", document,
                           collection);
}

/* The form as it is being written, on the current arena; give it back with
 * form_free(). */
static enum result compile(const struct form **form, const json_t *collection)
{
    char problem[400];
    return form_load(form, arena_current(), "draft", "collection",
                     json_object_get(collection, "definition"), problem, sizeof problem);
}

struct plan {
    const char *kind;
    struct people people;
    json_t *again; /* [{invitation's row, labels: [text], asked}] */
    int moved, kept;
};

static enum result plan_move(struct plan *plan, struct request *request,
                             json_t *invitation, const struct form *after)
{
    const struct form *before;
    json_t *newest, *names;
    if (is_text(invitation, "state", "started") ||
        is_text(invitation, "state", "returned")) {
        plan->kept++;
        return OK;
    }
    TRY(form_version_get(&before, request->db,
                         integer_at(invitation, "form_version_id")));
    TRY(invitation_newest(&newest, request->db, integer_at(invitation, "id")));
    TRY(asking_again(&names, newest, before, after));
    if (json_array_size(names) == 0 || is_text(invitation, "state", "invited") ||
        is_text(invitation, "state", "opened")) {
        plan->moved++;
        return OK;
    }
    json_object_set_new(invitation, "labels",
                        asking_labels(after, names, request->language));
    json_object_set(invitation, "asked", names);
    json_array_append(plan->again, invitation);
    return OK;
}

static enum result plan_moves(struct plan *plan, struct request *request,
                              const json_t *collection)
{
    const struct form *after = NULL;
    json_t *invitations, *invitation;
    size_t index;
    TRY(invitation_list(&invitations, request->db, integer_at(collection, "id")));
    enum result result = compile(&after, collection);
    json_array_foreach(invitations, index, invitation)
    {
        if (result == OK && is_older(collection, invitation))
            result = plan_move(plan, request, invitation, after);
    }
    form_free(after);
    return result == INVALID ? OK : result; /* the page says so: blocked() */
}

static enum result make_plan(struct plan *plan, struct request *request,
                             const json_t *collection)
{
    const char *kind = param(request, "kind");
    bool pilot = strcmp(kind, "pilot") == 0;
    *plan = (struct plan){.kind = kind, .again = json_array()};
    if (!pilot && strcmp(kind, "everyone") != 0)
        return NOT_FOUND;
    TRY(find_people(&plan->people, request, collection, pilot));
    return pilot ? OK : plan_moves(plan, request, collection);
}

/* The mail to the person that ?person= or ?invitation= names, else to the first. */
static enum result add_preview(json_t *document, const struct plan *plan,
                               struct request *request, const json_t *collection)
{
    struct mail_look look = {.template = "invitation", .collection = collection};
    json_t *shown = NULL, *row;
    int64_t person = 0, invitation = 0;
    size_t index;
    if (number_of(&person, query_argument(request, "person")) != OK)
        person = 0;
    if (number_of(&invitation, query_argument(request, "invitation")) != OK)
        invitation = 0;
    json_array_foreach(plan->again, index, row)
    {
        if (integer_at(row, "id") == invitation)
            shown = row;
    }
    if (shown == NULL && json_array_size(plan->people.able) == 0)
        shown = json_array_get(plan->again, 0);
    if (shown != NULL) {
        look.template = "asked_again";
        look.labels = json_object_get(shown, "labels");
        look.account = integer_at(shown, "account_id");
    } else {
        shown = json_array_get(plan->people.able, 0);
        json_array_foreach(plan->people.able, index, row)
        {
            if (integer_at(row, "id") == person)
                shown = row;
        }
        look.person = integer_at(shown, "id");
    }
    json_t *mail = json_null();
    enum result result = shown ? mail_look_at(&mail, request, &look) : OK;
    json_object_set(document, "mail", mail);
    return result == NOT_FOUND ? OK : result;
}

static enum result draw_wave(struct request *request, struct response *response,
                             json_t *collection, const char *refusal)
{
    struct plan plan;
    TRY(make_plan(&plan, request, collection));
    size_t able = json_array_size(plan.people.able), again = json_array_size(plan.again);
    json_t *document =
        json_pack("{s:s,s:s?,s:O,s:o,s:O,s:i,s:i,s:i,s:i,s:b,s:b,s:b}", "kind", plan.kind,
                  "refusal", refusal, "able", plan.people.able, "unable",
                  unable_of(&plan.people), "again", plan.again, "able_count", (int)able,
                  "again_count", (int)again, "moved", plan.moved, "kept", plan.kept,
                  "something", able + again > 0 || plan.moved + plan.kept > 0, "everyone",
                  strcmp(plan.kind, "everyone") == 0, "anybody", able + again > 0);
    add_blocked(document, collection);
    json_object_set_new(document, "persons", flow_number_list(plan.people.able, "id"));
    TRY(add_preview(document, &plan, request, collection));
    return collection_page(request, response, "collections/wave.html", document,
                           collection);
}

enum result collection_wave_page(struct request *request, struct response *response)
{
    json_t *collection;
    TRY(collection_of(&collection, request));
    return draw_wave(request, response, collection, NULL);
}

/* The opening, as confirmed. */
struct confirmed {
    const struct actor *actor;
    const struct plan *plan;
    int64_t collection, form;
    json_t *persons, *wave;
};

static enum result open_confirmed(struct db *db, void *data)
{
    struct confirmed *c = data;
    json_t *accounts;
    int64_t version;
    TRY(collection_publish(&version, db, c->actor, c->collection, c->form));
    TRY(asking_accounts(&accounts, db, c->actor, c->persons));
    return wave_open(&c->wave, db, c->actor, c->collection, c->plan->kind, accounts);
}

/* Those who were on the page, as far as they can still be asked. */
static json_t *confirmed_persons(const struct request *request, const struct plan *plan)
{
    json_t *persons = json_array(), *seen = json_object(), *row, *number;
    size_t index;
    json_array_foreach(flow_numbers(request, "persons"), index, number)
        json_object_set_new(
            seen,
            arena_print(request->arena, "%lld", (long long)json_integer_value(number)),
            json_true());
    json_array_foreach(plan->people.able, index, row)
    {
        const char *key =
            arena_print(request->arena, "%lld", (long long)integer_at(row, "id"));
        if (json_object_get(seen, key) != NULL)
            json_array_append(persons, json_object_get(row, "id"));
    }
    return persons;
}

enum result collection_wave_open(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    struct plan plan;
    json_t *collection;
    struct confirmed confirmed = {.actor = &actor, .plan = &plan};
    TRY(collection_of(&collection, request));
    TRY(make_plan(&plan, request, collection));
    if (blocked(collection) != NULL) {
        response->status = 409;
        return draw_wave(request, response, collection, NULL);
    }
    confirmed.collection = integer_at(collection, "id");
    confirmed.persons = confirmed_persons(request, &plan);
    bool moves = json_array_size(plan.again) > 0 || plan.moved + plan.kept > 0;
    if (json_array_size(confirmed.persons) == 0 && !moves) {
        response->status = 422;
        return draw_wave(request, response, collection, "nobody");
    }
    if (number_of(&confirmed.form, field(request, "form")) != OK)
        return INVALID;
    enum result done = db_transaction(request->db, open_confirmed, &confirmed);
    if (done == CONFLICT) {
        TRY(collection_of(&collection, request));
        response->status = 409;
        return draw_wave(request, response, collection, "changed");
    }
    TRY(done);
    flow_done(response, collection_path(request, collection, "/waves"), "wave_opened");
    return OK;
}
