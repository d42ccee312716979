/* The demo lab:
 * templates/demo/{lab,people,publications,accounts,changes,collections}.json, invented
 * people and works, and a collection with its pilot, put into the database through
 * change.h. */
#ifndef LABD_SITE_DEMO_H
#define LABD_SITE_DEMO_H

#include "server/base/result.h"

#include <stdbool.h>
#include <stddef.h>

struct db;

struct demo_report {
    bool loaded; /* false: the database was not empty and if_empty was set */
    size_t people, works, accounts, changes;
    char problem[512]; /* what is wrong, in English for the command line; or "" */
};

/* All or nothing, in one transaction. `home` is the folder that holds templates/.
 * CONFLICT: the database has people, works or accounts, and if_empty is not set. */
MUST_USE enum result demo_load(struct demo_report *report, struct db *db,
                               const char *home, bool if_empty);

#endif
