/* Differences between two texts. */
#include "server/text/word_diff.h"

#include "server/base/buf.h"

#include <criterion/criterion.h>

static struct arena *arena;

static void open_arena(void)
{
    arena = arena_new();
    arena_enter(arena);
}

static void close_arena(void)
{
    arena_enter(NULL);
    arena_free(arena);
}

TestSuite(word_diff, .init = open_arena, .fini = close_arena);

/* "Memory, [caches]": what is marked stands in brackets. */
static const char *marked(json_t *parts)
{
    struct buf out = buf_on(arena);
    size_t index;
    json_t *part;
    json_array_foreach(parts, index, part)
    {
        bool changed = json_is_true(json_object_get(part, "changed"));
        buf_print(&out, changed ? "[%s]" : "%s",
                  json_string_value(json_object_get(part, "text")));
    }
    return out.data;
}

static void expect(const char *old, const char *new, const char *old_marked,
                   const char *new_marked)
{
    json_t *before = json_array(), *after = json_array();
    word_diff(before, after, arena, old, new);
    cr_expect_str_eq(marked(before), old_marked, "%s", marked(before));
    cr_expect_str_eq(marked(after), new_marked, "%s", marked(after));
}

Test(word_diff, marks_whole_words)
{
    expect("", "", "", "");
    expect("same", "same", "same", "same");
    expect("", "new words", "", "[new words]");
    expect("gone", "", "[gone]", "");
    expect("Memory systems, caches", "Memory systems, tiered memory",
           "Memory systems, [caches]", "Memory systems, [tiered memory]");
    expect("West building 301", "West building 417", "West building [301]",
           "West building [417]");
    expect("a b c d", "a c d e", "a [b ]c d", "a c d[ e]");
    expect("Ibáñez, María", "Ibanez, María", "[Ibáñez], María", "[Ibanez], María");
}

Test(word_diff, marks_single_han_characters)
{
    expect("林晓是教授。", "林晓是副教授。", "林晓是教授。", "林晓是[副]教授。");
    expect("研究缓存一致性", "研究内存一致性", "研究[缓]存一致性", "研究[内]存一致性");
}

Test(word_diff, gives_the_texts_back_however_long)
{
    struct buf old = buf_on(arena), new = buf_on(arena);
    for (int i = 0; i < 20000; i++) {
        buf_print(&old, "%d ", i * 7 % 1000);
        buf_print(&new, "%d ", i * 11 % 1000);
    }
    json_t *before = json_array(), *after = json_array();
    word_diff(before, after, arena, old.data, new.data);
    size_t index, length = 0;
    json_t *part;
    json_array_foreach(before, index, part) length +=
        json_string_length(json_object_get(part, "text"));
    cr_assert_eq(length, old.length);
    length = 0;
    json_array_foreach(after, index, part) length +=
        json_string_length(json_object_get(part, "text"));
    cr_assert_eq(length, new.length);
}
