/* labd: the web server of a research group. This file finds the command and its options;
 * serve.c and command.c carry it out. */
#include "db/store/publication.h"
#include "server/base/arena.h"
#include "server/base/config.h"
#include "server/base/log.h"
#include "server/command.h"
#include "server/text/bibtex_original.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct command {
    const char *words; /* "admin link" */
    const char *arguments;
    int least;         /* how many arguments it takes */
    const char *flags; /* of struct arguments, that it knows */
    const char *help;
    int (*run)(const struct arguments *arguments);
    bool more; /* it takes more arguments than these */
} commands[] = {
    {"serve",               "",                                    0, "",                     "answer requests until SIGTERM or SIGINT",                  command_serve              },
    {"migrate",             "",                                    0, "",                     "bring the database to this program's schema",
     command_migrate                                                                                                                                                                 },
    {"demo",                "[--if-empty]",                        0, "--if-empty",
     "load the invented demo lab; --if-empty: unless there are people or works already",                                                                  command_demo               },
    {"admin link",          "EMAIL",                               1, "",
     "print a one-time sign-in link for an admin, made one if need be",                                                                                   command_admin_link         },
    {"import people",       "FILE.csv [--dry-run] [--json]",       1, "--dry-run --json",
     "add the people of a roster; every row is accounted for",                                                                                            command_import_people      },
    {"import publications", "FILE.bib [--dry-run] [--json]",       1, "--dry-run --json",
     "add the works of a BibTeX file; every entry is accounted for",                                                                                      command_import_publications},
    {"export",              "",                                    0, "",                     "print the lab, its people and works as one JSON document",
     command_export                                                                                                                                                                  },
    {"convert",             "FILE... [--to=json|bibtex|biblatex]", 1, "--to=",
     "print the works of files of any format (BibTeX, RIS, CSL-JSON, ...), - is standard "
     "input",                                                                                                                                             command_convert,             .more = true},
    {"bounce",                     "",                                                   0,                              "",
     "read a mail that came back on standard input, and note it; for mail systems",                            command_bounce                                                                                                   },
    {"check",                     "",                                                    0,                               "",
     "print every option with its value and source; test the database",                           command_check                                                                                                               },
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *out)
{
    fputs("usage: labd COMMAND [ARGUMENTS] [--OPTION=VALUE ...]\n\n", out);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-19s  %s\n", commands[i].words, commands[i].help);
    fputs("\nlabd COMMAND --help tells more. Options, also read from labd.conf and the\n"
          "environment (LABD_PORT, ...):\n\n",
          out);
    for (size_t row = 0; row < config_option_count; row++)
        fprintf(out,
                *config_options[row].fallback == '\0' ? "  --%-15s  %s\n"
                                                      : "  --%-15s  %s (%s)\n",
                config_options[row].name, config_options[row].help,
                config_options[row].fallback);
}

/* The command whose words open the command line; *taken of them. */
static const struct command *find_command(int argc, char *argv[], int *taken)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const char *second = strchr(commands[i].words, ' ');
        size_t length = strcspn(commands[i].words, " ");
        if (argc < 2 || strlen(argv[1]) != length ||
            strncmp(argv[1], commands[i].words, length) != 0)
            continue;
        if (second == NULL || (argc > 2 && strcmp(argv[2], second + 1) == 0)) {
            *taken = second == NULL ? 2 : 3;
            return &commands[i];
        }
    }
    return NULL;
}

static void print_words(FILE *out, const struct command *command)
{
    fprintf(out, "usage: labd %s%s%s\n", command->words,
            *command->arguments == '\0' ? "" : " ", command->arguments);
}

static int usage_error(const struct command *command, const char *what, const char *word)
{
    fprintf(stderr, "labd: %s%s\n", what, word);
    if (command != NULL)
        print_words(stderr, command);
    return STATUS_USAGE;
}

/* "labd import" alone is answered with the commands that begin so. */
static int no_command(const char *word)
{
    size_t length = strlen(word);
    fprintf(stderr, "labd: there is no such command; labd --help lists all: %s\n", word);
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strncmp(commands[i].words, word, length) == 0 &&
            commands[i].words[length] == ' ')
            print_words(stderr, &commands[i]);
    return STATUS_USAGE;
}

