/* What must hold of every entry that a reader gives, asserted; the sanitizers see the
 * rest. */
#ifndef LABD_TESTS_FUZZ_READERS_H
#define LABD_TESTS_FUZZ_READERS_H

#include "server/base/utf8.h"
#include "server/text/bibliography_reader.h"
#include "server/text/encoding.h"

#include <stdlib.h>

static inline void require(bool holds)
{
    if (!holds)
        abort();
}

/* Every text in it can be stored. */
static inline void require_fit(const json_t *value)
{
    const char *key;
    const json_t *item;
    size_t i;
    if (json_is_string(value))
        require(utf8_fault(json_string_value(value), json_string_length(value), false) ==
                UTF8_FINE);
    json_array_foreach(value, i, item) require_fit(item);
    if (json_is_object(value))
        for (void *at = json_object_iter((json_t *)(uintptr_t)value); at != NULL;
             at = json_object_iter_next((json_t *)(uintptr_t)value, at)) {
            key = json_object_iter_key(at);
            if (strncmp(key, "bibtex", 6) != 0)
                require_fit(json_object_iter_value(at));
        }
}

static inline void require_entry(const struct bibliography_entry *entry,
                                 struct slice text, size_t line_before)
{
    require(entry->line >= 1 && entry->line >= line_before &&
            entry->line <= text.length + 1);
    require(entry->source.bytes >= text.bytes &&
            entry->source.bytes + entry->source.length <= text.bytes + text.length);
    require((entry->refused != NULL) + (entry->document != NULL) +
                (entry->scheme != NULL) ==
            1);
    require((entry->refused != NULL) == (entry->reason != NULL));
    require(entry->refused == NULL || entry->refused_line >= 1);
    require((entry->scheme != NULL) == (entry->value != NULL));
    require(utf8_valid(entry->key, strlen(entry->key)));
    require_fit(entry->document);
}

static inline void read_all(const struct bibliography_reader *reader, const uint8_t *data,
                            size_t size)
{
    static bool ready;
    if (!ready)
        json_on_arena();
    ready = true;
    struct arena *arena = arena_new();
    struct arena *own = arena_new();
    struct decoded decoded;
    void *state;
    arena_enter(arena);
    if (encoding_decode(&decoded, arena, (const char *)data, size) == OK &&
        reader->open(&state, arena, decoded.text, &bibtex_paste_limits) == OK) {
        enum result result = OK;
        for (size_t line = 1; result == OK; arena_reset(own)) {
            arena_enter(own);
            struct bibliography_entry entry = {.key = "", .remarks = json_array()};
            result = reader->next(&entry, state, own);
            require(result == OK || result == NOT_FOUND);
            if (result == OK) {
                require_entry(&entry, decoded.text, line);
                line = entry.line;
            }
        }
    }
    arena_enter(NULL);
    arena_free(own);
    arena_free(arena);
}

#endif
