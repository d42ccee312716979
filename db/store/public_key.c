/* Keys that several works have; see public_key.h. */
#include "db/store/public_key.h"

#include "db/connection.h"
#include "db/store/public_key.sql.h"
#include "server/base/document.h"

#include <string.h>

static bool among(json_t *keys, const char *key)
{
    size_t i;
    json_t *one;
    json_array_foreach(keys, i,
                       one) if (strcasecmp(json_string_value(one), key) == 0) return true;
    return false;
}

enum result public_keys(json_t *works, struct db *db)
{
    size_t i;
    json_t *work, *row, *keys = json_array();
    json_array_foreach(works, i, work) if (filled_of(work, "bibtex_key") != NULL)
        json_array_append(keys, json_object_get(work, "bibtex_key"));
    TRY(db_row(&row, db, &public_key_shared, json_dumps(keys, JSON_COMPACT)));
    json_array_foreach(works, i, work)
    {
        const char *key = filled_of(work, "bibtex_key");
        bool shared = key != NULL && among(json_object_get(row, "keys"), key);
        json_object_set_new(work, "key_shared", json_boolean(shared));
    }
    return OK;
}
