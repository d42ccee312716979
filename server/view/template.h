/* Mustache, compiled: https://github.com/mustache/spec, every module of it (comments,
 * delimiters, interpolation, sections, inverted, partials, ~inheritance, ~dynamic-names,
 * ~lambdas). A template is read once into a flat array of nodes and rendered any number
 * of times, by any number of threads at once, from a json_t document into a buffer.
 *
 * Beyond the specification:
 * - false, null, "", 0 and the empty list are falsey (as in mustache.js).
 * - A dynamic name may stand behind a folder: with the name "folder/", an asterisk and
 *   "name" (no space between) the partial is "folder/" + the value of `name`.
 * - In the strict kinds (all but TEMPLATE_LENIENT) a name that is not found is an error
 *   with file, line and column, for variables, sections and inverted sections alike; a
 *   JSON null is found, and falsey. A partial that does not exist, a block that the
 * parent does not have and text between the blocks of a parent are errors too. A value
 * that is a list or an object cannot be shown.
 * - In the strict kinds a first segment `t` names a message of the catalog (catalog.h):
 *   {{t.people.title}}, and {{t.role.*role}} for the message "role." + the value of
 * `role`.
 * - {{{name}}} and {{&name}} are for names that end in `_html` only.
 * - In TEMPLATE_HTML the place of every tag in the page decides how its value is written;
 *   places where no value is safe are refused when the template is read: html_context.h.
 */
#ifndef LABD_VIEW_TEMPLATE_H
#define LABD_VIEW_TEMPLATE_H

#include "server/base/buf.h"
#include "server/base/language.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>

struct template;
struct message;

enum template_kind {
    TEMPLATE_LENIENT,      /* the specification to the letter; values HTML-escaped */
    TEMPLATE_HTML,         /* a page or a part of one */
    TEMPLATE_TEXT,         /* plain text (mails): nothing is escaped */
    TEMPLATE_MESSAGE_HTML, /* a message of the catalog, its own text escaped too */
    TEMPLATE_MESSAGE_TEXT  /* the same for plain text */
};

/* Where and why a template cannot be read or rendered. */
struct template_problem {
    char file[160];
    unsigned line, column; /* from 1; columns count code points; 0 when there is none */
    char reason[240];
    char source[200]; /* the line itself, cut when long */
};

/* What a template may name: partials (without ".html" or ".txt") and messages. Either
 * returns NULL when there is no such thing. `name` is not terminated. */
struct template_library {
    const struct template *(*partial)(const struct template_library *library,
                                      enum template_kind kind, const char *name,
                                      size_t length);
    const struct message *(*message)(const struct template_library *library,
                                     const char *key, size_t length);
};

/* A name that a lenient template may use for a variable (`text` NULL: the result is read
 * with the delimiters {{ }}) or a section (`text` is its unprocessed content; the result
 * is read with the delimiters in force). What `call` appends to `out` is itself rendered
 * as a template in the current context. */
struct lambda {
    const char *name;
    enum result (*call)(struct buf *out, const char *text, size_t length, void *data);
    void *data;
};

struct template_call {
    const struct template_library *library;
    enum language language;
    const struct lambda *lambdas;
    size_t lambda_count;
    size_t limit; /* of the output in bytes; 0: TEMPLATE_OUTPUT_MAX */
};

enum {
    TEMPLATE_OUTPUT_MAX = 16 * 1024 * 1024,
    TEMPLATE_PARTIALS_MAX = 64,     /* partials and parents within one another */
    TEMPLATE_NESTING_MAX = 64,      /* sections within one another in one file */
    TEMPLATE_OPEN_MAX = 512,        /* sections, blocks, partials open at one moment */
    TEMPLATE_STEPS_MAX = 100000000, /* nodes visited by one rendering */
    TEMPLATE_SOURCE_MAX = 4 * 1024 * 1024
};

/* Reads `text`; the template and a copy of the text live on `arena`. `file` is for
 * problems. INVALID with `problem` filled when it breaks a rule. */
MUST_USE enum result template_read(struct template **out, struct arena *arena,
                                   enum template_kind kind, const char *file,
                                   const char *text, size_t length,
                                   struct template_problem *problem);

/* Ties the partials, parents and messages it names to what `library` holds: once for each
 * template after all are read, before the first rendering. */
MUST_USE enum result template_link(struct template *template,
                                   const struct template_library *library,
                                   struct template_problem *problem);
/* What only a linked whole can tell (blocks against those of the parents): once for each
 * template after all are linked. */
MUST_USE enum result template_check(const struct template *template,
                                    struct template_problem *problem);

/* Appends the page to `out`. FAILED with `problem` filled when a strict rule or a bound
 * is broken; `out` then holds a part. */
MUST_USE enum result template_render(const struct template *template, struct buf *out,
                                     json_t *document, const struct template_call *call,
                                     struct template_problem *problem);

/* Calls `see` for every message the template names: `dynamic` with the prefix ("role.")
 * of a dynamic one. `key` is not terminated. */
void template_messages(const struct template *template,
                       void (*see)(void *data, const char *key, size_t length,
                                   bool dynamic),
                       void *data);

/* Is it literal text and nothing else? Then that text (terminated), else NULL. */
const char *template_plain(const struct template *template);

#endif
