/* Waves, with their mails. */
#include "server/site/asking.h"

#include "db/store/account.h"
#include "db/store/change.h"
#include "db/store/collection.h"
#include "db/store/join.h"
#include "server/form/difference.h"
#include "server/mail/order.h"
#include "server/site/form_versions.h"

#include <string.h>

enum { HOURS_LEAST = 72, HOURS_MOST = 30 * 24, HOURS_USUAL = 14 * 24 };

static bool in_state(const json_t *invitation, const char *one, const char *other)
{
    const char *state = text_at(invitation, "state", "");
    return strcmp(state, one) == 0 || strcmp(state, other) == 0;
}

int asking_link_hours(const json_t *collection)
{
    if (!json_is_integer(json_object_get(collection, "days_left")))
        return HOURS_USUAL;
    int64_t hours = (integer_at(collection, "days_left") + 1) * 24;
    return hours < HOURS_LEAST  ? HOURS_LEAST
           : hours > HOURS_MOST ? HOURS_MOST
                                : (int)hours;
}

json_t *asking_labels(const struct form *form, json_t *names, enum language language)
{
    json_t *labels = json_array(), *name;
    size_t index;
    json_array_foreach(names, index, name)
    {
        const struct field *field =
            field_named(form->fields, form->field_count, json_string_value(name));
        if (field != NULL && field->label.text[language] != NULL)
            json_array_append_new(labels, json_string(field->label.text[language]));
    }
    return labels;
}

static bool holds(json_t *names, const char *name)
{
    size_t index;
    json_t *one;
    json_array_foreach(names, index, one)
    {
        if (strcmp(json_string_value(one), name) == 0)
            return true;
    }
    return false;
}

enum result asking_again(json_t **names, const json_t *newest, const struct form *before,
                         const struct form *after)
{
    json_t *asked = json_object_get(newest, "asked"), *name;
    bool waiting = in_state(newest, "invited", "opened");
    size_t index;
    *names = NULL;
    if (waiting && !json_is_array(asked))
        return OK;
    TRY(form_asked_again(names, before, after, json_object_get(newest, "document")));
    if (!json_is_array(*names))
        *names = json_array();
    json_array_foreach(asked, index, name)
    {
        const char *text = json_string_value(name);
        if (waiting && !holds(*names, text) &&
            field_named(after->fields, after->field_count, text) != NULL)
            json_array_append(*names, name);
    }
    return OK;
}

static enum language language_of(const json_t *account)
{
    return strcmp(text_at(account, "language", "en"), "zh") == 0 ? CHINESE : ENGLISH;
}

/* One opening. */
struct opening {
    json_t **wave;
    const struct actor *actor;
    int64_t collection;
    const char *kind;
    json_t *accounts, *row, *persons;
    const struct form *form;
    json_t *again;
    int moved, kept;
};

static enum result send(struct db *db, const struct opening *o, const char *template,
                        const json_t *invitation, json_t *values)
{
    int64_t mail;
    struct mail_order order = {
        .template = template,
        .account = integer_at(invitation, "account_id"),
        .collection = o->collection,
        .invitation = integer_at(invitation, "id"),
        .values = values,
        .next = arena_print(arena_current(), "/my/collections/%lld",
                            (long long)o->collection),
        .link_hours = asking_link_hours(o->row),
    };
    return mail_order(&mail, db, o->actor, &order);
}

/* One who has an older form. */
static enum result move_on(struct db *db, struct opening *o, json_t *older,
                           int64_t version, int64_t wave)
{
    const struct form *before;
    json_t *newest, *names, *account;
    if (in_state(older, "started", "returned")) {
        o->kept++;
        return OK;
    }
    int64_t id = integer_at(older, "id");
    TRY(form_version_get(&before, db, integer_at(older, "form_version_id")));
    TRY(invitation_newest(&newest, db, id));
    TRY(asking_again(&names, newest, before, o->form));
    TRY(invitation_move(db, o->actor, id, version, wave, names));
    o->moved++;
    if (json_array_size(names) == 0 || in_state(older, "invited", "opened"))
        return OK;
    o->moved--;
    json_array_append_new(o->again,
                          json_pack("{s:I,s:I,s:O}", "id", (json_int_t)id, "account_id",
                                    (json_int_t)integer_at(older, "account_id"), "fields",
                                    names));
    TRY(account_by_id(&account, db, integer_at(older, "account_id")));
    return send(db, o, "asked_again", older,
                json_pack("{s:o}", "missing",
                          asking_labels(o->form, names, language_of(account))));
}

