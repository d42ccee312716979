/* A bibliography, a few hundred entries at a time: what they are beside the lab's works
 * is found for all at once, and written so (importing.h says by which rules). Nobody is
 * asked here: what is new is added, what came by import before is updated, and the rest
 * is told. */
#include "db/store/change.h"
#include "db/transaction.h"
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/form/forms.h"
#include "server/site/import_report.h"
#include "server/site/importing.h"
#include "server/text/bibtex.h"
#include "server/text/work_join.h"

#include <string.h>

enum { BATCH = 250 };

struct run {
    const struct import *import;
    struct importing how;
    struct report report;
    struct bibliography *bibliography;
    struct arena *arena; /* of one batch */
    json_t *added;       /* id of a work that this import added -> line */
    json_t *entries;     /* of the batch: rows of import_entry */
    json_t *proposals, *outcomes;
    bool ended;
};

static struct place place_of(const json_t *entry)
{
    return (struct place){(size_t)integer_at(entry, "line"), text_at(entry, "key", "")};
}

static bool is(const json_t *entry, const char *fate)
{
    return strcmp(text_at(entry, "fate", ""), fate) == 0;
}

/* A problem of importing.h as one of import.h. */
static json_t *told(const json_t *entry, json_t *problem)
{
    struct place place = place_of(entry);
    if (!is(entry, "refused") && integer_at(problem, "line") != 0)
        place.line = (size_t)integer_at(problem, "line");
    if (truth_at(problem, "by_form"))
        return problem_of_error(&place, problem);
    const char *reason = text_at(problem, "reason", text_at(problem, "code", ""));
    json_t *row = problem_new(&place, text_at(problem, "code", ""), NULL, reason);
    json_t *word = json_object_get(problem, "word");
    if (json_string_length(word) > 0) {
        json_object_set(row, "word", word);
        json_object_set_new(row, "reason",
                            json_string(arena_print(arena_current(), "%s: %s", reason,
                                                    json_string_value(word))));
    }
    return row;
}

static json_t *duplicate(const json_t *entry, const char *code, const char *reason)
{
    const struct place place = place_of(entry);
    return problem_new(&place, code, NULL, reason);
}

static json_t *repeated(const json_t *entry, json_int_t line)
{
    json_t *problem =
        duplicate(entry, "repeated",
                  arena_print(arena_current(), "the same work stands in line %s already",
                              NUM(line)));
    json_object_set_new(problem, "first_line", json_integer(line));
    return problem;
}

/* What is not written is reported; true when there is nothing to write. */
static bool settled(struct run *run, const json_t *entry)
{
    const char *id = NUM(integer_at(entry, "target_id"));
    json_t *before = json_object_get(run->added, id);
    if (is(entry, "refused") || is(entry, "waiting")) {
        json_t *problem = json_object_get(entry, "problem");
        if (is(entry, "waiting"))
            problem = json_pack("{s:s, s:s}", "code", "look_up", "reason",
                                "identifiers are looked up on the page of imports alone");
        report_fate(&run->report, REFUSED, told(entry, problem));
    } else if (is(entry, "repeated")) {
        report_fate(&run->report, DUPLICATE,
                    repeated(entry, integer_at(entry, "first_line")));
    } else if (before != NULL && !is(entry, "new") && !is(entry, "duplicate")) {
        report_fate(&run->report, DUPLICATE, repeated(entry, json_integer_value(before)));
    } else if (is(entry, "unchanged")) {
        report_fate(&run->report, UNCHANGED, NULL);
    } else if (is(entry, "edited")) {
        bool came = truth_at(entry, "imported");
        json_t *problem =
            duplicate(entry, came ? "edited" : "exists",
                      came ? "the work has been edited here since it was imported"
                           : "the work is here already, and was not imported");
        json_object_set(problem, "slug", json_object_get(entry, "slug"));
        report_fate(&run->report, DUPLICATE, problem);
    } else {
        return false;
    }
    return true;
}

static enum result propose(struct proposal *proposal, struct db *db, const json_t *entry)
{
    json_t *current;
    *proposal = (struct proposal){.entity = "publication",
                                  .document = json_object_get(entry, "document"),
                                  .source = "import",
                                  .change_version = -1};
    if (!is(entry, "update"))
        return OK;
    proposal->target = integer_at(entry, "target_id");
    TRY(entity_current(&current, db, "publication", proposal->target));
    proposal->base_version = integer_at(current, "version");
    proposal->document =
        work_joined(json_object_get(current, "document"), proposal->document);
    return OK;
}

static void tell(struct run *run, const json_t *entry, const json_t *outcome)
{
    const char *what = text_at(outcome, "outcome", "");
    if (strcmp(what, "refused") == 0) {
        bool taken = strcmp(text_at(json_array_get(json_object_get(outcome, "errors"), 0),
                                    "code", ""),
                            "identifier_taken") == 0;
        report_fate(&run->report, taken ? DUPLICATE : REFUSED,
                    duplicate(entry, taken ? "identifier_taken" : "unfit",
                              taken ? "another work here has one of its identifiers"
                                    : "the database does not take it"));
        return;
    }
    report_fate(&run->report,
                strcmp(what, "created") == 0   ? CREATED
                : strcmp(what, "updated") == 0 ? UPDATED
                                               : UNCHANGED,
                NULL);
    if (strcmp(what, "created") != 0)
        return;
    const char *id = NUM(integer_at(outcome, "target_id"));
    struct arena *inner = arena_enter(run->report.outer);
    json_object_set_new(run->added, id, json_integer((json_int_t)place_of(entry).line));
    arena_enter(inner);
}

