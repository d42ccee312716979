/* Arena, buffer and UTF-8 at their edges. */
#include "server/base/buf.h"
#include "server/base/log.h"
#include "server/base/utf8.h"

#include <criterion/criterion.h>
#include <unistd.h>

Test(arena, items_are_aligned_and_survive_growth)
{
    struct arena *arena = arena_new();
    char *first = arena_string(arena, "kept");
    for (size_t size = 1; size < 300000; size = size * 3 + 1)
        cr_assert_eq((uintptr_t)arena_alloc(arena, size) % _Alignof(max_align_t), 0);
    cr_assert_str_eq(first, "kept");
    arena_reset(arena);
    cr_assert_eq(arena_used(arena), 0);
    arena_free(arena);
}

Test(buf, holds_any_bytes_and_stays_terminated)
{
    struct arena *arena = arena_new();
    struct buf buf = buf_on(arena);
    cr_assert_str_eq(buf.data, "");
    for (int i = 0; i < 1000; i++)
        buf_append(&buf, "a\0b", 3);
    buf_print(&buf, "%d", 42);
    cr_assert_eq(buf.length, 3002);
    cr_assert_str_eq(buf.data + 3000, "42");
    arena_free(arena);
}

struct utf8_case {
    const char *bytes;
    enum utf8_fault fault;
};

Test(utf8, tells_what_is_wrong_with_a_text)
{
    static const struct utf8_case cases[] = {
        {"",                                       UTF8_FINE     },
        {"M\xc3\xbcller \xe6\x9e\x97\xe6\x99\x93", UTF8_FINE     },
        {"\xc0\xaf",                               UTF8_MALFORMED},
        {"\xed\xa0\x80",                           UTF8_MALFORMED},
        {"\xf4\x90\x80\x80",                       UTF8_MALFORMED},
        {"abcdefghijk\xe6\x9e",                    UTF8_MALFORMED},
        {"a\x01",                                  UTF8_CONTROL  },
        {"a\xc2\x85",                              UTF8_CONTROL  },
        {"two\nlines",                             UTF8_CONTROL  },
        {"a\xe2\x80\xae"
         "b",                             UTF8_INVISIBLE},
        {"a\xe2\x80\x8b"
         "b",                             UTF8_INVISIBLE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_eq(utf8_fault(cases[i].bytes, strlen(cases[i].bytes), false),
                     cases[i].fault, "case %zu", i);
    cr_expect_eq(utf8_fault("two\nlines", 9, true), UTF8_FINE);
    cr_expect_eq(utf8_fault("a\0b", 3, true), UTF8_CONTROL);
}

static const char *folded(struct arena *arena, const char *text)
{
    return utf8_fold(arena, text, strlen(text));
}

Test(utf8, folds_spellings_of_one_name_together)
{
    struct arena *arena = arena_new();
    cr_expect_str_eq(folded(arena, "  M\xc3\x9cLLER\t Uli "), "muller uli");
    cr_expect_str_eq(folded(arena, "Gro\xc3\x9f"), "gross");
    cr_expect_str_eq(folded(arena, "\xef\xbc\xad\xef\xbd\x95"), "mu");
    cr_expect_str_eq(folded(arena, "\xe6\xac\xa7\xe9\x98\xb3"),
                     "\xe6\xac\xa7\xe9\x98\xb3");
    cr_expect_str_eq(utf8_nfc(arena, "u\xcc\x88", 3), "\xc3\xbc");
    cr_expect(utf8_has_han("x \xe6\x9e\x97", 5));
    cr_expect_not(utf8_has_han("Lin", 3));
    cr_expect_eq(utf8_length("\xe6\x9e\x97x", 4), 2);
    arena_free(arena);
}

Test(log, a_line_too_long_is_cut)
{
    enum { LONG = 5000 };
    char value[LONG + 1], line[2 * LONG];
    int ends[2];
    memset(value, ' ', LONG);
    value[LONG] = '\0';
    cr_assert_eq(pipe(ends), 0);
    int kept = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    log_error("test", "a", value, "b", value, "c", "short", "d", value);
    dup2(kept, STDERR_FILENO);
    ssize_t length = read(ends[0], line, sizeof line);
    cr_assert_eq(length, 4096);
    cr_expect_eq(memchr(line, '\n', (size_t)length), line + length - 1);
}
