/* Messages that came back, of any bytes. What is read of them must be fit to be stored:
 * an id of ours, and one line of well-formed text. */
#include "server/mail/bounce.h"
#include "server/base/arena.h"
#include "server/base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct arena *before = arena_enter(arena);
    struct bounce bounce = bounce_read((struct slice){(const char *)data, size});
    size_t length = strlen(bounce.words);
    if (utf8_fault(bounce.words, length, false) == UTF8_MALFORMED ||
        utf8_fault(bounce.words, length, false) == UTF8_CONTROL || length > 300)
        abort();
    if (bounce.kind != BOUNCE_NONE && strncmp(bounce.message_id, "labd.", 5) != 0)
        abort();
    if (strpbrk(bounce.message_id, " \t\r\n<>") != NULL)
        abort();
    arena_enter(before);
    arena_free(arena);
    return 0;
}
