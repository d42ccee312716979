/* The words of the program, by language: templates/i18n/en.json and zh.json, one flat
 * object of dotted keys each, sorted:
 *
 *   "people.count": {"one": "{{count}} person", "other": "{{count}} people"},
 *   "people.title": "People"
 *
 * A message is itself a small Mustache template: variables and sections, looked up where
 * the message stands; its own text and every value are escaped, nothing goes out raw. A
 * message with plural forms (CLDR names; English one and other, Chinese other alone) is
 * chosen by the number in `count`. */
#ifndef LABD_VIEW_CATALOG_H
#define LABD_VIEW_CATALOG_H

#include "server/view/template.h"

enum plural { PLURAL_ONE, PLURAL_OTHER, PLURAL_COUNT };

struct message {
    const char *key;
    bool plural; /* in any language */
    struct {
        /* NULL: the language does not have it; without plural forms all are `other`. */
        const struct template *html[PLURAL_COUNT], *text[PLURAL_COUNT];
    } in[LANGUAGE_COUNT];
};

struct catalog {
    struct message *messages; /* sorted by key */
    size_t count, capacity;
};

/* Lays the messages of the JSON text over those of `catalog`, key by key. `file` is for
 * problems. The messages live on `arena`; what is needed for the moment on the thread's
 * current one. */
MUST_USE enum result catalog_add(struct catalog *catalog, struct arena *arena,
                                 enum language language, const char *file,
                                 const char *json, size_t length,
                                 struct template_problem *problem);
/* NULL: no such message. */
const struct message *catalog_find(const struct catalog *catalog, const char *key,
                                   size_t length);

/* The form for `count` (NULL when the context has none); NULL when the language lacks the
 * message, or a plural message has no number to go by. */
const struct template *message_form(const struct message *message, enum language language,
                                    bool html, const json_t *count);

#endif
