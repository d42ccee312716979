/* The commands that work and end: on the database, without the server. */
#include "server/command.h"

#include "db/connection.h"
#include "db/migrate.h"
#include "db/store/account.h"
#include "db/store/change.h"
#include "db/store/person.h"
#include "db/store/publication.h"
#include "server/base/buf.h"
#include "server/base/config.h"
#include "server/base/file.h"
#include "server/form/forms.h"
#include "server/guard/token.h"
#include "server/lookup/lookup.h"
#include "server/mail/smtp.h"
#include "server/media/photo.h"
#include "server/site/demo.h"
#include "server/site/import.h"
#include "server/site/site.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int complain(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("labd: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    return STATUS_FAILURE;
}

static const char *migrations_folder(void)
{
    return arena_print(arena_current(), "%s/migrations", config.home);
}

static const char *database_of_configuration(void)
{
    const char *conninfo;
    if (db_find(&conninfo) == OK)
        return arena_string(arena_current(), conninfo);
    complain("no database: set LABD_DATABASE, or `make run` once (it keeps one in %s/)",
             config.var);
    return NULL;
}

static int no_answer(const char *problem)
{
    complain("the database does not answer: %s", problem);
    if (*config.database == '\0')
        complain("the private database runs as long as `make run` does; "
                 "`deploy/local-database start %s` starts it alone",
                 config.var);
    return STATUS_FAILURE;
}

struct db *connect_database(void)
{
    const char *conninfo = database_of_configuration();
    if (sodium_init() < 0 || conninfo == NULL)
        return NULL;
    struct db *db = db_new(conninfo);
    if (db_connect(db) == OK)
        return db;
    no_answer(db->problem);
    db_free(db);
    return NULL;
}

static int failed(struct db *db, const char *what, enum result result)
{
    int status = complain("%s: %s%s%s", what, result_name(result),
                          *db->problem != '\0' ? ": " : "", db->problem);
    db_free(db);
    return status;
}

int command_migrate(const struct arguments *arguments)
{
    (void)arguments;
    struct migration_report report;
    const char *conninfo = database_of_configuration();
    if (conninfo == NULL)
        return STATUS_FAILURE;
    enum result result = migrate(&report, conninfo, migrations_folder());
    if (*report.warning != '\0')
        complain("%s", report.warning);
    if (result != OK)
        return complain("%s", report.problem);
    printf("migrations applied: %d; the schema is at version %d\n", report.applied,
           report.version);
    return STATUS_FINE;
}

static int open_forms(void)
{
    char problem[512];
    if (forms_open(&site.forms, config.home, config.theme, false, problem,
                   sizeof problem) == OK)
        return STATUS_FINE;
    return complain("%s", problem);
}

int command_demo(const struct arguments *arguments)
{
    struct demo_report report;
    struct db *db = connect_database();
    if (db == NULL)
        return STATUS_FAILURE;
    enum result result = demo_load(&report, db, config.home, arguments->if_empty);
    db_free(db);
    if (result != OK)
        return complain("%s", report.problem);
    if (report.loaded)
        printf("the demo lab is loaded: %zu people, %zu works\n", report.people,
               report.works);
    return STATUS_FINE;
}

/* The account of an address, an admin from now on. */
static enum result admin_account(json_t **account, struct db *db, const char *email)
{
    struct new_account new_account = {.email = email, .admin = true, .language = "en"};
    enum result result = account_by_email(account, db, email);
    if (result == NOT_FOUND)
        return account_create(account, db, &command_line, &new_account);
    TRY(result);
    if (json_is_true(json_object_get(*account, "admin")))
        return OK;
    return account_set_admin(db, &command_line,
                             json_integer_value(json_object_get(*account, "id")), true);
}

int command_admin_link(const struct arguments *arguments)
{
    json_t *account;
    int64_t link;
    const char *email = arguments->words[0];
    const char *at = strchr(email, '@');
    if (at == NULL || at == email || at[1] == '\0' || strpbrk(email, " \t\r\n<>") != NULL)
        return complain("\"%s\" is not an e-mail address", email), STATUS_USAGE;
    struct db *db = connect_database();
    if (db == NULL)
        return STATUS_FAILURE;
    const char *token = token_new(arena_current());
    enum result result = admin_account(&account, db, email);
    if (result == OK)
        result = link_create(&link, db, &command_line,
                             json_integer_value(json_object_get(account, "id")),
                             token_hash(arena_current(), token), 24, NULL);
    if (result != OK)
        return failed(db, "admin link", result);
    char origin[512];
    snprintf(origin, sizeof origin, "http://%s:%ld", config.host, config.port);
    printf("%s/sign-in/link/%s\n", *config.base_url != '\0' ? config.base_url : origin,
           token);
    db_free(db);
    return STATUS_FINE;
}

enum { FILE_BYTES_MAX = 256 * 1024 * 1024 };

