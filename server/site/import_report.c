/* What both importers share: the accounting, the words, and the transactions of an
 * import. */
#include "server/site/import_report.h"

#include "db/store/lab.h"
#include "db/transaction.h"
#include "server/base/buf.h"
#include "server/text/encoding.h"

#include <string.h>

static const char *const fate_names[] = {"created", "updated", "unchanged", "duplicate",
                                         "refused"};

struct report report_new(void)
{
    return (struct report){.problems = json_array(),
                           .remarks = json_array(),
                           .columns = json_null(),
                           .outer = arena_current(),
                           .seen = json_object()};
}

json_t *problem_new(const struct place *place, const char *code, const char *field,
                    const char *reason)
{
    return json_pack("{s:I, s:s, s:s, s:b, s:n, s:s?, s:s}", "line",
                     (json_int_t)place->line, "key", place->key, "code", code, "by_form",
                     0, "word", "field", field, "reason", reason);
}

static void keep(struct report *report, json_t *list, json_t *item)
{
    struct arena *inner = arena_enter(report->outer);
    json_array_append_new(list, json_deep_copy(item));
    arena_enter(inner);
}

void report_problem(struct report *report, json_t *problem)
{
    keep(report, report->problems, problem);
}

void report_remark(struct report *report, json_t *remark)
{
    keep(report, report->remarks, remark);
}

void report_row(struct report *report, json_t *row)
{
    if (report->rows != NULL && json_array_size(report->rows) < IMPORT_ROWS)
        keep(report, report->rows, row);
}

const char *fate_name(enum fate fate)
{
    return fate_names[fate];
}

void report_fate(struct report *report, enum fate fate, json_t *problem)
{
    report->fates[fate]++;
    if (problem != NULL)
        report_problem(report, problem);
}

size_t report_seen(struct report *report, const char *key)
{
    return (size_t)json_integer_value(json_object_get(report->seen, key));
}

void report_see(struct report *report, const char *key, size_t line)
{
    struct arena *inner = arena_enter(report->outer);
    if (json_object_get(report->seen, key) == NULL)
        json_object_set_new(report->seen, key, json_integer((json_int_t)line));
    arena_enter(inner);
}

/* The English of form errors; what is not here is said by its code. */
static const char *clause(const char *code)
{
    static const char *const clauses[][2] = {
        {"required",        "is missing"                                               },
        {"too_long",        "is too long"                                              },
        {"too_short",       "is too short"                                             },
        {"too_many",        "has too many rows"                                        },
        {"range",           "is out of range"                                          },
        {"type",            "has the wrong type"                                       },
        {"choice",          "is none of the choices"                                   },
        {"pattern",         "has the wrong form"                                       },
        {"malformed",       "is not well-formed text"                                  },
        {"control",         "has control characters"                                   },
        {"invisible",       "has invisible characters"                                 },
        {"email",           "is no e-mail address"                                     },
        {"url",             "is no web address"                                        },
        {"url_scheme",      "is not an http or https address"                          },
        {"url_credentials", "is an address with a password"                            },
        {"date",            "is no date"                                               },
        {"integer",         "is no whole number"                                       },
        {"orcid",           "is no ORCID iD"                                           },
        {"orcid_check",     "is an ORCID iD with a wrong check digit"                  },
        {"phone",           "is no phone number"                                       },
        {"doi",             "is no DOI"                                                },
        {"arxiv",           "is no arXiv number"                                       },
        {"isbn",            "is no ISBN"                                               },
        {"pmid",            "is no PubMed number"                                      },
        {"not_before",      "is before the start"                                      },
        {"require_one_of",  "is missing, and so are the fields that could stand for it"},
        {"unknown",         "is not a known field"                                     },
    };
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
        if (strcmp(clauses[i][0], code) == 0)
            return clauses[i][1];
    return NULL;
}

json_t *problem_of_error(const struct place *place, json_t *error)
{
    const char *field = json_string_value(json_object_get(error, "field"));
    const char *code = json_string_value(json_object_get(error, "code"));
    struct buf reason = buf_on(arena_current());
    if (clause(code) != NULL)
        buf_print(&reason, "%s %s", field ? field : "it", clause(code));
    else
        buf_print(&reason, "%s: %s", field ? field : "the entry", code);
    json_t *most = json_object_get(error, "max");
    if (json_is_integer(most))
        buf_print(&reason, " (at most %s)", NUM(json_integer_value(most)));
    json_t *problem = problem_new(place, code, field, reason.data);
    json_object_set_new(problem, "by_form", json_true());
    json_object_update_missing(problem, error);
    return problem;
}

