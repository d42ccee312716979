/* Whole files into the lab: a roster of people (CSV), a bibliography (BibTeX). Used by
 * `labd import` and by the pages. Everything goes through change.h, approved at once, one
 * transaction an entry; whatever happens, every entry is accounted for:
 *
 *   entries = created + updated + unchanged + duplicate + refused
 *
 * The report, a document on the arena that is current:
 *   entries, created, updated, unchanged, duplicate, refused   integers
 *   problems  [{line, key, code, field, reason}]: one for each duplicate and each refused
 *             entry, and for parts of the file that could not be read. `code` is a word
 *             for catalogs ("import.CODE", "error.CODE" of forms), `field` the field it
 * is about or null, `reason` the same as an English sentence; more keys by code: slug (of
 * the entry that is there), first_line, max remarks   the same, of entries that were
 * taken with something left out encoding  "UTF-8", "GB18030", ... columns   {unknown:
 * [heading], repeated: [heading]}; null for bibliographies dry_run   true: nothing was
 * written, and a real run would have reported the same
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
};

/* INVALID: the file as a whole can't be read; the report's one problem says why. */
MUST_USE enum result import_people(json_t **report, const struct import *import,
                                   const char *bytes, size_t length);
MUST_USE enum result import_publications(json_t **report, const struct import *import,
                                         const char *bytes, size_t length);

/* The report in English sentences, for the command line. */
void import_print(FILE *out, json_t *report);

#endif
