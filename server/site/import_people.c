/* A roster: each row of a CSV file becomes a person, with an account where there is an
 * address, or adds to one who is here. A row means somebody who is here when the address
 * is theirs, or the name is theirs alone in that role and no address speaks against it.
 */
#include "db/store/account.h"
#include "db/store/change.h"
#include "db/store/person.h"
#include "db/transaction.h"
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/utf8.h"
#include "server/form/forms.h"
#include "server/form/submission.h"
#include "server/site/import_report.h"
#include "server/site/roster.h"
#include "server/text/csv.h"

#include <stdint.h>
#include <string.h>

enum { LEADING_ROWS = 20 }; /* titles and instructions above the headings */

struct run {
    const struct import *import;
    const struct form *roster, *person_form;
    struct report report;
    struct arena *arena; /* of one row */
    struct columns columns;
    struct place place;
    json_t *row, *person;
    const char *name, *email, *role;
    enum fate fate;
    json_t *problem;
    json_t *outcome; /* of saving the person; or NULL */
    bool matched;    /* it was somebody who is here */
};

static json_t *cells_of(const struct csv_row *row)
{
    json_t *cells = json_array();
    for (size_t i = 0; i < row->count; i++)
        json_array_append_new(cells,
                              json_stringn(row->cells[i].bytes ? row->cells[i].bytes : "",
                                           row->cells[i].length));
    return cells;
}

static enum result settle(struct run *run, enum fate fate, const char *code,
                          const char *reason)
{
    run->fate = fate;
    run->problem = problem_new(&run->place, code, NULL, reason);
    return OK;
}

/* A wrong cell that the person can do without is left out, with a remark. */
static bool spare(struct run *run, json_t *cells, json_t *error)
{
    const char *field = text_of(error, "field");
    if (field == NULL || strcmp(field, "email") == 0 || strstr(field, "name") != NULL ||
        strstr(field, "latin") != NULL)
        return false;
    for (size_t i = 0; i < run->columns.count; i++) {
        if (run->columns.fields[i] == NULL ||
            strcmp(run->columns.fields[i]->name, field) != 0)
            continue;
        json_array_set_new(cells, i, json_string(""));
        return true;
    }
    return false;
}

static enum result read_row(struct run *run, json_t *cells)
{
    struct submission submission;
    while (json_array_size(cells) > run->columns.count) /* reported as ragged */
        json_array_remove(cells, json_array_size(cells) - 1);
    enum result result = form_read_row(&submission, &run->columns, cells, FOR_ADMIN);
    run->row = submission.document;
    for (size_t i = 0; i < json_array_size(submission.errors); i++) {
        json_t *error = json_array_get(submission.errors, i);
        json_t *problem = problem_of_error(&run->place, error);
        if (!spare(run, cells, error)) {
            run->problem = problem;
            return INVALID;
        }
        report_remark(&run->report, problem);
    }
    if (result == INVALID)
        result = form_read_row(&submission, &run->columns, cells, FOR_ADMIN);
    if (result == INVALID)
        run->problem =
            problem_of_error(&run->place, json_array_get(submission.errors, 0));
    run->row = submission.document;
    return result;
}

/* Who stood in the file before: by address, and by name and role where one of the two
 * rows has no address. */
static bool repeated(struct run *run)
{
    char *person =
        arena_print(run->arena, "%s\n%s", name_folded(run->arena, run->name), run->role);
    char *any = arena_print(run->arena, "any\n%s", person);
    char *bare = arena_print(run->arena, "bare\n%s", person);
    char *email =
        run->email == NULL ? bare : utf8_fold(run->arena, run->email, strlen(run->email));
    size_t line = report_seen(&run->report, email);
    if (line == 0)
        line = report_seen(&run->report, run->email == NULL ? any : bare);
    report_see(&run->report, any, run->place.line);
    report_see(&run->report, email, run->place.line);
    if (line == 0)
        return false;
    (void)!settle(
        run, DUPLICATE, "repeated",
        arena_print(run->arena, "the same person stands in line %zu already", line));
    json_object_set_new(run->problem, "first_line", json_integer((json_int_t)line));
    return true;
}

static bool has_role(json_t *person, const char *role)
{
    json_t *roles = json_object_get(person, "roles");
    for (size_t i = 0; i < json_array_size(roles); i++)
        if (strcmp(json_string_value(json_array_get(roles, i)), role) == 0)
            return true;
    return false;
}

