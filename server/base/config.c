/* The option table and the three places its values come from; see config.h. */
#include "server/base/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct config config;

#define TEXT(name, fallback, secret, help)                                               \
    {                                                                                    \
#name, OPTION_TEXT, fallback, secret, help, offsetof(struct config, name), 0, 0  \
    }
#define INTEGER(name, fallback, least, most, help)                                       \
    {                                                                                    \
#name, OPTION_INTEGER, fallback, false, help, offsetof(struct config, name),     \
            least, most                                                                  \
    }
#define BOOLEAN(name, fallback, help)                                                    \
    {                                                                                    \
#name, OPTION_BOOLEAN, fallback, false, help, offsetof(struct config, name), 0,  \
            0                                                                            \
    }

const struct option_row config_options[] = {
    TEXT(database, "", true,
         "libpq connection string; empty: the private database in var"),
    TEXT(var, "var", false, "folder of the private database"),
    TEXT(host, "127.0.0.1", false, "numeric address to listen on"),
    INTEGER(port, "8080", 0, 65535, "TCP port; 0 takes any free one"),
    TEXT(base_url, "", false,
         "address visitors use, such as https://lab.example.edu; https turns on secure "
         "cookies and HSTS"),
    TEXT(home, "", false,
         "folder with templates/, static/ and migrations/; empty: beside the program"),
    TEXT(theme, "", false, "folder laid over templates/ file by file"),
    BOOLEAN(development, "no", "read templates again when they change"),
    BOOLEAN(trust_proxy, "no", "believe X-Forwarded-For from a loopback peer"),
    INTEGER(workers, "6", 1, 256, "threads that run handlers"),
    INTEGER(threads, "2", 1, 64, "event threads"),
    INTEGER(queue, "256", 1, 65536, "requests that may wait for a worker"),
    INTEGER(connections, "1000", 8, 100000, "open connections at most"),
    INTEGER(cache_bytes, "67108864", 0, 1L << 40, "limit of the page cache"),
    INTEGER(head_seconds, "20", 1, 3600, "time to send a request head"),
    INTEGER(body_seconds, "60", 1, 3600, "time to send a request body"),
    INTEGER(reply_seconds, "60", 1, 3600, "time to take a reply"),
    INTEGER(drain_seconds, "30", 0, 3600, "time given to running requests at stop"),
    TEXT(smtp_url, "", false,
         "mail server, such as smtp://mail.example.edu:587 or smtps://...; empty: mails "
         "wait in the outbox"),
    TEXT(smtp_user, "", false, "name at the mail server; empty: none is asked for"),
    TEXT(smtp_password, "", true, "its password"),
    TEXT(mail_from, "", false, "address that mails come from; bounces go there"),
    TEXT(lookup_crossref, "https://api.crossref.org", false,
         "where DOIs are looked up; empty: not there"),
    TEXT(lookup_datacite, "https://data.crosscite.org", false,
         "likewise, for DOIs of DataCite and arXiv"),
    TEXT(lookup_pubmed, "https://api.ncbi.nlm.nih.gov", false,
         "where PubMed numbers are looked up"),
    TEXT(lookup_orcid, "https://pub.orcid.org", false,
         "where works of an ORCID iD are looked up"),
    BOOLEAN(check_links, "yes",
            "ask slowly whether addresses on pages still lead somewhere"),
    BOOLEAN(private_links, "no", "also those of private networks"),
    TEXT(log, "info", false, "least level logged: debug, info, warning, error"),
};
const size_t config_option_count = sizeof config_options / sizeof config_options[0];

static char sources[sizeof config_options / sizeof config_options[0]][48];
static char *texts[sizeof config_options / sizeof config_options[0]];
static char shown[32];

const char *config_source(size_t row)
{
    return sources[row];
}

static void *member(size_t row)
{
    return (char *)&config + config_options[row].offset;
}

