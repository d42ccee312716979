/* Escaping for TeX and for the reader of names; see tex_write.h. The rules are those of
 * "BibTeXing" (Patashnik 1988), section 4. */
#include "server/text/tex_write.h"

#include "server/base/document.h"
#include "server/base/slice.h"
#include "server/base/utf8.h"
#include "server/text/names.h"
#include "server/text/names_han.h"

#include <strings.h>
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
            buf_string(out, "%5C");
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
            buf_string(out, "--");
        else
            tex_text(out, pages, pages[0] == '-' && pages[1] == '-' ? 2 : 1);
        pages += en_dash ? 3 : pages[0] == '-' && pages[1] == '-' ? 2 : 1;
    }
}

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcasecmp(text + length - end, ending) == 0;
}

/* Would the reader of lists of names see more in this than one part of a name? */
static bool divisible(const char *part)
{
    static const char *const separators[] = {",", "，", ";", "；", "、", "=", "~"};
    static const char *const endings[] = {"et al", "et al.", "et. al.", "等"};
    for (size_t i = 0; i < sizeof separators / sizeof separators[0]; i++)
        if (strstr(part, separators[i]) != NULL)
            return true;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (ends_in(part, endings[i]))
            return true;
    if (strcasecmp(part, "others") == 0)
        return true;
    for (const char *word = part; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (length == 3 && strncasecmp(word, "and", 3) == 0)
            return true;
        word += length + (word[length] == ' ');
    }
    return false;
}

static void name_part(struct buf *out, const char *part, bool whole)
{
    bool keep = whole || divisible(part);
    if (keep)
        buf_char(out, '{');
    tex_text(out, part, strlen(part));
    if (keep)
        buf_char(out, '}');
}

/* The words of groups, in the languages that ours come in. */
static bool names_a_group(const char *name)
{
    static const char *const words[] = {
        "group",        "team",     "collaboration", "consortium", "university",
        "universität",  "institut", "laborator",     "committee",  "organization",
        "organisation", "society",  "association",   "center",     "centre",
        "department",   "ministry", "foundation",    "project",    "initiative",
        "大学",         "学院",     "研究",          "委员会",     "公司",
        "中心",         "小组",     "团队",          "协会",       "出版社"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasestr(name, words[i]) != NULL)
            return true;
    return false;
}

struct parts {
    const char *family, *given, *suffix;
};

/* What stands behind given and family name in the name as printed: "Jr."; NULL when the
 * name is not made of these two. */
static const char *suffix_of(const char *name, const char *family, const char *given)
{
    struct arena *arena = arena_current();
    struct name plain = {
        .given = {given,  strlen(given) },
        .particle = {"",     0             },
        .family = {family, strlen(family)},
        .suffix = {"",     0             }
    };
    struct slice usual = name_display(arena, &plain);
    if (strncmp(name, usual.bytes, usual.length) != 0)
        return NULL;
    const char *rest = name + usual.length;
    return *rest == '\0' ? rest : *rest == ' ' ? rest + 1 : NULL;
}

/* Takes apart a name as printed. */
static struct parts parts_of_name(const char *name)
{
    struct arena *arena = arena_current();
    struct buf source = buf_on(arena);
    struct parts parts = {name, NULL, NULL};
    if (divisible(name) || names_a_group(name))
        return parts;
    tex_text(&source, name, strlen(name));
    struct names names = names_parse(arena, (struct slice){source.data, source.length});
    if (names.count != 1 || names.others || names.list[0].given.length == 0)
        return parts;
    const struct name *one = &names.list[0];
    struct slice family = name_family(arena, one);
    return (struct parts){arena_copy(arena, family.bytes, family.length),
                          arena_copy(arena, one->given.bytes, one->given.length),
                          arena_copy(arena, one->suffix.bytes, one->suffix.length)};
}

/* What a name is made of; when the name as printed no longer says what its parts say,
 * somebody has mended it, and it counts. */
static struct parts parts_of(json_t *person)
{
    const char *family = filled_of(person, "family"), *given = filled_of(person, "given");
    const char *name = filled_of(person, "name");
    if (family != NULL && name != NULL) {
        const char *suffix = suffix_of(name, family, given != NULL ? given : "");
        if (suffix != NULL)
            return (struct parts){family, given, suffix};
    } else if (name == NULL) {
        return (struct parts){family != NULL ? family : given,
                              family != NULL ? given : NULL, NULL};
    }
    return parts_of_name(name);
}

static void write_name(struct buf *out, json_t *person)
{
    struct parts parts = parts_of(person);
    if (parts.given == NULL || *parts.given == '\0') {
        name_part(out, parts.family != NULL ? parts.family : "", true);
        return;
    }
    struct slice family = slice_of(parts.family);
    bool two_names = han_length(family) > 1 && !han_compound_surname(family);
    name_part(out, parts.family, two_names);
    if (parts.suffix != NULL && *parts.suffix != '\0') {
        buf_string(out, ", ");
        name_part(out, parts.suffix, strchr(parts.suffix, ' ') != NULL);
    }
    buf_string(out, ", ");
    name_part(out, parts.given, false);
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