/* The person that the row means: *found NULL when there is none; CONFLICT when there are
 * several. */
static enum result find(json_t **found, struct run *run, struct db *db)
{
    json_t *people;
    *found = NULL;
    TRY(person_match(&people, db, run->email, run->name));
    for (size_t i = 0; i < json_array_size(people); i++) {
        json_t *person = json_array_get(people, i);
        bool by_name = strcmp(text_of(person, "by"), "name") == 0;
        bool addressed = json_is_true(json_object_get(person, "addressed"));
        if (by_name &&
            (!has_role(person, run->role) || (run->email != NULL && addressed)))
            continue;
        if (*found != NULL)
            return CONFLICT;
        *found = person;
    }
    return OK;
}

/* The account with the row's address; one that has no person yet is taken. */
static enum result give_account(struct db *db, struct run *run, int64_t person)
{
    json_t *account;
    const struct actor *actor = run->import->actor;
    const char *language = text_of(run->row, "language");
    if (run->email == NULL)
        return OK;
    enum result result = account_of_person(&account, db, person);
    if (result != NOT_FOUND)
        return result;
    result = account_by_email(&account, db, run->email);
    if (result == OK)
        return json_is_null(json_object_get(account, "person_id"))
                   ? account_set_person(
                         db, actor, json_integer_value(json_object_get(account, "id")),
                         person)
                   : OK;
    if (result != NOT_FOUND)
        return result;
    if (language == NULL)
        language = text_of(run->person, "name_han") != NULL ? "zh" : "en";
    return account_create(&account, db, actor,
                          &(struct new_account){.email = run->email,
                                                .language = language,
                                                .person = person});
}

static void remark_kept(struct run *run, json_t *kept)
{
    for (size_t i = 0; i < json_array_size(kept); i++) {
        const char *field = json_string_value(json_array_get(kept, i));
        char *reason =
            arena_print(run->arena, "%s says something else here; that was kept", field);
        report_remark(&run->report, problem_new(&run->place, "kept", field, reason));
    }
}

static enum result save(struct db *db, void *data)
{
    struct run *run = data;
    json_t *found, *current, *outcome, *kept = json_array();
    struct proposal proposal = {.entity = "person",
                                .document = run->person,
                                .source = "import",
                                .change_version = -1};
    enum result result = find(&found, run, db);
    if (result == CONFLICT)
        return settle(
            run, REFUSED, "ambiguous",
            "several people here have that name and role; an address would tell "
            "which is meant");
    TRY(result);
    if (found != NULL) {
        proposal.target = json_integer_value(json_object_get(found, "id"));
        TRY(entity_current(&current, db, "person", proposal.target));
        proposal.document =
            roster_addition(json_object_get(current, "document"), run->person, kept);
    }
    TRY(change_save(&outcome, db, run->import->actor, &proposal));
    run->outcome = outcome;
    run->matched = found != NULL;
    TRY(give_account(db, run, json_integer_value(json_object_get(outcome, "target_id"))));
    const char *what = text_of(outcome, "outcome");
    run->fate = strcmp(what, "created") == 0   ? CREATED
                : strcmp(what, "updated") == 0 ? UPDATED
                                               : UNCHANGED;
    remark_kept(run, kept);
    return OK;
}

/* What the roster's form let pass must also be a person by the person's form. */
static enum result check_person(struct run *run)
{
    struct submission submission;
    enum result result =
        form_read_document(&submission, run->person_form, run->person, FOR_ADMIN, true);
    if (result == INVALID)
        run->problem =
            problem_of_error(&run->place, json_array_get(submission.errors, 0));
    return result;
}

static enum result take(struct run *run, json_t *cells)
{
    run->fate = REFUSED;
    enum result result = read_row(run, cells);
    if (result == INVALID) /* it is shown by what it calls itself */
        run->name =
            text_of(run->row, text_of(run->row, "name_han") ? "name_han" : "name_latin");
    if (result != OK)
        return result == INVALID ? OK : result;
    run->person = roster_person(run->arena, run->row);
    run->name = roster_name(run->arena, run->row, run->person);
    run->email = text_of(run->row, "email");
    run->role = text_of(run->row, "role") == NULL ? "member" : text_of(run->row, "role");
    if (run->name == NULL)
        return settle(run, REFUSED, "not_a_name", "the row holds no name of a person");
    run->place.key = run->email != NULL ? run->email : run->name;
    result = check_person(run);
    if (result != OK)
        return result == INVALID ? OK : result;
    if (repeated(run))
        return OK;
    result = import_try(run->import, save, run);
    if (result == INVALID || result == CONFLICT)
        return settle(run, REFUSED, "unfit", "the database does not take it");
    return result;
}

