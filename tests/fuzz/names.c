/* libFuzzer: lists of names from any text, and names from parts of it. */
#include "server/text/names.h"
#include "server/base/utf8.h"
#include "server/text/encoding.h"
#include "server/text/plain.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void require_fit(struct slice text)
{
    require(utf8_fault(text.bytes, text.length, false) == UTF8_FINE);
    require(text.length == 0 ||
            (!text_space(text.bytes[0]) && !text_space(text.bytes[text.length - 1])));
}

static void check(struct arena *arena, const struct name *name)
{
    require(name->family.length > 0);
    require_fit(name->given);
    require_fit(name->particle);
    require_fit(name->family);
    require_fit(name->suffix);
    require_fit(name_family(arena, name));
    struct slice shown = name_display(arena, name);
    require_fit(shown);
    require(shown.length >= name->family.length);
}

/* given, particle, family and suffix with line breaks between. */
static void check_parts(struct arena *arena, struct slice text)
{
    struct slice parts[4];
    for (size_t i = 0; i < 4; i++) {
        const char *line = memchr(text.bytes, '\n', text.length);
        size_t length = line == NULL ? text.length : (size_t)(line - text.bytes);
        parts[i] = plain_text(arena, (struct slice){text.bytes, length});
        length += line != NULL;
        text.bytes += length;
        text.length -= length;
    }
    struct name name = name_of_parts(parts[0], parts[1], parts[2], parts[3]);
    if (name.family.length > 0)
        check(arena, &name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct decoded decoded;
    if (encoding_decode(&decoded, arena, (const char *)data, size) == OK) {
        struct names names = names_parse(arena, decoded.text);
        require(names.count <= NAMES_MOST);
        for (size_t i = 0; i < names.count; i++)
            check(arena, &names.list[i]);
        check_parts(arena, decoded.text);
    }
    arena_free(arena);
    return 0;
}