static bool take_flag(const struct command *command, const char *word,
                      struct arguments *arguments)
{
    const char *known = strstr(command->flags, word);
    size_t length = strlen(word);
    if (strncmp(word, "--to=", 5) == 0 && strstr(command->flags, "--to=") != NULL) {
        arguments->to = word + 5;
        return true;
    }
    if (known == NULL || (known[length] != '\0' && known[length] != ' '))
        return false;
    arguments->dry_run |= strcmp(word, "--dry-run") == 0;
    arguments->json |= strcmp(word, "--json") == 0;
    arguments->if_empty |= strcmp(word, "--if-empty") == 0;
    return true;
}

/* --name=value, dashes in the name as good as underscores. */
static int take_option(const struct command *command, const char *word)
{
    char name[64];
    char problem[256];
    const char *equals = strchr(word, '=');
    if (equals == NULL || equals - word - 2 >= (long)sizeof name)
        return usage_error(command, "there is no option ", word);
    size_t length = (size_t)(equals - word - 2);
    for (size_t i = 0; i < length; i++)
        name[i] = word[i + 2] == '-' ? '_' : word[i + 2];
    name[length] = '\0';
    char source[80];
    snprintf(source, sizeof source, "--%s", name);
    if (config_set(name, equals + 1, source, problem, sizeof problem) != OK)
        return usage_error(command, problem, "");
    return STATUS_FINE;
}

static int read_arguments(const struct command *command, char *words[],
                          struct arguments *arguments)
{
    for (; *words != NULL; words++) {
        const char *word = *words;
        if (strncmp(word, "--", 2) != 0) {
            int most = command->more ? ARGUMENT_WORDS : command->least;
            if (arguments->count == most)
                return usage_error(command, "one word too many: ", word);
            arguments->words[arguments->count++] = word;
        } else if (!take_flag(command, word, arguments)) {
            int status = take_option(command, word);
            if (status != STATUS_FINE)
                return status;
        }
    }
    if (arguments->count < command->least)
        return usage_error(command, "an argument is missing", "");
    return STATUS_FINE;
}

/* Without the option `home`: the folder above the program that has templates/. */
static void find_home(void)
{
    char path[4096];
    char problem[64];
    struct stat found;
    if (*config.home != '\0')
        return;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "/templates");
    while (length > 0) {
        path[length] = '\0';
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            return;
        memcpy(slash, "/templates", sizeof "/templates");
        bool here = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
        *slash = '\0';
        length = slash - path;
        if (here && config_set("home", length > 0 ? path : "/", "beside the program",
                               problem, sizeof problem) == OK)
            return;
    }
}

static int set_log_level(void)
{
    static const char *const names[] = {"debug", "info", "warning", "error"};
    for (int i = 0; i < 4; i++)
        if (strcmp(config.log, names[i]) == 0) {
            log_level((enum log_level)i);
            return STATUS_FINE;
        }
    return usage_error(NULL, "log must be debug, info, warning or error, not ",
                       config.log);
}

static bool wants_help(char *words[])
{
    for (; *words != NULL; words++)
        if (strcmp(*words, "--help") == 0 || strcmp(*words, "-h") == 0)
            return true;
    return false;
}

int main(int argc, char *argv[])
{
    char problem[256];
    int taken = 1;
    struct arguments arguments = {.count = 0};
    /* No other thread yet. NOLINTNEXTLINE(concurrency-mt-unsafe) */
    setlocale(LC_CTYPE, "C.UTF-8");
    const struct command *command = find_command(argc, argv, &taken);
    if (argc < 2 || (command == NULL && wants_help(argv + 1))) {
        print_usage(argc < 2 ? stderr : stdout);
        return argc < 2 ? STATUS_USAGE : STATUS_FINE;
    }
    if (command == NULL)
        return no_command(argv[1]);
    if (wants_help(argv + taken)) {
        print_words(stdout, command);
        printf("\n%s\n\nlabd --help lists the options that every command takes.\n",
               command->help);
        return STATUS_FINE;
    }
    if (config_load("labd.conf", problem, sizeof problem) != OK)
        return usage_error(NULL, problem, "");
    int status = read_arguments(command, argv + taken, &arguments);
    if (status == STATUS_FINE)
        status = set_log_level();
    if (status != STATUS_FINE)
        return status;
    find_home();
    json_on_arena();
    publication_shown = bibtex_original_shown;
    struct arena *arena = arena_new();
    arena_enter(arena);
    status = command->run(&arguments);
    arena_enter(NULL);
    arena_free(arena);
    return status;
}
