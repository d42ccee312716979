/* People and works as the API shows them, from the public views alone. */
#ifndef LABD_DB_STORE_PUBLIC_API_H
#define LABD_DB_STORE_PUBLIC_API_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdint.h>

struct db;

/* Works, the newest first. A NULL or 0 member does not filter. */
struct public_api_works {
    const char *kind, *person; /* person: a slug */
    const char *pattern;       /* LIKE pattern over the folded search text */
    int year;
    int64_t after_issued, after_id; /* the last row of the page before; id 0: none */
    int limit;
};

/* Rows as the form `publication` names them, with id, issued, version, updated_at. */
MUST_USE enum result public_api_publication_list(json_t **works, struct db *db,
                                                 const struct public_api_works *filter);
MUST_USE enum result public_api_publication_by_slug(json_t **work, struct db *db,
                                                    const char *slug);

struct public_api_members {
    const char *role;
    const char *current; /* "true", "false" or NULL */
    const char *after;   /* the last slug of the page before */
    int limit;
};

/* Rows by slug. */
MUST_USE enum result public_api_person_list(json_t **people, struct db *db,
                                            const struct public_api_members *filter);
MUST_USE enum result public_api_person_by_slug(json_t **person, struct db *db,
                                               const char *slug);

#endif
