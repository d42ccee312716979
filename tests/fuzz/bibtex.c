/* libFuzzer: any bytes decoded, parsed and made documents. What must hold of every result
 * is asserted; the sanitizers see the rest. */
#include "server/base/utf8.h"
#include "server/text/encoding.h"
#include "server/text/work.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_entry(struct arena *arena, const struct bibtex_entry *entry,
                        struct slice text)
{
    require(entry->source.bytes >= text.bytes &&
            entry->source.bytes + entry->source.length <= text.bytes + text.length);
    require(entry->line >= 1 && entry->line <= text.length + 1);
    if (entry->refused != BIBTEX_SOUND || !bibtex_is_entry(entry))
        return;
    for (size_t i = 0; i < entry->field_count; i++)
        require(entry->fields[i].value.length <= bibtex_paste_limits.value_bytes);
    json_t *document = work_document(arena, entry);
    const char *key;
    json_t *value;
    json_object_foreach(document, key, value) if (json_is_string(value) &&
                                                  strncmp(key, "bibtex", 6) != 0)
        require(utf8_fault(json_string_value(value), json_string_length(value), false) ==
                UTF8_FINE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    if (!ready)
        json_on_arena();
    ready = true;
    struct arena *arena = arena_new();
    arena_enter(arena);
    struct decoded decoded;
    struct bibtex *parser;
    struct bibtex_entry entry;
    if (encoding_decode(&decoded, arena, (const char *)data, size) == OK) {
        require(utf8_valid(decoded.text.bytes, decoded.text.length));
        if (bibtex_open(&parser, arena, decoded.text, &bibtex_paste_limits) == OK)
            while (bibtex_next(&entry, parser) == OK)
                check_entry(arena, &entry, decoded.text);
    }
    arena_enter(NULL);
    arena_free(arena);
    return 0;
}
