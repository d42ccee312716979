/* Loads the demo lab. Its files hold documents as the forms know them; what they leave
 * out is empty. */
#include "server/site/demo.h"

#include "db/connection.h"
#include "db/store/account.h"
#include "db/store/answer.h"
#include "db/store/change.h"
#include "db/store/collection.h"
#include "db/store/lab.h"
#include "db/store/topic.h"
#include "db/store/venue.h"
#include "db/transaction.h"
#include "server/base/arena.h"
#include "server/base/document.h"
#include "server/base/log.h"
#include "server/site/collections.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct loading {
    struct demo_report *report;
    const char *home;
    bool if_empty;
    struct actor admin; /* decides on the members' changes */
};

static enum result read_file(json_t **document, struct loading *loading, const char *name)
{
    json_error_t error;
    const char *file =
        arena_print(arena_current(), "%s/templates/demo/%s.json", loading->home, name);
    *document = json_load_file(file, JSON_REJECT_DUPLICATES, &error);
    if (*document != NULL)
        return OK;
    snprintf(loading->report->problem, sizeof loading->report->problem, "%s line %d: %s",
             file, error.line, error.text);
    return INVALID;
}

static enum result save(json_t **outcome, struct db *db, const char *entity,
                        int64_t target, json_t *document)
{
    struct proposal proposal = {
        .entity = entity, .target = target, .document = document, .source = "demo"};
    return change_save(outcome, db, &command_line, &proposal);
}

static enum result save_all(size_t *count, struct db *db, struct loading *loading,
                            const char *file, const char *entity)
{
    json_t *documents, *outcome;
    TRY(read_file(&documents, loading, file));
    for (size_t i = 0; i < json_array_size(documents); i++)
        TRY(save(&outcome, db, entity, 0, json_array_get(documents, i)));
    *count = json_array_size(documents);
    return OK;
}

/* What works are put under, and where they appear. */
static enum result load_lists(struct db *db, struct loading *loading)
{
    json_t *topics, *venues, *row, *outcome;
    size_t i;
    TRY(read_file(&topics, loading, "topics"));
    json_array_foreach(topics, i, row)
        TRY(topic_save(&outcome, db, &command_line, NULL, row));
    TRY(read_file(&venues, loading, "venues"));
    json_array_foreach(venues, i, row)
        TRY(venue_save(&outcome, db, &command_line, NULL, row));
    return OK;
}

static enum result load_lab(struct db *db, struct loading *loading)
{
    json_t *document, *outcome;
    TRY(read_file(&document, loading, "lab"));
    TRY(lab_ensure(db));
    return save(&outcome, db, "lab", 1, document);
}

static enum result load_accounts(struct db *db, struct loading *loading)
{
    json_t *rows, *person, *account;
    TRY(read_file(&rows, loading, "accounts"));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        TRY(entity_by_slug(&person, db, "person", text_of(row, "person")));
        struct new_account new_account = {
            .email = text_of(row, "email"),
            .admin = json_is_true(json_object_get(row, "admin")),
            .language = text_of(row, "language"),
            .person = integer_at(person, "id"),
        };
        TRY(account_create(&account, db, &command_line, &new_account));
        if (new_account.admin && loading->admin.account == 0)
            loading->admin =
                (struct actor){integer_at(account, "id"), new_account.email, NULL};
    }
    loading->report->accounts = json_array_size(rows);
    return OK;
}

static enum result decide(struct db *db, struct loading *loading, json_t *row,
                          json_t *change)
{
    json_t *applied;
    const char *state = text_of(row, "state");
    if (strcmp(state, "returned") == 0)
        return change_return(db, &loading->admin, integer_at(change, "id"),
                             integer_at(change, "version"), text_of(row, "comment"));
    if (strcmp(state, "approved") == 0)
        return change_approve(&applied, db, &loading->admin, integer_at(change, "id"),
                              integer_at(change, "version"));
    return OK;
}

/* What members have sent, some of it decided. */
static enum result load_changes(struct db *db, struct loading *loading)
{
    json_t *rows, *account, *target = NULL, *change;
    TRY(read_file(&rows, loading, "changes"));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        const char *email = text_of(row, "account"), *slug = text_of(row, "target");
        TRY(account_by_email(&account, db, email));
        if (slug != NULL)
            TRY(entity_by_slug(&target, db, text_of(row, "entity"), slug));
        struct actor member = {integer_at(account, "id"), email, NULL};
        struct proposal proposal = {
            .entity = text_of(row, "entity"),
            .target = slug == NULL ? 0 : integer_at(target, "id"),
            .document = json_object_get(row, "document"),
            .source = text_of(row, "source"),
            .draft = strcmp(text_of(row, "state"), "draft") == 0,
        };
        TRY(change_propose(&change, db, &member, &proposal));
        TRY(decide(db, loading, row, change));
    }
    loading->report->changes = json_array_size(rows);
    return OK;
}

/* Collections. No mail is ordered: nobody of the demo lab can be written to. */

