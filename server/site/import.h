/* Whole files into the lab: a roster of people (CSV), a bibliography (BibTeX). Used by
 * `labd import` and by the pages. Everything goes through change.h, approved at once, one
 * transaction an entry; whatever happens, every entry is accounted for:
 *
 *   entries = created + updated + unchanged + duplicate + refused
 *
 * The report, a document on the arena that is current, has these five and entries, and
 *
 *   problems  [{line, key, code, by_form, field, word, reason}], one for each entry that
 *             is a duplicate or refused and for what of the file could not be read
 *   remarks   the same, of entries that were taken with something left out
 *   encoding  "UTF-8", "GB18030", ...
 *   columns   {unknown: [heading], repeated: [heading]}; null for a bibliography
 *   dry_run   true: nothing was written; a real run would have reported the same
 *
 * When asked for with `rows`, a roster's report also has `table`: {line (of the headings,
 * 0: none), first (the first row's line), columns: [{heading, field, samples}]}, where
 * heading and field may be null; and `rows`, the first IMPORT_ROWS of them: {line, name,
 * email, role, language, fate ("created", ...), matched (it means somebody who is here),
 * slug, person_id, problem (as above, or null)}.
 *
 * `code` is for catalogs. by_form: a form found it; the message is "error.CODE" and the
 * keys of a form's error are there too. Else the message is "import.CODE": codes of
 * bibtex.h and csv.h, and encoding, file_size, no_headings (the whole file); repeated
 * (with first_line), edited, exists (with slug), identifier_taken (duplicates);
 * ambiguous, not_a_name, unfit (refused); kept, not_kept (remarks). `field` and `word`,
 * the word in question, may be null; `reason` says the same in English.
 *
 * While an import runs, its commits do not wait for the disk; its last one, the event
 * "import.people" or "import.publications", does, and with it all before it. */
#ifndef LABD_SITE_IMPORT_H
#define LABD_SITE_IMPORT_H

#include "db/store/event.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct db;
struct forms;

struct import {
    struct db *db;
    const struct actor *actor;
    struct forms *forms;
    bool dry_run;
    /* Of a roster: */
    bool rows;       /* the report has `table` and `rows` */
    json_t *columns; /* the name of the field that each column fills, "" for none; NULL:
                        as the headings say */
    size_t heading_line; /* with columns; 0: there are no headings */
};

enum { IMPORT_ROWS = 1000 };

/* INVALID: the file as a whole can't be read; the report's one problem says why. */
MUST_USE enum result import_people(json_t **report, const struct import *import,
                                   const char *bytes, size_t length);
MUST_USE enum result import_publications(json_t **report, const struct import *import,
                                         const char *bytes, size_t length);

/* The report in English sentences, for the command line. */
void import_print(FILE *out, json_t *report);

#endif