static int read_file(const char *path, struct buf *bytes)
{
    bool standard_input = strcmp(path, "-") == 0;
    const char *wrong = standard_input ? file_read_stream(bytes, stdin, FILE_BYTES_MAX)
                                       : file_read(bytes, path, FILE_BYTES_MAX);
    return wrong == NULL ? STATUS_FINE : complain("%s: %s", path, wrong);
}

typedef enum result importer(json_t **report, const struct import *import,
                             const char *bytes, size_t length);

static int import(const struct arguments *arguments, importer *run)
{
    json_t *report;
    struct buf bytes = buf_on(arena_current());
    if (read_file(arguments->words[0], &bytes) != STATUS_FINE ||
        open_forms() != STATUS_FINE)
        return STATUS_FAILURE;
    struct db *db = connect_database();
    if (db == NULL)
        return STATUS_FAILURE;
    struct import how = {.db = db,
                         .actor = &command_line,
                         .forms = site.forms,
                         .dry_run = arguments->dry_run};
    enum result result = run(&report, &how, bytes.data, bytes.length);
    if (result != OK && result != INVALID)
        return failed(db, arguments->words[0], result);
    if (arguments->json)
        puts(json_dumps(report, JSON_COMPACT));
    else
        import_print(stdout, report);
    json_t *problem = json_array_get(json_object_get(report, "problems"), 0);
    if (result == INVALID)
        complain("%s: %s", arguments->words[0],
                 json_string_value(json_object_get(problem, "reason")));
    forms_close(site.forms);
    db_free(db);
    return result == OK ? STATUS_FINE : STATUS_FAILURE;
}

int command_import_people(const struct arguments *arguments)
{
    return import(arguments, import_people);
}

int command_import_publications(const struct arguments *arguments)
{
    return import(arguments, import_publications);
}

int command_check(const struct arguments *arguments)
{
    (void)arguments;
    struct migration_report report;
    for (size_t row = 0; row < config_option_count; row++)
        printf("%-16s  %-32s  %s\n", config_options[row].name, config_value(row),
               config_source(row));
    (void)fflush(stdout); /* before what goes to standard error */
    if (lookup_options_fault() != NULL)
        return complain("%s", lookup_options_fault());
    if (smtp_options_fault() != NULL)
        return complain("%s", smtp_options_fault());
    const char *photos;
    if (!photo_ready(&photos))
        return complain("photos can't be taken: there is no program %s", photos);
    struct db *db = connect_database();
    if (db == NULL)
        return STATUS_FAILURE;
    db_free(db);
    const char *conninfo = database_of_configuration();
    if (migrate_check(&report, conninfo, migrations_folder()) != OK)
        return complain("%s", report.problem);
    printf("\nthe database answers; its schema is at version %d of %d%s\n",
           report.version, report.newest,
           report.pending > 0 ? " (run labd migrate)" : "");
    return report.pending > 0 ? STATUS_FAILURE : STATUS_FINE;
}

/* Adds the whole documents of `rows` (with id) to `list`. */
static enum result add_documents(json_t *list, struct db *db, const char *entity,
                                 json_t *rows)
{
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        json_t *current;
        TRY(entity_current(&current, db, entity,
                           json_integer_value(json_object_get(row, "id"))));
        json_array_append(list, json_object_get(current, "document"));
    }
    return OK;
}

static enum result export_all(json_t **out, struct db *db)
{
    enum { AT_ONCE = 500 };
    json_t *lab;
    json_t *rows;
    json_t *people = json_array();
    json_t *works = json_array();
    enum result result = entity_current(&lab, db, "lab", 1);
    if (result == NOT_FOUND) /* nobody has named it yet */
        result = entity_current(&lab, db, "lab", 0);
    TRY(result);
    TRY(person_list(&rows, db));
    TRY(add_documents(people, db, "person", rows));
    struct publication_filter filter = {.limit = AT_ONCE};
    do {
        json_t *found;
        TRY(publication_list(&found, db, &filter));
        rows = json_object_get(found, "rows");
        TRY(add_documents(works, db, "publication", rows));
        filter.offset += AT_ONCE;
    } while (json_array_size(rows) == AT_ONCE);
    *out = json_pack("{s:O, s:o, s:o}", "lab", json_object_get(lab, "document"), "people",
                     people, "publications", works);
    return OK;
}

int command_export(const struct arguments *arguments)
{
    (void)arguments;
    json_t *all;
    struct db *db = connect_database();
    if (db == NULL)
        return STATUS_FAILURE;
    enum result result = export_all(&all, db);
    if (result != OK)
        return failed(db, "export", result);
    json_dumpf(all, stdout, JSON_INDENT(1));
    fputc('\n', stdout);
    db_free(db);
    return ferror(stdout) || fflush(stdout) != 0
               ? complain("standard output: it can't be written")
               : STATUS_FINE;
}
