/* Results kept while they are current; see kept.h. Moments are those of one counter: a
 * table's is that of its last change, a result's the one before its query ran. */
#include "db/kept.h"

#include "tables.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct kept {
    struct kept *next;
    const struct query *query;
    PGresult *result;
    uint64_t moment;
};

static atomic_ullong now = 1, changed[TABLE_COUNT];
static atomic_bool deaf = true;
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

void kept_changed(uint64_t tables)
{
    pthread_mutex_lock(&changing);
    uint64_t moment = now + 1;
    for (int table = 0; table < TABLE_COUNT; table++)
        if ((tables & TABLE_BIT(table)) != 0)
            changed[table] = moment;
    now = moment;
    pthread_mutex_unlock(&changing);
}

void kept_listening(bool listening)
{
    deaf = !listening;
    kept_changed(UINT64_MAX);
}

uint64_t kept_moment(void)
{
    return now;
}

static bool current(const struct kept *kept)
{
    for (int table = 0; table < TABLE_COUNT; table++)
        if ((kept->query->reads & TABLE_BIT(table)) != 0 && changed[table] > kept->moment)
            return false;
    return true;
}

static struct kept *find(const struct db *db, const struct query *query)
{
    struct kept *kept = db->kept;
    while (kept != NULL && kept->query != query)
        kept = kept->next;
    return kept;
}

PGresult *kept_take(const struct db *db, const struct query *query)
{
    if (!query->kept || db->in_transaction || deaf)
        return NULL;
    const struct kept *kept = find(db, query);
    if (kept == NULL || !current(kept))
        return NULL;
    return PQcopyResult(kept->result, PG_COPYRES_ATTRS | PG_COPYRES_TUPLES);
}

void kept_put(struct db *db, const struct query *query, const PGresult *result,
              uint64_t moment)
{
    if (!query->kept || db->in_transaction || deaf)
        return;
    PGresult *copy = PQcopyResult(result, PG_COPYRES_ATTRS | PG_COPYRES_TUPLES);
    struct kept *kept = find(db, query);
    if (kept == NULL) {
        kept = calloc(1, sizeof *kept);
        if (kept == NULL)
            abort();
        kept->query = query;
        kept->next = db->kept;
        db->kept = kept;
    }
    PQclear(kept->result);
    kept->result = copy;
    kept->moment = copy != NULL ? moment : 0;
}

void kept_free(struct db *db)
{
    struct kept *next = NULL;
    for (struct kept *kept = db->kept; kept != NULL; kept = next) {
        next = kept->next;
        PQclear(kept->result);
        free(kept);
    }
    db->kept = NULL;
}
