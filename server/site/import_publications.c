/* A bibliography: each BibTeX entry becomes a work, or is found to be one that is here
 * already. A work that was edited here is never overwritten. */
#include "db/store/change.h"
#include "db/store/publication.h"
#include "db/transaction.h"
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/utf8.h"
#include "server/form/forms.h"
#include "server/form/submission.h"
#include "server/site/import_report.h"
#include "server/text/work.h"

#include <string.h>

struct run {
    const struct import *import;
    const struct form *form;
    struct report report;
    struct arena *arena; /* of one entry */
    struct place place;
    json_t *document;
    enum fate fate;
    json_t *problem;
};

/* Fields that may be left out when they break a rule: the work is still the work. */
static bool spare(const char *field)
{
    return strcmp(field, "title") != 0 && strcmp(field, "kind") != 0 &&
           strncmp(field, "authors", 7) != 0 && strncmp(field, "bibtex", 6) != 0;
}

/* Reads the document by the form. What is wrong in a spare field is left out, with a
 * remark: of a list the one row. The original entry keeps it. */
static enum result read_document(struct run *run)
{
    struct submission submission;
    enum result result =
        form_read_document(&submission, run->form, run->document, FOR_ADMIN, false);
    for (size_t i = 0; i < json_array_size(submission.errors); i++) {
        json_t *error = json_array_get(submission.errors, i);
        const char *path = text_of(error, "field");
        json_t *problem = problem_of_error(&run->place, error);
        if (path == NULL || !spare(path)) {
            run->problem = problem;
            return INVALID;
        }
        report_remark(&run->report, problem);
    }
    json_t *rest = result == INVALID
                       ? form_without_faults(run->form, run->document, submission.errors)
                       : NULL;
    if (rest != NULL)
        result = form_read_document(&submission, run->form, rest, FOR_ADMIN, false);
    if (result == INVALID)
        run->problem =
            problem_of_error(&run->place, json_array_get(submission.errors, 0));
    run->document = submission.document;
    return result;
}

/* Two entries with a key in common are one work: as publication_match() sees it. */
static json_t *keys_of(struct run *run)
{
    json_t *keys = json_array(),
           *identifiers = json_object_get(run->document, "identifiers");
    json_t *first = json_array_get(json_object_get(run->document, "authors"), 0);
    const char *title = text_of(run->document, "title");
    const char *family = text_of(first, "family");
    if (family == NULL)
        family = text_of(first, "name");
    if (family == NULL)
        family = "";
    for (size_t i = 0; i < json_array_size(identifiers); i++) {
        json_t *row = json_array_get(identifiers, i);
        json_array_append_new(
            keys, json_string(arena_print(run->arena, "%s:%s", text_of(row, "scheme"),
                                          text_of(row, "value"))));
    }
    json_array_append_new(
        keys, json_string(arena_print(
                  run->arena, "%s\n%s\n%s", utf8_fold(run->arena, title, strlen(title)),
                  NUM(json_integer_value(json_object_get(run->document, "year"))),
                  utf8_fold(run->arena, family, strlen(family)))));
    return keys;
}

static void duplicate(struct run *run, const char *code, const char *reason,
                      const char *slug)
{
    run->fate = DUPLICATE;
    run->problem = problem_new(&run->place, code, NULL, reason);
    if (slug != NULL)
        json_object_set_new(run->problem, "slug", json_string(slug));
}

static bool repeated(struct run *run, json_t *keys)
{
    for (size_t i = 0; i < json_array_size(keys); i++) {
        size_t line =
            report_seen(&run->report, json_string_value(json_array_get(keys, i)));
        if (line == 0)
            continue;
        duplicate(
            run, "repeated",
            arena_print(run->arena, "the same work stands in line %zu already", line),
            NULL);
        json_object_set_new(run->problem, "first_line", json_integer((json_int_t)line));
        return true;
    }
    return false;
}

static void see(struct run *run, json_t *keys)
{
    for (size_t i = 0; i < json_array_size(keys); i++)
        report_see(&run->report, json_string_value(json_array_get(keys, i)),
                   run->place.line);
}

/* Does the file say what it said at the last import? The address is not the file's. */
static bool as_imported(struct run *run, json_t *imported)
{
    json_t *before = json_copy(imported), *now = json_copy(run->document);
    json_object_del(before, "slug");
    json_object_del(now, "slug");
    return change_same(before, now);
}

/* By keys_of() too: entries of one file that are told apart there stay apart here. */
static bool same_words(struct run *run, json_t *work)
{
    const char *ours = text_at(run->document, "title", "");
    const char *theirs = text_at(work, "title", "");
    return strcmp(text_of(work, "by"), "identifier") == 0 ||
           (integer_at(work, "year") == integer_at(run->document, "year") &&
            strcmp(utf8_fold(run->arena, ours, strlen(ours)),
                   utf8_fold(run->arena, theirs, strlen(theirs))) == 0);
}

