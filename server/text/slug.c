/* Slugs; see slug.h. Words are gathered one by one and cut where the length ends. */
#include "server/text/slug.h"

#include "server/base/buf.h"
#include "server/base/utf8.h"

#include <utf8proc.h>

enum { TITLE_WORDS = 6, TITLE_CHARACTERS = 24 };

/* Latin letters that folding leaves as they are. */
static const char *latin_form(int32_t code)
{
    static const struct {
        int32_t code;
        const char *form;
    } forms[] = {
        {0xE6,  "ae"},
        {0xF0,  "d" },
        {0xF8,  "o" },
        {0xFE,  "th"},
        {0x111, "d" },
        {0x127, "h" },
        {0x131, "i" },
        {0x142, "l" },
        {0x14B, "ng"},
        {0x153, "oe"},
        {0x237, "j" }
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (forms[i].code == code)
            return forms[i].form;
    return NULL;
}

static bool letter(int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);
    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
           (category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME) ||
           category == UTF8PROC_CATEGORY_ND;
}

/* What a character gives: bytes in `out` (8), or 0 where a word ends. */
static size_t slug_bytes(char *out, int32_t code, bool latin)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return text_letter((char)code) || text_digit((char)code);
    }
    const char *form = latin_form(code);
    if (form != NULL) {
        size_t length = 0;
        for (; form[length] != '\0'; length++)
            out[length] = form[length];
        return length;
    }
    return !latin && letter(code) ? utf8_put(out, code) : 0;
}

static bool has_latin(struct slice text)
{
    size_t size;
    for (size_t at = 0; at < text.length; at += size) {
        int32_t code = utf8_next(text.bytes + at, text.length - at, &size);
        if ((code < 0x80 && text_letter((char)code)) || latin_form(code) != NULL)
            return true;
    }
    return false;
}

static bool means_nothing(struct slice word)
{
    static const char *const words[] = {"a",   "an",  "the", "of",  "on", "in",
                                        "for", "and", "to",  "by",  "at", "from",
                                        "or",  "as",  "via", "with"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (slice_is(word, words[i]))
            return true;
    return false;
}

/* The word at `*at` (empty at a character between words), which moves behind it. */
static struct slice next_word(struct buf *word, struct slice text, size_t *at, bool latin)
{
    word->length = 0;
    while (*at < text.length) {
        size_t size;
        char bytes[8];
        int32_t code = utf8_next(text.bytes + *at, text.length - *at, &size);
        *at += size;
        if (code == '\'' || code == 0x2019)
            continue; /* O'Neil is one word */
        size_t length = slug_bytes(bytes, code, latin);
        if (length == 0)
            break;
        buf_append(word, bytes, length);
    }
    return (struct slice){word->data, word->length};
}

/* How many bytes of a word fit into `room`, whole characters only. */
static size_t fitting(struct slice word, size_t room)
{
    if (word.length <= room)
        return word.length;
    while (room > 0 && ((unsigned char)word.bytes[room] & 0xC0) == 0x80)
        room--;
    return room;
}

static const char *slug(struct arena *arena, struct slice source, bool title)
{
    const char *folded = utf8_fold(arena, source.bytes, source.length);
    struct slice text = slice_of(folded);
    bool latin = has_latin(text);
    size_t most = title && !latin ? TITLE_CHARACTERS * 3 : SLUG_BYTES;
    struct buf out = buf_on(arena);
    struct buf space = buf_on(arena);
    size_t words = 0;
    for (size_t at = 0; at < text.length && (!title || words < TITLE_WORDS);) {
        struct slice word = next_word(&space, text, &at, latin);
        if (word.length == 0 || (title && means_nothing(word)))
            continue;
        size_t hyphen = out.length > 0;
        if (out.length > 0 && out.length + hyphen + word.length > most)
            break;
        if (hyphen)
            buf_char(&out, '-');
        buf_append(&out, word.bytes, fitting(word, most));
        words++;
    }
    return out.data;
}

const char *slug_of_name(struct arena *arena, struct slice name)
{
    return slug(arena, name, false);
}

const char *slug_of_title(struct arena *arena, struct slice title)
{
    const char *found = slug(arena, title, true);
    return found[0] != '\0' ? found : slug(arena, title, false); /* "On the And" */
}
