/* What becomes of the entries of somebody's files: read, judged beside what the lab has,
 * and, once chosen, brought in. Used by the pages of /my/imports and by the job that
 * fills in what had to be looked up.
 *
 * The fate of an entry, and what may be chosen for it:
 *
 *   new        add (at first), skip
 *   update     a work that came by import says something else now: update (at first),
 * skip edited     the same of a work that was entered or edited here: skip (at first),
 * update duplicate  perhaps a work that is here: skip (at first), update it, add as
 * another one repeated   an entry before it is the same work: skip (at first), add sent
 * one's own proposal of it waits for review: skip unchanged  the lab has all that it says
 *   refused    it can't be read, or breaks a rule
 *   waiting    it is being looked up;  failed: it could not be */
#ifndef LABD_SITE_IMPORTING_H
#define LABD_SITE_IMPORTING_H

#include "db/store/event.h"
#include "server/form/definition.h"
#include "server/text/bibliography.h"

#include <jansson.h>

struct db;

enum { IMPORT_ENTRIES_MOST = 5000, IMPORT_BYTES_MOST = 8 * 1024 * 1024 };

struct importing {
    struct db *db;
    const struct form *form; /* "publication" */
    enum form_audience audience;
    int64_t account;
    /* Across several calls of importing_judge(): what was judged before, kept on
     * `memory`. NULL: each call stands for itself. */
    struct arena *memory;
    json_t *seen;
};

/* *entries: rows of import_entry; *files as bibliography_files(). INVALID: too long, or
 * too many. */
MUST_USE enum result importing_read(json_t **entries, json_t **files,
                                    const struct importing *how,
                                    const struct bibliography_file *list, size_t count);

/* Gives entries of fate "new" the fate and choice that they have beside the lab's works,
 * and beside the entries before them: `others` of the same import, and each other. */
MUST_USE enum result importing_judge(const struct importing *how, json_t *entries,
                                     json_t *others);

/* A row of import_entry, not yet judged. */
json_t *importing_row(const struct importing *how,
                      const struct bibliography_entry *found);

/* Likewise for a document that was looked up; fate "refused" when the form does not take
 * it. */
json_t *importing_entry(const struct importing *how, json_t *document);

/* Brings in what is chosen, as proposals or at once, in one transaction; each entry's
 * outcome is noted with it. A second call finds nothing left to do. */
MUST_USE enum result importing_apply(struct db *db, const struct actor *actor, int64_t id,
                                     bool at_once);

#endif