static enum result save(struct db *db, void *data)
{
    struct run *run = data;
    json_t *works, *outcome;
    struct proposal proposal = {.entity = "publication",
                                .document = run->document,
                                .source = "import",
                                .change_version = -1};
    TRY(publication_match(&works, db, run->document));
    json_t *work = NULL, *match;
    size_t index;
    json_array_foreach(works, index, match)
    {
        json_t *imported = json_object_get(match, "imported");
        if (json_is_object(imported) && as_imported(run, imported)) {
            run->fate = UNCHANGED;
            return OK;
        }
        if (work == NULL && truth_at(match, "same") && same_words(run, match))
            work = match;
    }
    json_t *imported = json_object_get(work, "imported");
    if (work != NULL && strcmp(text_of(work, "last_source"), "import") != 0) {
        duplicate(run, json_is_object(imported) ? "edited" : "exists",
                  json_is_object(imported)
                      ? "the work has been edited here since it was imported"
                      : "the work is here already, and was not imported",
                  text_of(work, "slug"));
        return OK;
    }
    if (work != NULL) {
        proposal.target = json_integer_value(json_object_get(work, "id"));
        proposal.base_version = json_integer_value(json_object_get(work, "version"));
    }
    enum result result = change_save(&outcome, db, run->import->actor, &proposal);
    if (result == INVALID && json_object_get(outcome, "errors") != NULL)
        duplicate(run, "identifier_taken", "another work here has one of its identifiers",
                  NULL);
    TRY(result);
    const char *what = text_of(outcome, "outcome");
    run->fate = strcmp(what, "created") == 0   ? CREATED
                : strcmp(what, "updated") == 0 ? UPDATED
                                               : UNCHANGED;
    return OK;
}

/* One entry that the parser let pass. */
static enum result take(struct run *run, const struct bibtex_entry *entry)
{
    run->document = work_document(run->arena, entry);
    json_object_del(run->document, "language");
    json_object_del(run->document, "others");
    enum result result = read_document(run);
    if (result == INVALID) {
        run->fate = REFUSED;
        return OK;
    }
    TRY(result);
    json_t *keys = keys_of(run);
    if (repeated(run, keys))
        return OK;
    result = import_try(run->import, save, run);
    if (result == INVALID && run->problem == NULL) {
        run->fate = REFUSED;
        run->problem =
            problem_new(&run->place, "unfit", NULL, "the database does not take it");
    }
    see(run, keys);
    return result == INVALID ? OK : result;
}

static json_t *problem_of_bibtex(struct run *run, enum bibtex_problem problem,
                                 struct slice where)
{
    const char *code = bibtex_problem_code(problem), *text = bibtex_problem_text(problem);
    size_t length = where.length > 60 ? 60 : where.length;
    json_t *word = length > 0 ? json_stringn(where.bytes, length) : NULL;
    if (word == NULL) /* also when it was cut inside a character */
        return problem_new(&run->place, code, NULL, text);
    json_t *row =
        problem_new(&run->place, code, NULL,
                    arena_print(run->arena, "%s: %s", text, json_string_value(word)));
    json_object_set_new(row, "word", word);
    return row;
}

static enum result read_entry(struct run *run, const struct bibtex_entry *entry)
{
    char *key = arena_copy(run->arena, entry->key.bytes ? entry->key.bytes : "",
                           entry->key.length);
    run->place = (struct place){entry->line, key};
    run->problem = NULL;
    for (size_t i = 0; i < entry->remark_count && i < BIBTEX_REMARKS; i++) {
        run->place.line = entry->remarks[i].line;
        report_remark(&run->report, problem_of_bibtex(run, entry->remarks[i].problem,
                                                      entry->remarks[i].where));
    }
    run->place.line = entry->line;
    if (entry->refused != BIBTEX_SOUND) {
        run->problem = problem_of_bibtex(run, entry->refused, (struct slice){NULL, 0});
        if (!bibtex_is_entry(entry)) {
            report_problem(&run->report, run->problem);
            return OK;
        }
        run->fate = REFUSED;
    } else if (bibtex_is_entry(entry)) {
        TRY(take(run, entry));
    } else {
        return OK;
    }
    report_fate(&run->report, run->fate, run->problem);
    return run->fate == CREATED ? import_tend(run->import, &run->report) : OK;
}

static enum result read_entries(struct run *run, struct bibtex *parser)
{
    for (;;) {
        struct bibtex_entry entry;
        arena_enter(run->report.outer);
        enum result result = bibtex_next(&entry, parser);
        if (result != OK)
            return result == NOT_FOUND ? OK : result;
        arena_reset(run->arena);
        arena_enter(run->arena);
        result = read_entry(run, &entry);
        arena_enter(run->report.outer);
        TRY(result);
    }
}

static enum result read_file(struct run *run, const char *bytes, size_t length)
{
    struct slice text;
    struct bibtex *parser;
    TRY(report_decode(&text, &run->report, bytes, length));
    enum result result =
        bibtex_open(&parser, run->report.outer, text, &bibtex_import_limits);
    if (result == INVALID)
        report_problem(&run->report, problem_new(&(struct place){0, ""}, "file_size",
                                                 NULL, "the file is too large"));
    TRY(result);
    TRY(import_begin(run->import));
    result = read_entries(run, parser);
    enum result end = import_end(run->import, &run->report, "import.publications");
    return result == OK ? end : result;
}

enum result import_publications(json_t **report, const struct import *import,
                                const char *bytes, size_t length)
{
    struct run run = {.import = import,
                      .form = form_named(import->forms, "publication"),
                      .report = report_new(),
                      .arena = arena_new()};
    enum result result = run.form == NULL ? FAILED : read_file(&run, bytes, length);
    arena_free(run.arena);
    *report = report_document(&run.report, import->dry_run);
    return result;
}
