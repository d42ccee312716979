/* Everything about one installation that is not content. One table (config.c) names each
 * option; a value comes, in rising order, from the default, the file labd.conf ("name =
 * value", # comments), the environment (LABD_NAME) and flags (--name=value). Set once at
 * start, read-only after. */
#ifndef LABD_BASE_CONFIG_H
#define LABD_BASE_CONFIG_H

#include "server/base/result.h"

#include <stdbool.h>
#include <stddef.h>

struct config {
    const char *database; /* libpq connection string; "" until found (see main.c) */
    const char *var;      /* folder of the private database that `make run` makes */
    const char *host;     /* numeric address to listen on */
    long port;            /* 0: any free one */
    const char
        *base_url;      /* scheme://host[:port] that visitors use; "" = from host, port */
    const char *home;   /* folder that holds templates/, static/ and migrations/ */
    const char *theme;  /* folder laid over templates/ file by file; "" = none */
    bool development;   /* templates are read again when they change */
    bool trust_proxy;   /* X-Forwarded-For of a loopback peer is believed */
    long workers;       /* threads that run handlers, each with its own connection */
    long threads;       /* event threads */
    long queue;         /* requests that may wait for a worker */
    long connections;   /* open connections at most */
    long cache_bytes;   /* page cache limit */
    long head_seconds;  /* to send a complete request head, and idle keep-alive */
    long body_seconds;  /* to send the body */
    long reply_seconds; /* to take the reply */
    long drain_seconds; /* given to running requests at stop */
    const char *smtp_url; /* smtp://host[:port] or smtps://...; "": mails wait */
    const char *smtp_user, *smtp_password;
    const char *mail_from; /* address that mails come from, and bounces go to */
    const char *lookup_crossref, *lookup_datacite, *lookup_pubmed,
        *lookup_orcid;  /* http(s)://host[:port] each; "": not asked */
    bool check_links;   /* addresses on pages are asked for now and then */
    bool private_links; /* also those of private networks */
    const char *log;    /* debug, info, warning or error */
};

enum option_type { OPTION_TEXT, OPTION_INTEGER, OPTION_BOOLEAN };

struct option_row {
    const char *name; /* as in labd.conf and --name; LABD_NAME in the environment */
    enum option_type type;
    const char *fallback;
    bool secret; /* shown as "(set)" */
    const char *help;
    size_t offset; /* of the member in struct config */
    long least, most;
};

extern const struct option_row config_options[];
extern const size_t config_option_count;
extern struct config config;

/* Where option `row` got its value: "default", "labd.conf line 3", "LABD_PORT", "--port".
 */
const char *config_source(size_t row);
/* Its value as text; secrets hidden. */
const char *config_value(size_t row);

/* Fills `config` from defaults, `file` ("labd.conf"; need not exist) and the environment.
 * On INVALID `problem` holds one English sentence. Must run before any thread starts. */
MUST_USE enum result config_load(const char *file, char *problem, size_t problem_size);
/* One value by name, on top of what is there: for flags. */
MUST_USE enum result config_set(const char *name, const char *value, const char *source,
                                char *problem, size_t problem_size);

#endif