const char *config_value(size_t row)
{
    const struct option_row *option = &config_options[row];
    switch (option->type) {
    case OPTION_TEXT:
        if (option->secret && *texts[row] != '\0')
            return "(set)";
        return texts[row];
    case OPTION_INTEGER:
        snprintf(shown, sizeof shown, "%ld", *(long *)member(row));
        return shown;
    case OPTION_BOOLEAN:
        return *(bool *)member(row) ? "yes" : "no";
    }
    return "";
}

static enum result set_integer(size_t row, const char *value, char *problem, size_t size)
{
    const struct option_row *option = &config_options[row];
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (*value == '\0' || *end != '\0' || errno != 0 || number < option->least ||
        number > option->most) {
        snprintf(problem, size, "%s must be a whole number from %ld to %ld, not \"%s\"",
                 option->name, option->least, option->most, value);
        return INVALID;
    }
    *(long *)member(row) = number;
    return OK;
}

static enum result set_boolean(size_t row, const char *value, char *problem, size_t size)
{
    if (strcmp(value, "yes") == 0 || strcmp(value, "no") == 0) {
        *(bool *)member(row) = value[0] == 'y';
        return OK;
    }
    snprintf(problem, size, "%s must be yes or no, not \"%s\"", config_options[row].name,
             value);
    return INVALID;
}

static enum result set_typed(size_t row, const char *value, char *problem, size_t size)
{
    switch (config_options[row].type) {
    case OPTION_TEXT:
        free(texts[row]);
        texts[row] = strdup(value);
        *(const char **)member(row) = texts[row];
        break;
    case OPTION_INTEGER:
        return set_integer(row, value, problem, size);
    case OPTION_BOOLEAN:
        return set_boolean(row, value, problem, size);
    }
    return OK;
}

static enum result set_row(size_t row, const char *value, const char *source,
                           char *problem, size_t size)
{
    enum result result = set_typed(row, value, problem, size);
    if (result == OK) {
        snprintf(sources[row], sizeof sources[row], "%s", source);
    } else {
        size_t length = strlen(problem);
        snprintf(problem + length, size - length, " (%s)", source);
    }
    return result;
}

enum result config_set(const char *name, const char *value, const char *source,
                       char *problem, size_t size)
{
    for (size_t row = 0; row < config_option_count; row++)
        if (strcmp(config_options[row].name, name) == 0)
            return set_row(row, value, source, problem, size);
    snprintf(problem, size, "there is no option \"%s\" (%s)", name, source);
    return INVALID;
}

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

static enum result read_file(const char *path, char *problem, size_t size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL && errno == ENOENT)
        return OK;
    if (file == NULL) {
        snprintf(problem, size, "%s can't be read: %s", path, strerrordesc_np(errno));
        return INVALID;
    }
    char line[4096];
    enum result result = OK;
    for (int number = 1; result == OK && fgets(line, sizeof line, file) != NULL;
         number++) {
        char *name = trimmed(line);
        if (*name == '\0' || *name == '#')
            continue;
        char *equals = strchr(name, '=');
        if (equals == NULL) {
            snprintf(problem, size, "%s line %d: \"name = value\" is missing its =", path,
                     number);
            result = INVALID;
            break;
        }
        *equals = '\0';
        char source[48];
        snprintf(source, sizeof source, "%.30s line %d", path, number);
        result = config_set(trimmed(name), trimmed(equals + 1), source, problem, size);
    }
    (void)fclose(file);
    return result;
}

static enum result read_environment(char *problem, size_t size)
{
    for (size_t row = 0; row < config_option_count; row++) {
        char name[48];
        int length = snprintf(name, sizeof name, "LABD_%s", config_options[row].name);
        for (int i = 0; i < length; i++)
            name[i] = (char)toupper((unsigned char)name[i]);
        /* No other thread yet. NOLINTNEXTLINE(concurrency-mt-unsafe) */
        const char *value = getenv(name);
        if (value != NULL)
            TRY(set_row(row, value, name, problem, size));
    }
    return OK;
}

enum result config_load(const char *file, char *problem, size_t problem_size)
{
    for (size_t row = 0; row < config_option_count; row++)
        TRY(set_row(row, config_options[row].fallback, "default", problem, problem_size));
    TRY(read_file(file, problem, problem_size));
    return read_environment(problem, problem_size);
}