static const char *day_in(json_int_t days)
{
    char *text = arena_alloc(arena_current(), 11);
    time_t then = time(NULL) + (time_t)days * 24 * 3600;
    struct tm day;
    strftime(text, 11, "%Y-%m-%d", gmtime_r(&then, &day));
    return text;
}

/* What a member has done by now: a whole profile with some of it changed. */
static enum result answer(struct db *db, const json_t *row, json_t *state,
                          const struct actor *member)
{
    json_t *current, *outcome;
    const char *reached = text_of(row, "state");
    if (strcmp(reached, "invited") == 0)
        return OK;
    TRY(answer_opened(db, integer_at(state, "id")));
    if (strcmp(reached, "opened") == 0)
        return OK;
    TRY(entity_current(&current, db, "person", integer_at(state, "person_id")));
    json_t *document = json_object_get(current, "document");
    json_object_del(document, "slug");
    json_object_del(document, "appointments");
    json_object_update(document, json_object_get(row, "document"));
    bool sent = strcmp(reached, "submitted") == 0;
    struct answer_saving saving = {.state = state,
                                   .document = document,
                                   .person_version = integer_at(current, "version"),
                                   .complete = sent ? 100 : 60,
                                   .draft = !sent};
    return answer_save(&outcome, db, member, &saving);
}

static enum result load_member(struct db *db, int64_t collection, const json_t *row)
{
    json_t *account, *state, *said;
    size_t index;
    const char *email = text_of(row, "account");
    TRY(account_by_email(&account, db, email));
    struct actor member = {integer_at(account, "id"), email, NULL};
    TRY(answer_state(&state, db, collection, member.account));
    TRY(answer(db, row, state, &member));
    json_array_foreach(json_object_get(row, "feedback"), index, said)
    {
        struct answer_feedback feedback = {.section = (int)integer_at(said, "section"),
                                           .field = text_of(said, "field"),
                                           .unclear = truth_at(said, "unclear"),
                                           .comment = text_of(said, "comment")};
        TRY(answer_feedback_save(db, state, &feedback));
    }
    return OK;
}

/* Everybody who is here is to be asked; the pilot is. */
static enum result choose(struct db *db, int64_t collection)
{
    json_t *people, *person, *chosen = json_array();
    size_t index;
    TRY(collection_people(&people, db, collection));
    json_array_foreach(people, index, person)
    {
        if (truth_at(person, "current"))
            json_array_append(chosen, json_object_get(person, "id"));
    }
    return collection_choose(db, &command_line, collection, chosen, chosen, json_array());
}

static enum result load_collection(struct db *db, struct loading *loading, json_t *row)
{
    json_error_t error;
    json_t *wave, *account, *member, *accounts = json_array(), *pilot;
    size_t index;
    int64_t id;
    const char *form =
        arena_print(arena_current(), "%s/templates/forms/person.json", loading->home);
    json_t *definition = json_load_file(form, JSON_REJECT_DUPLICATES, &error);
    if (definition == NULL)
        return INVALID;
    json_object_set_new(row, "deadline", json_string(day_in(integer_at(row, "days"))));
    TRY(collection_create(&id, db, &loading->admin, text_of(row, "kind"), row,
                          collection_members_part(definition)));
    TRY(choose(db, id));
    pilot = json_object_get(row, "pilot");
    json_array_foreach(pilot, index, member)
    {
        TRY(account_by_email(&account, db, text_of(member, "account")));
        json_array_append(accounts, json_object_get(account, "id"));
    }
    TRY(wave_insert_invitations(&wave, db, &loading->admin, id, "pilot", accounts));
    json_array_foreach(pilot, index, member) TRY(load_member(db, id, member));
    return OK;
}

static enum result load_collections(struct db *db, struct loading *loading)
{
    json_t *rows, *row;
    size_t index;
    TRY(read_file(&rows, loading, "collections"));
    json_array_foreach(rows, index, row) TRY(load_collection(db, loading, row));
    return OK;
}

static enum result load(struct db *db, void *data)
{
    struct loading *loading = data;
    struct demo_report *report = loading->report;
    bool empty;
    TRY(lab_empty(&empty, db));
    if (!empty && loading->if_empty)
        return OK;
    if (!empty) {
        snprintf(report->problem, sizeof report->problem,
                 "the database has people, works or accounts already");
        return CONFLICT;
    }
    TRY(load_lab(db, loading));
    TRY(save_all(&report->people, db, loading, "people", "person"));
    TRY(load_lists(db, loading));
    TRY(save_all(&report->works, db, loading, "publications", "publication"));
    TRY(load_accounts(db, loading));
    TRY(load_changes(db, loading));
    TRY(load_collections(db, loading));
    report->loaded = true;
    return OK;
}

enum result demo_load(struct demo_report *report, struct db *db, const char *home,
                      bool if_empty)
{
    struct loading loading = {.report = report, .home = home, .if_empty = if_empty};
    *report = (struct demo_report){0};
    enum result result = db_transaction(db, load, &loading);
    if (result == OK)
        return lab_analyze(db);
    if (report->problem[0] == '\0')
        snprintf(report->problem, sizeof report->problem, "%s",
                 db->problem[0] != '\0' ? db->problem : "see the log");
    return result;
}
