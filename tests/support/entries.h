/* Bibliographies as tests read them. */
#ifndef LABD_TESTS_ENTRIES_H
#define LABD_TESTS_ENTRIES_H

#include "server/text/bibliography.h"
#include "tests/support/json.h"

/* Every entry of one file. All on the current arena. */
static inline size_t read_entries(struct bibliography_entry *entries, size_t most,
                                  const char *name, struct slice text)
{
    struct arena *arena = arena_current();
    struct bibliography *b;
    struct bibliography_file *file = ARENA_NEW(arena, struct bibliography_file);
    *file = (struct bibliography_file){name, text};
    cr_assert_eq(bibliography_open(&b, arena, file, 1, &bibtex_import_limits), OK);
    size_t count = 0;
    struct bibliography_entry entry;
    while (bibliography_next(&entry, b, arena) == OK)
        if (count < most)
            entries[count++] = entry;
    return count;
}

/* The keys of `expected` (' for ") stand in the document with those values; texts that it
 * does not name do not matter. */
static inline void expect_document(const json_t *document, const char *expected)
{
    const char *key;
    json_t *value;
    json_t *wanted = parse_quoted(expected);
    cr_assert_not_null(document, "no document, but %s", expected);
    json_object_foreach(wanted, key, value)
    {
        json_t *found = json_object_get(document, key);
        cr_expect(json_equal(found, value), "%s: %s, not %s", key,
                  found == NULL ? "none" : json_dumps(found, JSON_ENCODE_ANY),
                  json_dumps(value, JSON_ENCODE_ANY));
    }
}

/* The names of "authors" or "editors", with / between family and given. */
static inline const char *names_of(const json_t *document, const char *list)
{
    char *names = arena_string(arena_current(), "");
    json_t *name;
    size_t i;
    json_array_foreach(json_object_get(document, list), i, name)
    {
        const char *family = json_string_value(json_object_get(name, "family"));
        const char *given = json_string_value(json_object_get(name, "given"));
        names = arena_print(arena_current(), "%s%s%s%s%s", names, i > 0 ? "; " : "",
                            family, given == NULL ? "" : "/", given == NULL ? "" : given);
    }
    return names;
}

#endif
