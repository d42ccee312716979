/* Slugs; see slug.h. */
#include "db/store/slug.h"

#include "server/base/buf.h"
#include "server/base/utf8.h"

#include <utf8proc.h>

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

/* Marks too: they are the vowels of many scripts. */
static bool letter_or_digit(int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);
    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME) ||
           category == UTF8PROC_CATEGORY_ND;
}

/* "'" within a word leaves nothing: O'Neil is one word. */
static bool apostrophe(int32_t code)
{
    return code == '\'' || code == 0x2019;
}

char *slug_from(struct arena *arena, const char *text, int words, int length)
{
    char *folded = utf8_fold(arena, text, strlen(text));
    size_t left = strlen(folded), size;
    struct buf slug = buf_on(arena);
    bool gap = false;
    for (; left > 0 && length > 0; folded += size, left -= size) {
        int32_t code = utf8_next(folded, left, &size);
        if (!letter_or_digit(code)) {
            gap = gap || !apostrophe(code);
            continue;
        }
        if (gap && slug.length > 0) {
            if (--words <= 0 || --length == 0)
                break;
            buf_char(&slug, '-');
        }
        gap = false;
        const char *form = latin_form(code);
        if (form != NULL)
            buf_string(&slug, form);
        else
            buf_append(&slug, folded, size);
        length--;
    }
    return slug.data;
}