json_t *report_document(const struct report *report, bool dry_run)
{
    size_t entries = 0;
    json_t *document = json_pack("{s:i}", "entries", 0);
    for (int i = 0; i < FATE_COUNT; i++) {
        json_object_set_new(document, fate_names[i],
                            json_integer((json_int_t)report->fates[i]));
        entries += report->fates[i];
    }
    json_object_set_new(document, "entries", json_integer((json_int_t)entries));
    json_object_set(document, "problems", report->problems);
    json_object_set(document, "remarks", report->remarks);
    json_object_set_new(document, "encoding", json_string(report->encoding));
    json_object_set(document, "columns", report->columns);
    json_object_set_new(document, "dry_run", json_boolean(dry_run));
    if (report->table != NULL)
        json_object_set(document, "table", report->table);
    if (report->rows != NULL)
        json_object_set(document, "rows", report->rows);
    return document;
}

enum result report_decode(struct slice *text, struct report *report, const char *bytes,
                          size_t length)
{
    struct decoded decoded;
    enum result result = encoding_decode(&decoded, report->outer, bytes, length);
    if (result == OK) {
        *text = decoded.text;
        report->encoding = encoding_name(decoded.encoding);
    } else if (result == INVALID) {
        report->encoding = encoding_name(ENCODING_UNKNOWN);
        report_problem(report, problem_new(&(struct place){0, ""}, "encoding", NULL,
                                           "the file is in no encoding that is known "
                                           "here: save it as UTF-8"));
    }
    return result;
}

struct trying {
    enum result (*work)(struct db *db, void *data);
    void *data;
    bool dry_run, done;
};

static enum result work(struct db *db, void *data)
{
    struct trying *trying = data;
    TRY(trying->work(db, trying->data));
    trying->done = true;
    return trying->dry_run ? DENIED : OK; /* anything but OK rolls back */
}

enum result import_try(const struct import *import,
                       enum result (*inner)(struct db *db, void *data), void *data)
{
    struct trying trying = {.work = inner, .data = data, .dry_run = import->dry_run};
    enum result result = db_transaction(import->db, work, &trying);
    return result == DENIED && trying.done ? OK : result;
}

enum result import_begin(const struct import *import)
{
    return db_script(import->db, "import",
                     "set synchronous_commit = off; set gin_pending_list_limit = '64MB'");
}

enum result import_tend(const struct import *import, const struct report *report)
{
    size_t added = report->fates[CREATED];
    if (import->dry_run || added < 128 || (added & (added - 1)) != 0)
        return OK;
    return lab_analyze(import->db);
}

enum result import_end(const struct import *import, const struct report *report,
                       const char *action)
{
    json_t *detail = json_object();
    TRY(db_script(import->db, "import",
                  "reset synchronous_commit; reset gin_pending_list_limit"));
    if (import->dry_run)
        return OK;
    if (report->fates[CREATED] >= 128)
        TRY(lab_analyze(import->db));
    for (int i = 0; i < FATE_COUNT; i++)
        json_object_set_new(detail, fate_names[i],
                            json_integer((json_int_t)report->fates[i]));
    return event_add(import->db, import->actor,
                     &(struct event){.action = action, .detail = detail});
}

static void print_rows(FILE *out, json_t *rows, const char *what)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        const char *key = json_string_value(json_object_get(row, "key"));
        fprintf(out, "%s line %" JSON_INTEGER_FORMAT "%s%s: %s\n", what,
                json_integer_value(json_object_get(row, "line")), *key ? ", " : "", key,
                json_string_value(json_object_get(row, "reason")));
    }
}

static void print_headings(FILE *out, json_t *headings, const char *what)
{
    for (size_t i = 0; i < json_array_size(headings); i++)
        fprintf(out, "column “%s” %s\n", json_string_value(json_array_get(headings, i)),
                what);
}

void import_print(FILE *out, json_t *report)
{
    json_t *columns = json_object_get(report, "columns");
    print_headings(out, json_object_get(columns, "unknown"),
                   "is not known here and was left out");
    print_headings(out, json_object_get(columns, "repeated"),
                   "repeats an earlier one and was left out");
    print_rows(out, json_object_get(report, "remarks"), "remark:");
    print_rows(out, json_object_get(report, "problems"), "problem:");
    fprintf(out, "%" JSON_INTEGER_FORMAT " entries (%s)",
            json_integer_value(json_object_get(report, "entries")),
            json_string_value(json_object_get(report, "encoding")));
    for (int i = 0; i < FATE_COUNT; i++)
        fprintf(out, "%s %" JSON_INTEGER_FORMAT " %s", i == 0 ? ":" : ",",
                json_integer_value(json_object_get(report, fate_names[i])),
                fate_names[i]);
    fprintf(out, "%s\n",
            json_is_true(json_object_get(report, "dry_run")) ? "; nothing was written"
                                                             : "");
}