static enum result move_older(struct db *db, struct opening *o, json_t *wave)
{
    size_t index;
    json_t *older;
    json_array_foreach(json_object_get(wave, "older"), index, older) TRY(move_on(
        db, o, older, integer_at(wave, "form_version_id"), integer_at(wave, "id")));
    return OK;
}

static enum result open_wave(struct db *db, void *data)
{
    struct opening *o = data;
    json_t *invitation;
    size_t index;
    TRY(wave_insert_invitations(o->wave, db, o->actor, o->collection, o->kind,
                                o->accounts));
    TRY(collection_row(&o->row, db, o->collection));
    enum result known =
        form_version_get(&o->form, db, integer_at(*o->wave, "form_version_id"));
    TRY(known == FAILED ? INVALID : known);
    o->again = json_array();
    json_array_foreach(json_object_get(*o->wave, "invitations"), index, invitation)
        TRY(send(db, o, "invitation", invitation, NULL));
    if (strcmp(o->kind, "everyone") == 0)
        TRY(move_older(db, o, *o->wave));
    json_object_set(*o->wave, "again", o->again);
    json_object_set_new(*o->wave, "moved", json_integer(o->moved));
    json_object_set_new(*o->wave, "kept", json_integer(o->kept));
    return OK;
}

enum result wave_open(json_t **wave, struct db *db, const struct actor *actor,
                      int64_t collection, const char *kind, json_t *account_ids)
{
    struct opening o = {.wave = wave,
                        .actor = actor,
                        .collection = collection,
                        .kind = kind,
                        .accounts = account_ids};
    return db_join(db, open_wave, &o);
}

/* The account of one person: theirs, the one of their address when it is nobody's, or a
 * new one. 0: they can't have one. */
static enum result account_for(int64_t *id, struct db *db, const struct actor *actor,
                               int64_t person)
{
    json_t *account, *current;
    *id = 0;
    enum result found = account_of_person(&account, db, person);
    if (found == OK)
        *id = integer_at(account, "id");
    if (found != NOT_FOUND)
        return found;
    TRY(entity_current(&current, db, "person", person));
    json_t *about = json_object_get(current, "document");
    const char *email = filled_of(about, "email");
    if (email == NULL)
        return OK;
    found = account_by_email(&account, db, email);
    if (found == OK && integer_at(account, "person_id") != 0)
        return OK;
    if (found == OK)
        TRY(account_set_person(db, actor, integer_at(account, "id"), person));
    else if (found == NOT_FOUND)
        TRY(account_create(
            &account, db, actor,
            &(struct new_account){.email = email,
                                  .language = filled_of(about, "name_han") ? "zh" : "en",
                                  .person = person}));
    else
        return found;
    *id = integer_at(account, "id");
    return OK;
}

static enum result make_accounts(struct db *db, void *data)
{
    struct opening *o = data;
    size_t index;
    json_t *person;
    json_array_foreach(o->persons, index, person)
    {
        int64_t id;
        TRY(account_for(&id, db, o->actor, json_integer_value(person)));
        if (id != 0)
            json_array_append_new(o->accounts, json_integer(id));
    }
    return OK;
}

enum result asking_accounts(json_t **accounts, struct db *db, const struct actor *actor,
                            json_t *persons)
{
    *accounts = json_array();
    struct opening o = {.actor = actor, .persons = persons, .accounts = *accounts};
    return db_join(db, make_accounts, &o);
}

static enum result move_one(struct db *db, void *data)
{
    struct opening *o = data;
    json_t *wave, *newest;
    int64_t invitation = integer_at(o->row, "id");
    TRY(invitation_newest(&newest, db, invitation));
    o->collection = integer_at(newest, "collection_id");
    enum result found = collection_latest_wave(&wave, db, o->collection);
    if (found == NOT_FOUND)
        return OK;
    TRY(found);
    int64_t version = integer_at(wave, "form_version_id");
    if (version == integer_at(newest, "form_version_id") ||
        in_state(newest, "withdrawn", "withdrawn"))
        return OK;
    TRY(collection_row(&o->row, db, o->collection));
    TRY(form_version_get(&o->form, db, version));
    o->again = json_array();
    return move_on(db, o, newest, version, integer_at(wave, "id"));
}

enum result invitation_move_on(struct db *db, const struct actor *actor,
                               int64_t invitation)
{
    struct opening o = {.actor = actor,
                        .row = json_pack("{s:I}", "id", (json_int_t)invitation)};
    return db_join(db, move_one, &o);
}
