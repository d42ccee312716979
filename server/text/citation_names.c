/* Names of people as a style of citation writes them. A name with Han characters is never
 * turned round or cut to initials, nor is one without parts: an institution's. */
#include "server/base/document.h"
#include "server/base/slice.h"
#include "server/base/utf8.h"
#include "server/text/citation_private.h"
#include "server/text/written_name.h"

#include <stdlib.h>
#include <utf8proc.h>

/* Whether a word of a given name is written as it is: particles ("van"), which have no
 * capital, and what does not begin with a letter. Scripts without capitals have initials
 * all the same. */
static bool is_kept(struct slice word)
{
    size_t size;
    int category = utf8proc_category(utf8_next(word.bytes, word.length, &size));
    return category != UTF8PROC_CATEGORY_LU && category != UTF8PROC_CATEGORY_LT &&
           category != UTF8PROC_CATEGORY_LO;
}

/* One word of a given name, or a part of one between hyphens. */
static void put_initial(struct buf *out, struct slice word, bool hyphen,
                        const struct citation_names *form)
{
    char bytes[4];
    size_t size;
    int32_t code = utf8_next(word.bytes, word.length, &size);
    bool kept = is_kept(word), junior = slice_is(word, "Jr") || slice_is(word, "Sr");
    const char *point = form->dot[0] == '.' ? "." : "";
    if (kept && hyphen)
        return; /* Tai-yi: T. (APA Style) */
    if (out->length > 0)
        buf_string(out, hyphen ? form->hyphen : " ");
    if (kept || junior) {
        buf_append(out, word.bytes, word.length);
        buf_string(out, junior ? point : "");
    } else {
        buf_append(out, bytes, utf8_put(bytes, utf8proc_toupper(code)));
        buf_string(out, point);
    }
}

/* "Jean-Pierre M." as "J.-P. M." */
static void put_initials(struct buf *out, const char *given,
                         const struct citation_names *form)
{
    static const char *const hyphens[] = {"-", "\xE2\x80\x90", "\xE2\x80\x91"};
    struct buf initials = buf_on(out->arena);
    bool hyphen = false;
    while (*given != '\0') {
        size_t length = 0, sign = 0;
        for (; given[length] != '\0' && strchr(" .", given[length]) == NULL; length++) {
            for (size_t i = 0; i < sizeof hyphens / sizeof hyphens[0]; i++)
                if (strncmp(given + length, hyphens[i], strlen(hyphens[i])) == 0)
                    sign = strlen(hyphens[i]);
            if (sign > 0)
                break;
        }
        if (length > 0) {
            put_initial(&initials, (struct slice){given, length}, hyphen, form);
            hyphen = false;
        }
        given += length;
        hyphen = hyphen || sign > 0;
        given += sign > 0 ? sign : *given != '\0';
    }
    buf_string(out, initials.data);
}

static void put_capitals(struct buf *out, const char *text)
{
    char bytes[4];
    for (size_t all = strlen(text), at = 0, size; at < all; at += size) {
        int32_t code = utf8proc_toupper(utf8_next(text + at, all - at, &size));
        buf_append(out, bytes, utf8_put(bytes, code));
    }
}

static void put_family(struct buf *out, const char *family,
                       const struct citation_names *form)
{
    if (form->capitals)
        put_capitals(out, family);
    else
        buf_string(out, family);
}

static void put_suffix(struct buf *out, const char *suffix,
                       const struct citation_names *form)
{
    if (*suffix == '\0')
        return;
    size_t length = strlen(suffix);
    buf_string(out, form->family_first && form->separator[0] == ',' ? ", " : " ");
    if (form->dot[0] != '.' && suffix[length - 1] == '.')
        length--;
    buf_append(out, suffix, form->initials ? length : strlen(suffix));
}

/* Writes the name; was it turned round? */
static bool put_name(struct buf *out, struct arena *arena, const json_t *person,
                     const struct citation_names *form)
{
    const char *name = citation_clean(arena, text_at(person, "name", ""));
    struct written_name parts = written_name(person);
    const char *family = citation_clean(arena, parts.family);
    if (utf8_has_han(family, strlen(family))) {
        buf_string(out, *name != '\0' ? name : family);
        buf_string(out, *name != '\0' || parts.given == NULL ? "" : parts.given);
    } else if (parts.given == NULL) {
        put_family(out, family, form);
    } else {
        const char *given = citation_clean(arena, parts.given);
        const char *suffix =
            citation_clean(arena, parts.suffix != NULL ? parts.suffix : "");
        if (form->family_first) {
            put_family(out, family, form);
            buf_string(out, form->separator);
        }
        if (form->initials)
            put_initials(out, given, form);
        else
            buf_string(out, given);
        if (!form->family_first) {
            buf_char(out, ' ');
            put_family(out, family, form);
        }
        put_suffix(out, suffix, form);
        return form->family_first;
    }
    return false;
}

/* What stands before the second name and those behind it. Of two, a comma before an
 * ampersand is left out when the first was not turned round. */
static const char *joint(const struct citation_names *form, size_t all, bool last,
                         bool inverted)
{
    if (!last)
        return ", ";
    if (all > 2)
        return form->last;
    bool comma = form->two[0] == ',' && form->two[2] == '&';
    return inverted || !comma ? form->two : form->two + 1;
}

const char *citation_people(const struct citing *citing, const json_t *people,
                            const struct citation_names *form, bool others)
{
    struct buf out = buf_on(citing->arena);
    size_t all = json_array_size(people), shown = all;
    bool inverted = false;
    if (all == 0)
        return NULL;
    if (all > form->most)
        shown = form->first;
    for (size_t i = 0; i < shown; i++) {
        bool last = i + 1 == all && !others;
        if (i > 0)
            buf_string(&out, joint(form, all, last, inverted));
        inverted = put_name(&out, citing->arena, json_array_get(people, i), form);
    }
    if (shown < all && form->ellipsis) {
        buf_string(&out, ", … ");
        put_name(&out, citing->arena, json_array_get(people, all - 1), form);
    } else if (shown < all || others) {
        buf_string(&out, citing->gbt && citing->chinese ? ", 等" : form->others);
    }
    return out.length > 0 ? out.data : NULL;
}