/* From entry `first` of the batch, `count` of them, in one transaction. */
struct part {
    struct run *run;
    size_t first, count;
};

static enum result save(struct db *db, void *data)
{
    struct part *part = data;
    struct run *run = part->run;
    struct proposal *proposals =
        ARENA_ARRAY(arena_current(), struct proposal, part->count + 1);
    size_t count = 0;
    run->proposals = json_array();
    for (size_t i = part->first; i < part->first + part->count; i++) {
        json_t *entry = json_array_get(run->entries, i);
        if (json_object_get(entry, "settled") == NULL) {
            TRY(propose(&proposals[count++], db, entry));
            json_array_append(run->proposals, entry);
        }
    }
    return change_save_many(&run->outcomes, db, run->import->actor, proposals, count);
}

static enum result write_part(struct part *part)
{
    struct run *run = part->run;
    json_t *entry;
    size_t i;
    TRY(import_try(run->import, save, part));
    json_array_foreach(run->proposals, i, entry)
        tell(run, entry, json_array_get(run->outcomes, i));
    return OK;
}

/* Together; when the database does not take one of them, one by one. */
static enum result write_batch(struct run *run)
{
    size_t i, count = json_array_size(run->entries);
    json_t *entry;
    json_array_foreach(run->entries, i, entry)
    {
        if (settled(run, entry))
            json_object_set_new(entry, "settled", json_true());
    }
    enum result result = write_part(&(struct part){run, 0, count});
    if (result != INVALID && result != CONFLICT)
        return result;
    for (i = 0; i < count; i++) {
        entry = json_array_get(run->entries, i);
        if (json_object_get(entry, "settled") != NULL)
            continue;
        result = write_part(&(struct part){run, i, 1});
        if (result == INVALID || result == CONFLICT)
            report_fate(&run->report, REFUSED,
                        duplicate(entry, "unfit", "the database does not take it"));
        else
            TRY(result);
    }
    return OK;
}

/* Entries of the batch; what belongs to none is told at once. */
static enum result read_batch(struct run *run)
{
    run->entries = json_array();
    while (json_array_size(run->entries) < BATCH) {
        struct bibliography_entry found;
        enum result result = bibliography_next(&found, run->bibliography, run->arena);
        if (result == NOT_FOUND) {
            run->ended = true;
            return OK;
        }
        TRY(result);
        json_t *entry = importing_row(&run->how, &found), *remark;
        size_t i;
        json_array_foreach(json_object_get(entry, "remarks"), i, remark)
            report_remark(&run->report, told(entry, remark));
        json_array_append_new(run->entries, entry);
        json_object_set_new(entry, "number",
                            json_integer((json_int_t)json_array_size(run->entries)));
    }
    return OK;
}

static enum result read_batches(struct run *run)
{
    while (!run->ended) {
        arena_reset(run->arena);
        arena_enter(run->arena);
        enum result result = read_batch(run);
        if (result == OK)
            result = importing_judge(&run->how, run->entries, NULL);
        if (result == OK)
            result = write_batch(run);
        if (result == OK)
            result = import_tend(run->import, &run->report);
        arena_enter(run->report.outer);
        TRY(result);
    }
    return OK;
}

static void report_file(struct run *run)
{
    json_t *file = json_array_get(bibliography_files(run->bibliography), 0);
    const char *refused = text_of(file, "refused");
    run->report.encoding = text_at(file, "encoding", run->report.encoding);
    if (refused != NULL)
        report_problem(&run->report,
                       problem_new(&(struct place){0, ""}, refused, NULL,
                                   strcmp(refused, "encoding") == 0
                                       ? "the file is in no encoding that is known here: "
                                         "save it as UTF-8"
                                       : "the file is in no format that is known here"));
}

static enum result read_file(struct run *run, const char *bytes, size_t length)
{
    const struct bibliography_file file = {
        "", {bytes, length}
    };
    enum result result = bibliography_open(&run->bibliography, run->report.outer, &file,
                                           1, &bibtex_import_limits);
    if (result == INVALID)
        report_problem(&run->report, problem_new(&(struct place){0, ""}, "file_size",
                                                 NULL, "the file is too large"));
    TRY(result);
    TRY(import_begin(run->import));
    result = read_batches(run);
    report_file(run);
    enum result end = import_end(run->import, &run->report, "import.publications");
    if (result == OK && json_array_size(run->report.problems) == 1 &&
        run->report.fates[0] == 0 &&
        text_of(json_array_get(bibliography_files(run->bibliography), 0), "refused") !=
            NULL)
        return INVALID;
    return result == OK ? end : result;
}

enum result import_publications(json_t **report, const struct import *import,
                                const char *bytes, size_t length)
{
    struct run run = {
        .import = import,
        .how = {.db = import->db,
                .form = form_named(import->forms, "publication"),
                .audience = FOR_ADMIN},
        .report = report_new(),
        .arena = arena_new(),
        .added = json_object()
    };
    if (import->dry_run) { /* what it rolls back, the next batch does not find */
        run.how.memory = run.report.outer;
        run.how.seen = json_object();
    }
    enum result result = run.how.form == NULL ? FAILED : read_file(&run, bytes, length);
    arena_free(run.arena);
    *report = report_document(&run.report, import->dry_run);
    return result;
}
