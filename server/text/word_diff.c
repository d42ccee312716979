/* The longest common subsequence of words, between the common beginning and end. Its
 * table is bounded; texts that differ in more words than that are marked whole. */
#include "server/text/word_diff.h"

#include "server/base/buf.h"
#include "server/base/utf8.h"

#include <string.h>

enum { CELLS_MAX = 4 * 1000 * 1000 };

struct word {
    const char *text;
    size_t length;
};

struct words {
    struct word *items;
    size_t count;
};

enum kind { SPACE, LETTERS, SINGLE };

static enum kind kind_of(int32_t code)
{
    if (code == ' ' || code == '\t' || code == '\n' || code == 0x3000)
        return SPACE;
    if (code < 0x80) {
        bool letter = (code >= '0' && code <= '9') ||
                      ((code | 0x20) >= 'a' && (code | 0x20) <= 'z');
        return letter ? LETTERS : SINGLE;
    }
    /* General punctuation; then everything from CJK radicals to the end of the Han and
     * kana blocks, and full-width forms. */
    if ((code >= 0x2000 && code <= 0x206f) || (code >= 0x2e80 && code <= 0x9fff) ||
        (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff00 && code <= 0xffef) ||
        code >= 0x20000)
        return SINGLE;
    return LETTERS;
}

static struct words split(struct arena *arena, const char *text)
{
    size_t length = strlen(text), size;
    struct words words = {ARENA_ARRAY(arena, struct word, length + 1), 0};
    enum kind before = SINGLE;
    for (size_t at = 0; at < length; at += size) {
        enum kind kind = kind_of(utf8_next(text + at, length - at, &size));
        if (kind == SINGLE || kind != before)
            words.items[words.count++] = (struct word){text + at, 0};
        words.items[words.count - 1].length += size;
        before = kind;
    }
    return words;
}

static bool same(struct word a, struct word b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static void append(json_t *parts, struct arena *arena, struct word word, bool changed)
{
    json_t *last = json_array_get(parts, json_array_size(parts) - 1);
    if (last && json_is_true(json_object_get(last, "changed")) == changed) {
        const char *text = json_string_value(json_object_get(last, "text"));
        json_object_set_new(
            last, "text",
            json_string(arena_print(arena, "%s%.*s", text, (int)word.length, word.text)));
        return;
    }
    json_array_append_new(parts, json_pack("{s:s%,s:b}", "text", word.text, word.length,
                                           "changed", changed));
}

/* One run of equally marked words, which are contiguous in the text. */
static void append_run(json_t *parts, struct arena *arena, const struct word *from,
                       size_t count, bool changed)
{
    if (count == 0)
        return;
    struct word run = {from->text, 0};
    run.length = (size_t)(from[count - 1].text - from->text) + from[count - 1].length;
    append(parts, arena, run, changed);
}

/* table[i][j]: length of the longest common subsequence of a[i..] and b[j..]. */
static unsigned short *lengths(struct arena *arena, const struct word *a, size_t rows,
                               const struct word *b, size_t columns)
{
    size_t width = columns + 1;
    unsigned short *table = ARENA_ARRAY(arena, unsigned short, (rows + 1) * width);
    for (size_t i = rows; i-- > 0;)
        for (size_t j = columns; j-- > 0;) {
            unsigned short down = table[(i + 1) * width + j];
            unsigned short right = table[i * width + j + 1];
            table[i * width + j] =
                same(a[i], b[j]) ? (unsigned short)(table[(i + 1) * width + j + 1] + 1)
                                 : (down > right ? down : right);
        }
    return table;
}

static void middle(json_t *before, json_t *after, struct arena *arena,
                   const struct word *a, size_t rows, const struct word *b,
                   size_t columns)
{
    size_t i = 0, j = 0, width = columns + 1;
    const unsigned short *table = NULL;
    /* A common subsequence is no longer than the shorter text: 65,535 is never reached.
     */
    if ((rows + 1) * width <= CELLS_MAX && rows < 60000 && columns < 60000)
        table = lengths(arena, a, rows, b, columns);
    while (table && i < rows && j < columns) {
        if (same(a[i], b[j])) {
            append_run(before, arena, &a[i++], 1, false);
            append_run(after, arena, &b[j++], 1, false);
        } else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) {
            append_run(before, arena, &a[i++], 1, true);
        } else {
            append_run(after, arena, &b[j++], 1, true);
        }
    }
    append_run(before, arena, a + i, rows - i, true);
    append_run(after, arena, b + j, columns - j, true);
}

void word_diff(json_t *before, json_t *after, struct arena *arena, const char *old,
               const char *new)
{
    struct words a = split(arena, old), b = split(arena, new);
    size_t head = 0, tail = 0;
    size_t least = a.count < b.count ? a.count : b.count;
    while (head < least && same(a.items[head], b.items[head]))
        head++;
    while (tail < least - head &&
           same(a.items[a.count - 1 - tail], b.items[b.count - 1 - tail]))
        tail++;
    append_run(before, arena, a.items, head, false);
    append_run(after, arena, b.items, head, false);
    middle(before, after, arena, a.items + head, a.count - head - tail, b.items + head,
           b.count - head - tail);
    append_run(before, arena, a.items + (a.count - tail), tail, false);
    append_run(after, arena, b.items + (b.count - tail), tail, false);
}
