/* Catalogs read, laid over one another and looked up; see catalog.h. */
#include "server/view/catalog.h"
#include "server/view/node.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct message *)a)->key, ((const struct message *)b)->key);
}

static void sort(struct catalog *catalog)
{
    if (catalog->count > 0)
        qsort(catalog->messages, catalog->count, sizeof *catalog->messages, compare);
}

const struct message *catalog_find(const struct catalog *catalog, const char *key,
                                   size_t length)
{
    size_t low = 0;
    size_t high = catalog->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct message *message = &catalog->messages[middle];
        int order = strncmp(key, message->key, length);
        if (order == 0 && message->key[length] == '\0')
            return message;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* The catalog is sorted but for the messages of the file being read, which has each key
 * once: these need no look at one another. */
static struct message *message_of(struct catalog *catalog, struct arena *arena,
                                  size_t sorted, const char *key)
{
    struct catalog before = {catalog->messages, sorted, sorted};
    const struct message *found = catalog_find(&before, key, strlen(key));
    if (found != NULL)
        return &catalog->messages[found - catalog->messages];
    if (catalog->count == catalog->capacity) {
        size_t capacity = catalog->capacity > 0 ? catalog->capacity * 2 : 256;
        struct message *messages = ARENA_ARRAY(arena, struct message, capacity);
        if (catalog->count > 0)
            memcpy(messages, catalog->messages, catalog->count * sizeof *messages);
        catalog->messages = messages;
        catalog->capacity = capacity;
    }
    struct message *message = &catalog->messages[catalog->count++];
    *message = (struct message){.key = arena_string(arena, key)};
    return message;
}

/* The place in the file where the key stands, for problems. */
static size_t key_at(const struct template *file, const char *key)
{
    char quoted[160];
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    const char *found =
        memmem(file->source.bytes, file->source.length, quoted, strlen(quoted));
    return found != NULL ? (size_t)(found - file->source.bytes) : 0;
}

struct reading {
    struct arena *arena;
    enum language language;
    struct template file; /* the JSON text, to tell problems by */
    struct template_problem *problem;
};

static enum result read_form(const struct reading *reading, struct message *message,
                             enum plural form, const json_t *text)
{
    const struct template_problem *problem = reading->problem;
    size_t at = key_at(&reading->file, message->key);
    if (!json_is_string(text))
        return template_complain(&reading->file, at, reading->problem,
                                 "message '%s' must be a text, or an object with the "
                                 "texts \"one\" and \"other\" (Chinese: \"other\")",
                                 message->key);
    for (int html = 0; html <= 1; html++) {
        struct template *template;
        if (template_read(
                &template, reading->arena,
                html ? TEMPLATE_MESSAGE_HTML : TEMPLATE_MESSAGE_TEXT,
                arena_print(arena_current(), "%s: %s", reading->file.file, message->key),
                json_string_value(text), json_string_length(text),
                reading->problem) != OK) {
            char reason[sizeof problem->reason];
            memcpy(reason, problem->reason, sizeof reason);
            return template_complain(&reading->file, at, reading->problem,
                                     "message '%s': %s", message->key, reason);
        }
        if (html)
            message->in[reading->language].html[form] = template;
        else
            message->in[reading->language].text[form] = template;
    }
    return OK;
}

static void one_as_other(struct message *message, enum language language)
{
    message->in[language].html[PLURAL_ONE] = message->in[language].html[PLURAL_OTHER];
    message->in[language].text[PLURAL_ONE] = message->in[language].text[PLURAL_OTHER];
}

static enum result read_message(const struct reading *reading, struct message *message,
                                const json_t *value)
{
    if (!json_is_object(value)) {
        TRY(read_form(reading, message, PLURAL_OTHER, value));
        one_as_other(message, reading->language);
        return OK;
    }
    bool english = reading->language == ENGLISH;
    message->plural = true;
    if (json_object_size(value) != (english ? 2 : 1))
        return read_form(reading, message, PLURAL_OTHER, NULL);
    TRY(read_form(reading, message, PLURAL_OTHER, json_object_get(value, "other")));
    if (english)
        return read_form(reading, message, PLURAL_ONE, json_object_get(value, "one"));
    one_as_other(message, reading->language);
    return OK;
}

/* jansson counts columns in code points from 1. */
static enum result json_problem(const struct reading *reading, const json_error_t *error)
{
    size_t at = error->position > 0 ? (size_t)error->position - 1 : 0;
    return template_complain(&reading->file, at, reading->problem, "%s", error->text);
}

enum result catalog_add(struct catalog *catalog, struct arena *arena,
                        enum language language, const char *file, const char *json,
                        size_t length, struct template_problem *problem)
{
    struct reading reading = {
        .arena = arena,
        .language = language,
        .file = {.file = file, .source = {json, length}},
        .problem = problem,
    };
    json_error_t error;
    json_t *texts = json_loadb(json, length, JSON_REJECT_DUPLICATES, &error);
    if (texts == NULL)
        return json_problem(&reading, &error);
    if (!json_is_object(texts))
        return template_complain(&reading.file, 0, problem,
                                 "a catalog is one object of messages");
    const char *key;
    json_t *value;
    size_t sorted = catalog->count;
    json_object_foreach(texts, key, value)
        TRY(read_message(&reading, message_of(catalog, arena, sorted, key), value));
    sort(catalog);
    return OK;
}

const struct template *message_form(const struct message *message, enum language language,
                                    bool html, const json_t *count)
{
    if (message->plural && !json_is_integer(count))
        return NULL;
    bool one = message->plural && language == ENGLISH && json_integer_value(count) == 1;
    enum plural form = one ? PLURAL_ONE : PLURAL_OTHER;
    return html ? message->in[language].html[form] : message->in[language].text[form];
}
