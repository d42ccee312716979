/* A named SQL block of db/store, with what the build read from its header. */
#ifndef LABD_DB_QUERY_H
#define LABD_DB_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#define TABLE_BIT(table) (UINT64_C(1) << (table))

struct query {
    const char *name; /* of the prepared statement; unique in the program */
    const char *sql;
    int params;             /* $1 .. $params */
    uint64_t reads, writes; /* bits of enum table (generated tables.h) */
    bool kept;              /* see db/kept.h */
};

/* Every query of the program, NULL-terminated (generated). */
extern const struct query *const all_queries[];

#endif
