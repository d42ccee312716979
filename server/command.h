/* The commands of the program `labd`. */
#ifndef LABD_COMMAND_H
#define LABD_COMMAND_H

#include <stdbool.h>

struct db;

enum { ARGUMENT_WORDS = 256 };
enum { STATUS_FINE = 0, STATUS_FAILURE = 1, STATUS_USAGE = 2 };

/* What stood on the command line behind the command's name; options of config.h have been
 * taken out. */
struct arguments {
    const char *words[ARGUMENT_WORDS];
    int count;
    bool dry_run, json, if_empty, member;
    const char *to; /* --to=FORMAT; NULL without */
};

int command_serve(const struct arguments *arguments);
int command_migrate(const struct arguments *arguments);
int command_demo(const struct arguments *arguments);
int command_admin_link(const struct arguments *arguments);
int command_import_people(const struct arguments *arguments);
int command_import_publications(const struct arguments *arguments);
int command_export(const struct arguments *arguments);
int command_convert(const struct arguments *arguments);
int command_bounce(const struct arguments *arguments);
int command_check(const struct arguments *arguments);

/* One line on standard error, "labd: " before it; gives STATUS_FAILURE back. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The connection that the configuration names, made; NULL after a complaint. */
struct db *connect_database(void);

#endif
