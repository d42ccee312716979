/* Applies migrations under an advisory lock of a connection made for it; see migrate.h.
 */
#include "db/migrate.h"

#include "db/transaction.h"
#include "db/wire.h"
#include "server/base/file.h"
#include "server/base/log.h"

#include <dirent.h>
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { MIGRATION_BYTES_MOST = 4 << 20 };

struct migration {
    int version;
    char name[120]; /* "0001_foundation.sql" */
    char sha256[2 * crypto_hash_sha256_BYTES + 1];
    const char *sql;
};

struct run {
    struct arena *arena;
    struct db *db;
    struct migration_report *report;
    struct migration *files;
    int count;
    const struct migration *current;
};

static const struct query table_there = {
    "migration_table", "select to_regclass('schema_migration') is not null as there", 0,
    0, 0};
static const struct query applied = {
    "migrations_applied",
    "select version, name, sha256 from schema_migration order by version", 0, 0, 0};
static const struct query record = {
    "migration_record",
    "insert into schema_migration (version, name, sha256) values ($1::int, $2, $3)", 3, 0,
    0};

static const char table_sql[] =
    "create table if not exists schema_migration ("
    " version int primary key, name text not null, sha256 text not null,"
    " applied_at timestamptz not null default now())";

/* Held until the connection closes; the number is arbitrary ("labd"). Nobody may wait
 * shorter for it than the other's longest statement takes. */
static const char lock_sql[] = "set statement_timeout = 0; set lock_timeout = 0;"
                               "select pg_advisory_lock(1818321508)";

#define PROBLEM(run, ...)                                                                \
    ((void)snprintf((run)->report->problem, sizeof(run)->report->problem, __VA_ARGS__),  \
     FAILED)

/* 0: not a migration's name. */
static int version_of(const char *name)
{
    size_t length = strlen(name);
    if (length < 10 || length >= sizeof((struct migration *)0)->name ||
        strspn(name, "0123456789") != 4 || name[4] != '_' ||
        strcmp(name + length - 4, ".sql") != 0)
        return 0;
    return (int)strtol(name, NULL, 10);
}

static int by_version(const void *left, const void *right)
{
    const struct migration *a = left, *b = right;
    return (a->version > b->version) - (a->version < b->version);
}

static enum result read_file(struct run *run, const char *folder, struct migration *file)
{
    struct buf text = buf_on(run->arena);
    unsigned char hash[crypto_hash_sha256_BYTES];
    const char *path = arena_print(run->arena, "%s/%s", folder, file->name);
    const char *wrong = file_read(&text, path, MIGRATION_BYTES_MOST);
    if (wrong != NULL)
        return PROBLEM(run, "%s can't be read: %s", path, wrong);
    if (strlen(text.data) != text.length)
        return PROBLEM(run, "%s holds a NUL", path);
    crypto_hash_sha256(hash, (const unsigned char *)text.data, text.length);
    sodium_bin2hex(file->sha256, sizeof file->sha256, hash, sizeof hash);
    file->sql = text.data;
    return OK;
}

static enum result list_files(struct run *run, const char *folder)
{
    DIR *stream = opendir(folder);
    if (stream == NULL)
        return PROBLEM(run, "the migrations in %s can't be read: %s", folder,
                       strerrordesc_np(errno));
    enum { MOST = 10000 };
    run->files = ARENA_ARRAY(run->arena, struct migration, MOST);
    /* No other thread reads this stream. NOLINTNEXTLINE(concurrency-mt-unsafe) */
    for (struct dirent *entry; run->count < MOST && (entry = readdir(stream)) != NULL;) {
        int version = version_of(entry->d_name);
        if (version == 0)
            continue;
        struct migration *file = &run->files[run->count++];
        file->version = version;
        snprintf(file->name, sizeof file->name, "%s", entry->d_name);
    }
    (void)closedir(stream);
    if (run->count == 0)
        return PROBLEM(run, "there are no migrations in %s", folder);
    qsort(run->files, (size_t)run->count, sizeof *run->files, by_version);
    return OK;
}

