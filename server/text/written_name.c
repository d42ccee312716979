/* Taking names apart for writing; see written_name.h. */
#include "server/text/written_name.h"

#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/slice.h"
#include "server/text/names.h"
#include "server/text/tex_write.h"

#include <string.h>

static bool ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    return length >= end && strcasecmp(text + length - end, ending) == 0;
}

bool written_name_divisible(const char *part)
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

/* The words of groups, in the languages that ours come in. */
static bool names_a_group(const char *name)
{
    static const char *const words[] = {
        "group",        "team",     "collaboration", "consortium", "university",
        "universität",  "institut", "laborator",     "committee",  "organization",
        "organisation", "society",  "association",   "center",     "centre",
        "department",   "ministry", "foundation",    "project",    "initiative",
        "bureau",       "council",  "commission",    "authority",  "academy",
        "corporation",  " of ",     " for ",         "大学",       "学院",
        "研究",         "委员会",   "公司",          "中心",       "小组",
        "团队",         "协会",     "出版社"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasestr(name, words[i]) != NULL)
            return true;
    return false;
}

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

static const char *filled(struct arena *arena, struct slice text)
{
    return text.length > 0 ? arena_copy(arena, text.bytes, text.length) : NULL;
}

/* Takes apart a name as printed. */
static struct written_name taken_apart(const char *name)
{
    struct arena *arena = arena_current();
    struct buf source = buf_on(arena);
    struct written_name whole = {name, NULL, NULL};
    if (written_name_divisible(name) || names_a_group(name))
        return whole;
    tex_text(&source, name, strlen(name));
    struct names names = names_parse(arena, (struct slice){source.data, source.length});
    if (names.count != 1 || names.others || names.list[0].given.length == 0)
        return whole;
    return (struct written_name){filled(arena, name_family(arena, &names.list[0])),
                                 filled(arena, names.list[0].given),
                                 filled(arena, names.list[0].suffix)};
}

struct written_name written_name(const json_t *person)
{
    const char *family = filled_of(person, "family"), *given = filled_of(person, "given");
    const char *name = filled_of(person, "name");
    const char *suffix = "";
    if (family == NULL)
        return name != NULL    ? taken_apart(name)
               : given != NULL ? (struct written_name){given, NULL, NULL}
                               : (struct written_name){"", NULL, NULL};
    if (name != NULL)
        suffix = suffix_of(name, family, given != NULL ? given : "");
    if (suffix == NULL)
        return taken_apart(name);
    return (struct written_name){family, given, *suffix != '\0' ? suffix : NULL};
}
