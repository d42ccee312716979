/* Loads the demo lab. Its files hold documents as the forms know them; what they leave
 * out is empty. */
#include "server/site/demo.h"

#include "db/connection.h"
#include "db/store/account.h"
#include "db/store/change.h"
#include "db/store/lab.h"
#include "db/transaction.h"
#include "server/base/arena.h"
#include "server/base/document.h"
#include "server/base/log.h"

#include <stdio.h>
#include <string.h>

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
    TRY(save_all(&report->works, db, loading, "publications", "publication"));
    TRY(load_accounts(db, loading));
    TRY(load_changes(db, loading));
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