static void note_row(struct run *run)
{
    json_t *outcome = run->outcome;
    report_row(&run->report,
               json_pack("{s:I, s:s?, s:s?, s:s?, s:s?, s:s, s:b, s:s?, s:I, s:O?}",
                         "line", (json_int_t)run->place.line, "name", run->name, "email",
                         run->email, "role", run->role, "language",
                         text_of(run->row, "language"), "fate", fate_name(run->fate),
                         "matched", run->matched, "slug", text_of(outcome, "slug"),
                         "person_id", (json_int_t)integer_at(outcome, "target_id"),
                         "problem", run->problem));
}

static enum result take_row(struct run *run, const struct csv_row *row)
{
    json_t *cells = cells_of(row);
    const char *first = json_string_value(json_array_get(cells, 0));
    run->place = (struct place){row->line, first == NULL ? "" : first};
    run->problem = run->row = run->outcome = NULL;
    run->name = run->email = run->role = NULL;
    run->matched = false;
    if (row->problem == CSV_CELL_TOO_LONG || row->problem == CSV_TOO_MANY_COLUMNS ||
        row->problem == CSV_TOO_MANY_ROWS) {
        run->place.key = "";
        TRY(settle(run, REFUSED, csv_problem_code(row->problem),
                   row->problem == CSV_CELL_TOO_LONG      ? "a cell is too long"
                   : row->problem == CSV_TOO_MANY_COLUMNS ? "too many columns"
                                                          : "the file has too many rows; "
                                                            "the rest was not read"));
    } else {
        if (row->problem != CSV_SOUND)
            report_remark(
                &run->report,
                problem_new(&run->place, csv_problem_code(row->problem), NULL,
                            row->problem == CSV_RAGGED
                                ? "the row has more or fewer cells than headings"
                                : "a quotation mark is out of place"));
        TRY(take(run, cells));
    }
    note_row(run);
    report_fate(&run->report, run->fate, run->problem);
    return run->fate == CREATED ? import_tend(run->import, &run->report) : OK;
}

/* Headings, or the cells below them. */
static void show_cells(json_t *columns, json_t *cells, bool heads)
{
    size_t index;
    json_t *cell;
    json_array_foreach(cells, index, cell)
    {
        if (index == json_array_size(columns))
            json_array_append_new(
                columns, json_pack("{s:n, s:n, s:[]}", "heading", "field", "samples"));
        json_t *column = json_array_get(columns, index);
        if (heads)
            json_object_set(column, "heading", cell);
        else
            json_array_append(json_object_get(column, "samples"), cell);
    }
}

static bool unfit(const struct csv_row *row)
{
    return row->blank || row->problem == CSV_CELL_TOO_LONG ||
           row->problem == CSV_TOO_MANY_COLUMNS;
}

/* The columns as the file has them: their headings, the first cells of each. Without
 * headings (line 0) cells alone; when none is known (SIZE_MAX) the first row may be
 * them. */
static void show_table(struct run *run, struct slice text, size_t headings)
{
    enum { ROWS = 4 };
    struct csv *csv;
    struct csv_row row;
    json_t *columns = json_array();
    size_t first = 0;
    if (!run->import->rows ||
        csv_open(&csv, run->report.outer, text, &csv_import_limits) != OK)
        return;
    for (int rows = 0; rows < ROWS && csv_next(&row, csv) == OK;) {
        if (unfit(&row) || (headings != SIZE_MAX && row.line < headings))
            continue;
        if (headings == SIZE_MAX)
            headings = row.line;
        if (rows == 0)
            first = row.line;
        show_cells(columns, cells_of(&row), row.line == headings);
        rows++;
    }
    run->report.table = json_pack("{s:I, s:I, s:O}", "line",
                                  (json_int_t)(headings == SIZE_MAX ? 0 : headings),
                                  "first", (json_int_t)first, "columns", columns);
    run->report.rows = json_array();
}

