/* The job "lookup": an identifier of an import becomes the work that it stands for. */
#include "db/store/import.h"
#include "db/store/job.h"
#include "db/transaction.h"
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/form/forms.h"
#include "server/lookup/lookup.h"
#include "server/site/importing.h"
#include "server/site/job.h"
#include "server/site/site.h"

#include <string.h>

enum { WAIT_MS = 10 * 1000 };

struct filling {
    struct job *job;
    int64_t import, number;
    json_t *entry; /* as it waits */
    json_t *found; /* lookup_find() */
};

static struct importing how_of(struct filling *f, struct db *db)
{
    return (struct importing){.db = db,
                              .form = form_named(site.forms, "publication"),
                              .audience = FOR_MEMBER,
                              .account = f->job->account};
}

/* Every document of the record becomes an entry, every identifier one that waits. */
static enum result spread(struct filling *f, struct db *db)
{
    struct importing how = how_of(f, db);
    json_t *entries = json_array(), *value, *entry, *others;
    size_t index;
    int64_t next, job;
    TRY(import_next(&next, db, f->import));
    TRY(import_entries(&others, db, f->import, NULL, 0, IMPORT_ENTRIES_MOST));
    json_array_foreach(json_object_get(f->found, "documents"), index, value)
        json_array_append_new(entries, importing_entry(&how, value));
    TRY(importing_judge(&how, entries, others));
    json_array_foreach(json_object_get(f->found, "identifiers"), index, value)
        json_array_append_new(
            entries, json_pack("{s:[], s:s, s:s, s:O, s:O, s:n, s:n}", "remarks", "fate",
                               "waiting", "choice", "skip", "scheme",
                               json_object_get(value, "scheme"), "value",
                               json_object_get(value, "value"), "problem", "document"));
    json_array_foreach(entries, index, entry)
    {
        json_object_set_new(entry, "number", json_integer(next + (json_int_t)index));
        json_object_set(entry, "file", json_object_get(f->entry, "file"));
        json_object_set(entry, "line", json_object_get(f->entry, "line"));
        json_object_set_new(entry, "key", json_string(text_at(f->entry, "value", "")));
    }
    TRY(import_add_entries(db, f->import, entries));
    json_array_foreach(entries, index, entry)
    {
        if (strcmp(text_at(entry, "fate", ""), "waiting") == 0)
            TRY(job_add(&job, db, "lookup",
                        json_pack("{s:I, s:O}", "import", (json_int_t)f->import, "entry",
                                  json_object_get(entry, "number")),
                        f->job->account));
    }
    return import_drop_entry(db, f->import, f->number);
}

static enum result fill(struct db *db, void *data)
{
    struct filling *f = data;
    struct importing how = how_of(f, db);
    json_t *entries = json_array(), *others;
    if (strcmp(text_at(f->entry, "scheme", ""), "orcid") == 0)
        return spread(f, db);
    TRY(import_entries(&others, db, f->import, NULL, 0, IMPORT_ENTRIES_MOST));
    json_array_append_new(
        entries,
        importing_entry(&how, json_array_get(json_object_get(f->found, "documents"), 0)));
    TRY(importing_judge(&how, entries, others));
    return import_fill(db, f->import, f->number, json_array_get(entries, 0));
}

static enum result fail(struct filling *f, const char *code)
{
    f->job->error = code;
    return import_fill(f->job->db, f->import, f->number,
                       json_pack("{s:s, s:s, s:n, s:{s:s, s:b, s:b, s:n, s:n}}", "fate",
                                 "failed", "choice", "skip", "document", "problem",
                                 "code", code, "look_up", 1, "by_form", 0, "line",
                                 "word"));
}

static bool nothing_in(json_t *found)
{
    return json_array_size(json_object_get(found, "documents")) +
               json_array_size(json_object_get(found, "identifiers")) ==
           0;
}

enum result lookup_job(struct job *job)
{
    struct filling f = {.job = job,
                        .import = integer_at(job->subject, "import"),
                        .number = integer_at(job->subject, "entry")};
    json_t *entries;
    const char *error;
    TRY(import_entries(&entries, job->db, f.import, NULL, f.number - 1, 1));
    f.entry = json_array_get(entries, 0);
    if (integer_at(f.entry, "number") != f.number ||
        strcmp(text_at(f.entry, "fate", ""), "waiting") != 0)
        return OK; /* discarded meanwhile */
    const struct lookup lookup = {.scheme = text_at(f.entry, "scheme", ""),
                                  .value = text_at(f.entry, "value", ""),
                                  .most_ms = WAIT_MS,
                                  .stopping = job->stopping,
                                  .data = job->data};
    enum result result = lookup_find(&f.found, &error, &job->seconds, job->db, &lookup);
    if (result == OK && !nothing_in(f.found)) {
        job->seconds = 0;
        return db_transaction(job->db, fill, &f);
    }
    if (result == OK || result == NOT_FOUND || result == INVALID) {
        TRY(fail(&f, "missing"));
        return NOT_FOUND;
    }
    if (result == FAILED && error != NULL && job->last)
        TRY(fail(&f, error));
    else if (result == FAILED)
        job->error = error;
    return result;
}
