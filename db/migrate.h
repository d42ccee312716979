/* The schema: files NNNN_name.sql, applied in the order of their numbers, each in one
 * transaction and once. The table schema_migration keeps what was applied. */
#ifndef LABD_DB_MIGRATE_H
#define LABD_DB_MIGRATE_H

#include "server/base/result.h"

struct migration_report {
    int version;        /* of the database now; 0: empty */
    int newest;         /* that the folder has */
    int pending;        /* files not applied yet */
    int applied;        /* by this call */
    char warning[256];  /* an applied file was edited since, or is gone; or "" */
    char problem[1024]; /* why not, in English for the command line; or "" */
};

/* Applies what is pending. Two at once: one waits and finds nothing to do. FAILED: a file
 * does not apply (it is rolled back; those before it stay), the database is newer than
 * the folder, the folder is not in order; BUSY: no database. `problem` says it in a
 * sentence. */
MUST_USE enum result migrate(struct migration_report *report, const char *conninfo,
                             const char *folder);

/* Fills the report without changing anything. FAILED when the database is newer. */
MUST_USE enum result migrate_check(struct migration_report *report, const char *conninfo,
                                   const char *folder);

#endif