static void show_fields(struct run *run)
{
    json_t *columns = json_object_get(run->report.table, "columns"), *column;
    size_t index;
    json_array_foreach(columns, index, column)
    {
        const struct field *field =
            index < run->columns.count ? run->columns.fields[index] : NULL;
        if (field != NULL)
            json_object_set_new(column, "field", json_string(field->name));
    }
}

/* The line of the headings: of the leading rows the one that names most fields. */
static enum result find_headings(size_t *line, struct run *run, struct slice text)
{
    struct csv *csv;
    struct csv_row row;
    size_t most = 0;
    enum result result = csv_open(&csv, run->report.outer, text, &csv_import_limits);
    if (result == INVALID)
        report_problem(&run->report, problem_new(&(struct place){0, ""}, "file_size",
                                                 NULL, "the file is too large"));
    TRY(result);
    *line = run->import->heading_line;
    for (int i = 0;
         run->import->columns == NULL && i < LEADING_ROWS && csv_next(&row, csv) == OK;
         i++) {
        if (row.problem == CSV_CELL_TOO_LONG || row.problem == CSV_TOO_MANY_COLUMNS)
            continue;
        struct columns columns = form_columns(run->roster, cells_of(&row), FOR_ADMIN);
        if (columns.known > most) {
            most = columns.known;
            *line = row.line;
        }
    }
    if (run->import->columns != NULL)
        most = form_columns_named(run->roster, run->import->columns, FOR_ADMIN).known;
    show_table(run, text, most > 0 || run->import->columns ? *line : SIZE_MAX);
    if (most == 0)
        report_problem(&run->report,
                       problem_new(&(struct place){0, ""}, "no_headings", NULL,
                                   "no row names columns that are known here, such as "
                                   "name, 姓名, e-mail"));
    return most == 0 ? INVALID : OK;
}

static void read_headings(struct run *run, struct csv *csv, const struct csv_row *row)
{
    csv_header(csv, row);
    json_t *given = run->import->columns;
    run->columns = given != NULL ? form_columns_named(run->roster, given, FOR_ADMIN)
                                 : form_columns(run->roster, cells_of(row), FOR_ADMIN);
    show_fields(run);
    run->report.columns = json_pack("{s:O, s:O}", "unknown", run->columns.unknown,
                                    "repeated", run->columns.repeated);
    for (size_t i = 0; i < run->columns.count; i++)
        if (run->columns.fields[i] != NULL &&
            strcmp(run->columns.fields[i]->name, "note") == 0)
            report_remark(&run->report,
                          problem_new(&(struct place){row->line, ""}, "not_kept", "note",
                                      "notes are for the reader of the list and were not "
                                      "taken"));
}

static enum result read_rows(struct run *run, struct slice text, size_t headings)
{
    struct csv *csv;
    struct csv_row row;
    bool begun = false;
    TRY(csv_open(&csv, run->report.outer, text, &csv_import_limits));
    for (;;) {
        arena_enter(run->report.outer);
        enum result result = csv_next(&row, csv);
        if (result != OK)
            return result == NOT_FOUND ? OK : result;
        if (row.line == headings || (headings == 0 && !row.blank && !begun)) {
            read_headings(run, csv, &row);
            begun = true;
        }
        if (row.line <= headings || row.blank)
            continue;
        arena_reset(run->arena);
        arena_enter(run->arena);
        result = take_row(run, &row);
        arena_enter(run->report.outer);
        TRY(result);
    }
}

static enum result read_file(struct run *run, const char *bytes, size_t length)
{
    struct slice text;
    size_t headings = 0;
    TRY(report_decode(&text, &run->report, bytes, length));
    TRY(find_headings(&headings, run, text));
    TRY(import_begin(run->import));
    enum result result = read_rows(run, text, headings);
    enum result end = import_end(run->import, &run->report, "import.people");
    return result == OK ? end : result;
}

enum result import_people(json_t **report, const struct import *import, const char *bytes,
                          size_t length)
{
    struct run run = {.import = import,
                      .roster = form_named(import->forms, "roster"),
                      .person_form = form_named(import->forms, "person"),
                      .report = report_new(),
                      .arena = arena_new()};
    enum result result = run.roster == NULL || run.person_form == NULL
                             ? FAILED
                             : read_file(&run, bytes, length);
    arena_free(run.arena);
    *report = report_document(&run.report, import->dry_run);
    return result;
}
