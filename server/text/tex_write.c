/* Escaping for TeX and for the reader of names; see tex_write.h. The rules are those of
 * "BibTeXing" (Patashnik 1988), section 4. */
#include "server/text/tex_write.h"

#include "server/base/slice.h"
#include "server/base/utf8.h"
#include "server/text/names_han.h"
#include "server/text/written_name.h"

#include <utf8proc.h>

/* Would a reader take the & at `text` for the start of an HTML entity? */
static bool starts_entity(const char *text, size_t length)
{
    size_t at = 1;
    while (at < length && at < 12 &&
           (text_letter(text[at]) || text_digit(text[at]) || text[at] == '#'))
        at++;
    return at > 1 && at < length && text[at] == ';';
}

static const char *command_for(char c)
{
    switch (c) {
    case '{':
        return "\\textbraceleft{}";
    case '}':
        return "\\textbraceright{}";
    case '\\':
        return "\\textbackslash{}";
    case '~':
        return "\\textasciitilde{}";
    case '^':
        return "\\textasciicircum{}";
    case '`':
        return "\\textasciigrave{}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    case '&':
        return "\\&";
    case '%':
        return "\\%";
    case '$':
        return "\\$";
    case '#':
        return "\\#";
    case '_':
        return "\\_";
    default:
        return NULL;
    }
}

void tex_text(struct buf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        const char *command = command_for(c);
        bool doubled = i + 1 < length && text[i + 1] == c && (c == '-' || c == '\'');
        if (command != NULL)
            buf_string(out, command);
        else
            buf_char(out, (unsigned char)c < ' ' || c == 0x7F ? ' ' : c);
        if (doubled || (c == '&' && starts_entity(text + i, length - i)))
            buf_string(out, "{}"); /* neither ligature nor entity */
    }
}

struct word {
    const char *text;
    size_t length;
    size_t letters, capitals; /* capitals behind the first letter */
    bool capital;             /* the first letter is one */
};

static struct word word_at(const char *text)
{
    struct word word = {.text = text, .length = strcspn(text, " ")};
    size_t size;
    for (size_t at = 0; at < word.length; at += size) {
        int32_t code = utf8_next(text + at, word.length - at, &size);
        utf8proc_category_t category = utf8proc_category(code);
        bool capital = category == UTF8PROC_CATEGORY_LU;
        if (!capital && category != UTF8PROC_CATEGORY_LL)
            continue;
        word.capital = word.capital || (capital && word.letters == 0);
        word.capitals += capital && word.letters > 0;
        word.letters++;
    }
    return word;
}

/* Does the title write its usual words small, so that a capital tells a name? */
static bool sentence_case(const char *title)
{
    size_t small = 0, large = 0;
    bool start = true;
    while (*title != '\0') {
        struct word word = word_at(title);
        if (word.letters >= 4 && word.capitals == 0 && !start) {
            small += !word.capital;
            large += word.capital;
        }
        start = word.length > 0 && strchr(":.?!", title[word.length - 1]) != NULL;
        title += word.length + (title[word.length] == ' ');
    }
    return small > large;
}

void tex_title(struct buf *out, const char *title)
{
    bool names = sentence_case(title);
    bool start = true;
    while (*title != '\0') {
        struct word word = word_at(title);
        bool letter = word.letters == 1 && word.capital && strchr("AI", *title) == NULL;
        bool keep =
            word.capitals > 0 || (!start && word.capital && names) || (!start && letter);
        if (keep)
            buf_char(out, '{');
        tex_text(out, title, word.length);
        if (keep)
            buf_char(out, '}');
        start = word.length > 0 && strchr(":.?!", title[word.length - 1]) != NULL;
        title += word.length;
        if (*title == ' ')
            buf_char(out, *title++);
    }
}

void tex_address(struct buf *out, const char *address)
{
    for (; *address != '\0'; address++)
        if (*address == '{' || *address == '}')
            buf_string(out, *address == '{' ? "%7B" : "%7D");
        else if (*address == '\\')
            buf_string(out, "\\textbackslash{}");
        else if ((unsigned char)*address > ' ' && *address != 0x7F)
            buf_char(out, *address);
}

void tex_pages(struct buf *out, const char *pages)
{
    const char *hyphen = strchr(pages, '-');
    bool range = hyphen != NULL && strchr(hyphen + 1, '-') == NULL;
    while (*pages != '\0') {
        bool en_dash = strncmp(pages, "–", 3) == 0;
        if (en_dash || (range && pages == hyphen))
            buf_string(out, strncmp(pages + 3, "–", en_dash ? 3 : 0) == 0 && en_dash
                                ? "--{}"
                                : "--");
        else
            tex_text(out, pages, pages[0] == '-' && pages[1] == '-' ? 2 : 1);
        pages += en_dash ? 3 : pages[0] == '-' && pages[1] == '-' ? 2 : 1;
    }
}

static void name_part(struct buf *out, const char *part, bool whole)
{
    bool keep = whole || written_name_divisible(part);
    if (keep)
        buf_char(out, '{');
    tex_text(out, part, strlen(part));
    if (keep)
        buf_char(out, '}');
}

static void write_name(struct buf *out, json_t *person)
{
    struct written_name name = written_name(person);
    if (name.given == NULL) {
        name_part(out, name.family, true);
        return;
    }
    struct slice family = slice_of(name.family);
    bool two_names = han_length(family) > 1 && !han_compound_surname(family);
    name_part(out, name.family, two_names);
    if (name.suffix != NULL) {
        buf_string(out, ", ");
        name_part(out, name.suffix, strchr(name.suffix, ' ') != NULL);
    }
    buf_string(out, ", ");
    name_part(out, name.given, false);
}

void tex_names(struct buf *out, json_t *names, bool others)
{
    size_t i;
    json_t *person;
    json_array_foreach(names, i, person)
    {
        if (i > 0)
            buf_string(out, " and ");
        write_name(out, person);
    }
    if (others && i > 0)
        buf_string(out, " and others");
}