static enum result read_folder(struct run *run, const char *folder)
{
    TRY(list_files(run, folder));
    for (int i = 0; i < run->count; i++) {
        if (run->files[i].version != i + 1)
            return PROBLEM(run, "%s: number %04d is missing or there twice before %s",
                           folder, i + 1, run->files[i].name);
        TRY(read_file(run, folder, &run->files[i]));
    }
    run->report->newest = run->count;
    return OK;
}

static enum result read_applied(struct run *run)
{
    json_t *row, *rows;
    size_t i;
    TRY(db_row(&row, run->db, &table_there));
    if (!json_is_true(json_object_get(row, "there")))
        return OK;
    TRY(db_rows(&rows, run->db, &applied));
    json_array_foreach(rows, i, row)
    {
        int version = (int)json_integer_value(json_object_get(row, "version"));
        const char *name = json_string_value(json_object_get(row, "name"));
        const char *sha256 = json_string_value(json_object_get(row, "sha256"));
        if (version > run->report->newest)
            return PROBLEM(run,
                           "the database has migration %s, which this program does not "
                           "know: it was made by a newer labd",
                           name);
        const struct migration *file = &run->files[version - 1];
        if (strcmp(file->sha256, sha256) != 0 || strcmp(file->name, name) != 0)
            snprintf(run->report->warning, sizeof run->report->warning,
                     "%s was changed after it was applied (as %s); the database "
                     "keeps the earlier one",
                     file->name, name);
        run->report->version = version;
    }
    return OK;
}

static enum result apply(struct db *db, void *data)
{
    struct run *run = data;
    const struct migration *file = run->current;
    TRY(db_script(db, file->name, file->sql));
    if (PQtransactionStatus(db->link) != PQTRANS_INTRANS) {
        snprintf(db->problem, sizeof db->problem, "it ends the transaction it runs in");
        log_error("migrate.transaction", "file", file->name);
        return FAILED;
    }
    return db_run(NULL, db, &record, NUM(file->version), file->name, file->sha256);
}

static enum result apply_pending(struct run *run)
{
    TRY(db_script(run->db, "migration_lock", lock_sql));
    TRY(db_script(run->db, "migration_table", table_sql));
    TRY(read_applied(run));
    for (int i = run->report->version; i < run->count; i++) {
        run->current = &run->files[i];
        enum result outcome = db_transaction(run->db, apply, run);
        if (outcome != OK) {
            (void)PROBLEM(run, "%s was not applied: %s", run->current->name,
                          run->db->problem);
            return outcome;
        }
        run->report->version = run->current->version;
        run->report->applied++;
        log_info("migrate.applied", "file", run->current->name);
    }
    return OK;
}

static enum result with_folder(struct migration_report *report, const char *conninfo,
                               const char *folder, enum result (*work)(struct run *run))
{
    struct run run = {.arena = arena_new(), .report = report};
    struct arena *before = arena_enter(run.arena);
    *report = (struct migration_report){.version = 0};
    run.db = db_new(conninfo);
    enum result outcome = read_folder(&run, folder);
    if (outcome == OK)
        outcome = db_connect(run.db);
    if (outcome == OK)
        outcome = work(&run);
    if (outcome != OK && report->problem[0] == '\0')
        (void)PROBLEM(&run, "%s", run.db->problem);
    if (outcome == OK)
        report->pending = run.count - report->version;
    db_free(run.db);
    arena_enter(before);
    arena_free(run.arena);
    return outcome;
}

enum result migrate(struct migration_report *report, const char *conninfo,
                    const char *folder)
{
    return with_folder(report, conninfo, folder, apply_pending);
}

enum result migrate_check(struct migration_report *report, const char *conninfo,
                          const char *folder)
{
    return with_folder(report, conninfo, folder, read_applied);
}
