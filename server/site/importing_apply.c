/* Bringing in what was chosen; see importing.h. */
#include "db/store/change.h"
#include "db/store/import.h"
#include "db/transaction.h"
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/site/importing.h"
#include "server/text/work_join.h"

#include <string.h>

struct applying {
    const struct actor *actor;
    int64_t id;
    bool at_once;
    json_t *outcomes;
};

static void note(struct applying *a, const json_t *entry, const char *outcome,
                 json_t *slug, const char *code)
{
    json_t *row =
        json_pack("{s:O, s:s, s:O?}", "number", json_object_get(entry, "number"),
                  "outcome", outcome, "slug", slug);
    if (code != NULL)
        json_object_set_new(row, "problem",
                            json_pack("{s:s, s:b, s:n, s:n}", "code", code, "by_form", 0,
                                      "line", "word"));
    json_array_append_new(a->outcomes, row);
}

/* What the change says: a new work, or what is here joined with what came. */
static enum result proposal_of(struct proposal *proposal, struct db *db,
                               const json_t *entry)
{
    json_t *current, *document = json_object_get(entry, "document");
    *proposal = (struct proposal){.entity = "publication",
                                  .document = document,
                                  .source = "import",
                                  .change_version = -1};
    if (strcmp(text_at(entry, "choice", ""), "update") != 0)
        return OK;
    proposal->target = integer_at(entry, "target_id");
    TRY(entity_current(&current, db, "publication", proposal->target));
    if (integer_at(current, "version") != integer_at(entry, "target_version"))
        return CONFLICT;
    proposal->base_version = integer_at(current, "version");
    proposal->document = work_joined(json_object_get(current, "document"), document);
    return OK;
}

static enum result apply_entry(struct applying *a, struct db *db, const json_t *entry)
{
    struct proposal proposal;
    json_t *outcome = NULL;
    enum result result = proposal_of(&proposal, db, entry);
    if (result == OK)
        result = a->at_once ? change_save(&outcome, db, a->actor, &proposal)
                            : change_propose(&outcome, db, a->actor, &proposal);
    switch (result) {
    case OK:
        note(a, entry, text_at(outcome, "outcome", ""), json_object_get(outcome, "slug"),
             NULL);
        return OK;
    case CONFLICT:
    case NOT_FOUND:
        note(a, entry, "conflict", NULL, "edited");
        return OK;
    case INVALID: {
        json_t *error = json_array_get(json_object_get(outcome, "errors"), 0);
        note(a, entry, "refused", NULL,
             strcmp(text_at(error, "code", ""), "identifier_taken") == 0
                 ? "identifier_taken"
                 : "unfit");
        return OK;
    }
    case DENIED:
    case BUSY:
    case FAILED:
        break;
    }
    return result;
}

static enum result apply(struct db *db, void *data)
{
    struct applying *a = data;
    const char *state;
    json_t *entries, *entry;
    size_t index;
    TRY(import_hold(&state, db, a->id));
    if (strcmp(state, "discarded") == 0)
        return OK;
    TRY(import_entries(&entries, db, a->id, NULL, 0, IMPORT_ENTRIES_MOST));
    json_array_foreach(entries, index, entry)
    {
        if (text_of(entry, "outcome") == NULL &&
            strcmp(text_at(entry, "choice", "skip"), "skip") != 0)
            TRY(apply_entry(a, db, entry));
    }
    TRY(import_settle(db, a->id, a->outcomes));
    return import_close(db, a->id, "applied");
}

enum result importing_apply(struct db *db, const struct actor *actor, int64_t id,
                            bool at_once)
{
    struct applying applying = {actor, id, at_once, json_array()};
    return db_transaction(db, apply, &applying);
}
