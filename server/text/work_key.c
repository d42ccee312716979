/* Keys of works; see work_key.h. What a key may hold is what bibtex.web, biber and LaTeX
 * all take: letters and digits of ASCII and a few marks. */
#include "server/text/work_key.h"

#include "server/base/buf.h"
#include "server/base/document.h"

#include <stdint.h>
#include <string.h>

enum { KEY_MOST = 120, SUFFIX = 6 };

static bool ascii_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool work_key_sound(const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; i < length; i++)
        if (!ascii_word(key[i]) && strchr("-_:.+/", key[i]) == NULL)
            return false;
    return length > 0 && length <= KEY_MOST;
}

/* "-" and six letters or digits that follow from the text (FNV-1a). */
static void add_suffix(struct buf *key, const char *text)
{
    static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
    uint64_t hash = 0xcbf29ce484222325;
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    if (key->length > 0)
        buf_char(key, '-');
    for (int i = 0; i < SUFFIX; i++, hash >>= 5)
        buf_char(key, digits[hash & 31]);
}

/* The words of the slug that are ASCII throughout. */
static const char *key_of_slug(struct arena *arena, const char *slug)
{
    struct buf key = buf_on(arena);
    bool all = true;
    for (const char *word = slug; *word != '\0';) {
        size_t length = strcspn(word, "-");
        size_t fit = 0;
        while (fit < length && ascii_word(word[fit]))
            fit++;
        all = all && fit == length;
        if (fit == length && length > 0 && key.length + length < KEY_MOST)
            buf_print(&key, "%s%.*s", key.length > 0 ? "-" : "", (int)length, word);
        word += length + (word[length] == '-');
    }
    if (!all || key.length == 0)
        add_suffix(&key, slug);
    return key.data;
}

const char *work_key(struct arena *arena, json_t *work)
{
    const char *given = filled_of(work, "bibtex_key");
    const char *slug = text_at(work, "slug", "");
    if (given == NULL || !work_key_sound(given))
        return *slug == '\0' && given == NULL
                   ? "work"
                   : key_of_slug(arena, *slug == '\0' ? given : slug);
    if (!truth_at(work, "key_shared"))
        return given;
    struct buf key = buf_on(arena);
    buf_string(&key, given);
    add_suffix(&key, slug);
    return key.data;
}
