/* Results as documents. The layout of the columns is worked out once a result; what the
 * keys and types mean is in connection.h. */
#include "db/wire.h"
#include "server/base/arena.h"
#include "server/base/log.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From PostgreSQL's pg_type.dat; these numbers never change. */
enum {
    OID_BOOL = 16,
    OID_INT8 = 20,
    OID_INT2 = 21,
    OID_INT4 = 23,
    OID_OID = 26,
    OID_JSON = 114,
    OID_FLOAT4 = 700,
    OID_FLOAT8 = 701,
    OID_TIMESTAMP = 1114,
    OID_TIMESTAMPTZ = 1184,
    OID_NUMERIC = 1700,
    OID_JSONB = 3802
};

typedef json_t *convert(const char *text, size_t length);

struct column {
    const char *key;
    size_t length;
    convert *convert;
};

static json_t *from_text(const char *text, size_t length)
{
    return json_stringn_nocheck(text, length);
}

static json_t *from_bool(const char *text, size_t length)
{
    (void)length;
    return json_boolean(text[0] == 't');
}

static json_t *from_integer(const char *text, size_t length)
{
    (void)length;
    return json_integer(strtoll(text, NULL, 10));
}

static json_t *from_real(const char *text, size_t length)
{
    double number = strtod(text, NULL);
    return isfinite(number) ? json_real(number) : from_text(text, length);
}

static json_t *from_numeric(const char *text, size_t length)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (*end == '\0' && errno == 0)
        return json_integer(number);
    return from_real(text, length);
}

/* "2024-05-01 10:30:00.5+00" as 2024-05-01T10:30:00.5Z; sessions are in UTC. */
static json_t *from_timestamp(const char *text, size_t length)
{
    const char *space = memchr(text, ' ', length);
    if (space == NULL)
        return from_text(text, length); /* infinity */
    char *copy = arena_copy(arena_current(), text, length);
    copy[space - text] = 'T';
    if (length > 3 && strcmp(copy + length - 3, "+00") == 0) {
        copy[length - 3] = 'Z';
        length -= 2;
    }
    return json_stringn_nocheck(copy, length);
}

static json_t *from_json(const char *text, size_t length)
{
    return json_loadb(text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
}

static convert *converter(Oid type)
{
    switch (type) {
    case OID_BOOL:
        return from_bool;
    case OID_INT8:
    case OID_INT2:
    case OID_INT4:
    case OID_OID:
        return from_integer;
    case OID_FLOAT4:
    case OID_FLOAT8:
        return from_real;
    case OID_NUMERIC:
        return from_numeric;
    case OID_JSON:
    case OID_JSONB:
        return from_json;
    case OID_TIMESTAMP:
    case OID_TIMESTAMPTZ:
        return from_timestamp;
    default: /* PostgreSQL's numbers, not ours */
        return from_text;
    }
}

static struct column *layout(const PGresult *result, int count)
{
    struct column *columns = ARENA_ARRAY(arena_current(), struct column, (size_t)count);
    for (int i = 0; i < count; i++) {
        columns[i].key = PQfname(result, i);
        columns[i].length = strlen(columns[i].key);
        columns[i].convert = converter(PQftype(result, i));
    }
    return columns;
}

static enum result fill(json_t *row, const PGresult *result, int number,
                        const struct column *columns, int count)
{
    for (int i = 0; i < count; i++) {
        json_t *value = PQgetisnull(result, number, i)
                            ? json_null()
                            : columns[i].convert(PQgetvalue(result, number, i),
                                                 (size_t)PQgetlength(result, number, i));
        if (value == NULL) {
            log_error("db.value", "column", columns[i].key, "reason",
                      "JSON that can't be read");
            return FAILED;
        }
        json_object_setn_new_nocheck(row, columns[i].key, columns[i].length, value);
    }
    return OK;
}

static enum result documents(json_t *rows, const PGresult *result)
{
    int count = PQnfields(result);
    const struct column *columns = layout(result, count);
    for (int number = 0; number < PQntuples(result); number++) {
        json_t *row = json_object();
        TRY(fill(row, result, number, columns, count));
        json_array_append_new(rows, row);
    }
    return OK;
}

enum result db_rows_of(json_t **rows, struct db *db, const struct query *query,
                       struct db_params params)
{
    PGresult *result;
    TRY(db_execute(&result, db, query, params));
    *rows = json_array();
    enum result outcome = documents(*rows, result);
    PQclear(result);
    return outcome;
}

enum result db_row_of(json_t **row, struct db *db, const struct query *query,
                      struct db_params params)
{
    json_t *rows;
    TRY(db_rows_of(&rows, db, query, params));
    if (json_array_size(rows) == 0)
        return NOT_FOUND;
    if (json_array_size(rows) > 1) {
        log_error("db.misuse", "query", query->name, "reason", "more than one row");
        return FAILED;
    }
    *row = json_array_get(rows, 0);
    return OK;
}

enum result db_run_of(int64_t *affected, struct db *db, const struct query *query,
                      struct db_params params)
{
    PGresult *result;
    TRY(db_execute(&result, db, query, params));
    if (affected != NULL)
        *affected = strtoll(PQcmdTuples(result), NULL, 10);
    PQclear(result);
    return OK;
}
