/* All templates and catalogs of one installation, ready to render: every *.html below
 * templates/, every *.txt below templates/mail/, templates/i18n/{en,zh}.json. A theme is
 * a folder of the same shape: a file there stands before ours of the same name, its
 * catalogs are laid over ours message by message.
 *
 * Partials and parents are named by their path without ending ("partials/work"), .html
 * files by .html files and .txt by .txt.
 *
 * A view may be used by any number of threads. In development the files are looked at
 * before a rendering (every 200 ms at most) and read again when any of them changed. */
#ifndef LABD_VIEW_VIEW_H
#define LABD_VIEW_VIEW_H

#include "server/base/buf.h"
#include "server/base/language.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>

struct view;

/* `home` holds templates/; `theme` "" for none. When a template or catalog breaks a rule:
 * INVALID with "file:line:column: reason" in `problem`; in development OK, and every
 * rendering FAILED until it is mended. FAILED (with `problem`) when files cannot be read.
 * No jansson arena need be current. */
MUST_USE enum result view_open(struct view **out, const char *home, const char *theme,
                               bool development, char *problem, size_t problem_size);
void view_close(struct view *view); /* NULL is allowed */

/* Appends the page `name` ("people/show.html") to `out`. FAILED when there is no such
 * template, or it names what the document does not have: logged with its place. */
MUST_USE enum result view_render(struct view *view, struct buf *out, const char *name,
                                 json_t *document, enum language language);

/* The text of a message without tags, for plain strings; on the thread's current arena.
 * The key itself, and a line in the log, when there is none. Tests find keys by the
 * literal in the call (one that ends in "." stands for all that begin with it). */
const char *view_message(struct view *view, enum language language, const char *key);

bool view_has_message(struct view *view, const char *key);

/* The latest problem, with the line of the template it is in; "" when there was none. For
 * the error page in development. */
const char *view_problem(struct view *view, struct arena *arena);

/* Looks at the files now, whatever the time; for tests. */
void view_refresh(struct view *view);

/* For the test that no message is missing or unused. `see_used` gets each key that a
 * template names (`dynamic`: a prefix such as "role."), not terminated; `see_kept` each
 * message of the catalogs, with the languages that have it. */
void view_messages(struct view *view,
                   void (*see_used)(void *data, const char *key, size_t length,
                                    bool dynamic),
                   void (*see_kept)(void *data, const char *key,
                                    const bool has[LANGUAGE_COUNT]),
                   void *data);

#endif
