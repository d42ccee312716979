/* Counting what became of each entry; for the importers alone. */
#ifndef LABD_SITE_IMPORT_REPORT_H
#define LABD_SITE_IMPORT_REPORT_H

#include "server/base/arena.h"
#include "server/site/import.h"

enum fate { CREATED, UPDATED, UNCHANGED, DUPLICATE, REFUSED, FATE_COUNT };

struct report {
    size_t fates[FATE_COUNT];
    json_t *problems, *remarks;
    const char *encoding;
    json_t *columns;
    json_t *table, *rows; /* NULL: not wanted */
    struct arena *outer;  /* where the report lives */
    json_t *seen;         /* key of an entry -> line where it stood first */
};

/* Where in the file the work is. */
struct place {
    size_t line;
    const char *key;
};

/* Begins on the current arena. */
struct report report_new(void);

/* {line, key, code, field, reason}, to be filled further with json_object_set_new(). */
json_t *problem_new(const struct place *place, const char *code, const char *field,
                    const char *reason);
/* Counts the entry; `problem` (NULL: none) is copied to the outer arena. */
void report_fate(struct report *report, enum fate fate, json_t *problem);
/* One of `rows`, copied to the outer arena; beyond IMPORT_ROWS of them nothing. */
void report_row(struct report *report, json_t *row);
/* "created", ... */
const char *fate_name(enum fate fate);
void report_problem(struct report *report, json_t *problem); /* of no entry */
void report_remark(struct report *report, json_t *remark);
/* A form's error as a problem, with its reason in English. */
json_t *problem_of_error(const struct place *place, json_t *error);

/* The line where `key` stood before in this file; 0: not yet. */
size_t report_seen(struct report *report, const char *key);
void report_see(struct report *report, const char *key, size_t line);

json_t *report_document(const struct report *report, bool dry_run);

/* Decodes the bytes: on INVALID the report has its one problem. */
struct slice;
MUST_USE enum result report_decode(struct slice *text, struct report *report,
                                   const char *bytes, size_t length);

/* Runs work(db, data) in a transaction, which a dry run rolls back. */
MUST_USE enum result import_try(const struct import *import,
                                enum result (*work)(struct db *db, void *data),
                                void *data);
/* Commits that do not wait for the disk, and words that are put in the index later, until
 * import_end(), which writes the event. */
MUST_USE enum result import_begin(const struct import *import);
/* Now and then while rows are added: tells the planner how many there are, for a plan
 * made for a small table reads a large one from end to end. */
MUST_USE enum result import_tend(const struct import *import,
                                 const struct report *report);
MUST_USE enum result import_end(const struct import *import, const struct report *report,
                                const char *action);

#endif
