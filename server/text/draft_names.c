/* Names as formats of databases write them, into a draft; see draft.h. */
#include "server/text/draft.h"

#include "server/base/utf8.h"
#include "server/text/names_han.h"
#include "server/text/plain.h"

static const struct slice nothing = {"", 0};

static json_t *text_or_null(struct slice text)
{
    return text.length > 0 ? json_stringn_nocheck(text.bytes, text.length) : json_null();
}

void draft_name(struct draft *draft, const char *list, struct name name)
{
    if (name.family.length == 0)
        return;
    json_t *person = json_object();
    json_object_set_new(person, "name", text_or_null(name_display(draft->arena, &name)));
    json_object_set_new(person, "family", text_or_null(name_family(draft->arena, &name)));
    json_object_set_new(person, "given", text_or_null(name.given));
    if (strcmp(list, "authors") == 0) {
        json_object_set_new(person, "equal", json_boolean(name.star));
        json_object_set_new(person, "corresponding", json_boolean(name.dagger));
    }
    json_t *names = json_object_get(draft->document, list);
    if (json_array_size(names) < NAMES_MOST)
        json_array_append_new(names, person);
    else if (strcmp(list, "authors") == 0)
        json_object_set_new(draft->document, "others", json_true());
}

void draft_whole_name(struct draft *draft, const char *list, struct slice text)
{
    struct name name = name_of_parts(nothing, nothing, text, nothing);
    if (name.given.length > 0 && !han_compound_surname(name.family) &&
        !han_surname(name.family)) {
        name.family = plain_text(draft->arena, text);
        name.given = nothing;
    }
    draft_name(draft, list, name);
}

/* Jr., Sr., III: where "Family, Suffix, Given" has it second. */
static bool is_suffix(struct slice text)
{
    static const char *const suffixes[] = {"jr",  "jr.", "sr", "sr.", "ii",
                                           "iii", "iv",  "v",  "2nd", "3rd"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (slice_like(text, suffixes[i]))
            return true;
    return false;
}

static size_t words_in(struct slice text)
{
    size_t words = text.length > 0;
    for (size_t i = 0; i < text.length; i++)
        words += text.bytes[i] == ' ';
    return words;
}

/* Does one of the name's words begin so? */
static bool has_word(struct slice name, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= name.length; i++)
        if ((i == 0 || name.bytes[i - 1] == ' ') &&
            strncasecmp(name.bytes + i, word, length) == 0)
            return true;
    return false;
}

/* A name without a comma, of several words: is it no person's? */
static bool institution(struct slice name)
{
    static const char *const words[] = {
        "universi",   "institut",     "organi",  "consorti", "collaborat", "committee",
        "group",      "association",  "society", "ministry", "department", "council",
        "agency",     "foundation",   "network", "project",  "team",       "national",
        "commission", "initiative",   "centre",  "center",   "of ",        "for ",
        "and ",       "und ",         "the ",    "company",  "inc.",       "&",
        "laborator",  "bank ",        "office",  "academy",  "press ",     "college",
        "http",       "investigators"};
    if (words_in(name) > 4)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (has_word(name, words[i]))
            return true;
    for (size_t i = 0; i < name.length; i++)
        if (text_digit(name.bytes[i]))
            return true;
    return false;
}

/* Behind "Raaij": one to three capitals, but for a short family name in capitals. */
static bool initials(struct slice word)
{
    static const char *const families[] = {
        "li",  "wu",  "xu",   "lu",  "hu",  "ma",  "he",  "yu",  "ye",  "du",
        "gu",  "fu",  "su",   "xi",  "yi",  "qi",  "bi",  "ji",  "an",  "ai",
        "ho",  "ng",  "xie",  "liu", "sun", "zhu", "guo", "gao", "luo", "lin",
        "cai", "han", "tan",  "wei", "dai", "xia", "fan", "shi", "mao", "cui",
        "hao", "yan", "yao",  "lei", "kim", "lee", "pan", "yin", "tao", "jin",
        "qin", "bai", "kong", "hou", "qiu", "gan", "mei", "wan", "ren", "cao"};
    bool capitals = word.length > 0 && word.length <= 3;
    for (size_t i = 0; i < word.length; i++)
        capitals = capitals && word.bytes[i] >= 'A' && word.bytes[i] <= 'Z';
    for (size_t i = 0; capitals && i < sizeof families / sizeof families[0]; i++)
        if (slice_like(word, families[i]))
            return false;
    return capitals;
}

static struct slice without_braces(struct slice text)
{
    if (text.length > 1 && text.bytes[0] == '{' && text.bytes[text.length - 1] == '}')
        return slice_trim((struct slice){text.bytes + 1, text.length - 2});
    return text;
}

/* "Given van Family", by the last words. */
static struct name divided(struct slice text)
{
    if (words_in(text) < 2 || institution(text) || utf8_has_han(text.bytes, text.length))
        return name_of_parts(nothing, nothing, text, nothing);
    size_t family = text.length;
    while (family > 0 && text.bytes[family - 1] != ' ')
        family--;
    struct slice last = slice_between(text.bytes + family, text.bytes + text.length);
    if (initials(last)) /* "van Raaij MJ" */
        return name_of_parts(last, nothing, (struct slice){text.bytes, family - 1},
                             nothing);
    size_t particle = family;
    for (size_t at = family; at > 1; at = particle) {
        size_t from = at - 1;
        while (from > 0 && text.bytes[from - 1] != ' ')
            from--;
        bool small = text.bytes[from] >= 'a' && text.bytes[from] <= 'z';
        if (!small || from == 0)
            break;
        particle = from;
    }
    struct slice given = slice_trim((struct slice){text.bytes, particle});
    struct slice small =
        slice_trim(slice_between(text.bytes + particle, text.bytes + family));
    return name_of_parts(given, small, last, nothing);
}

static size_t commas_in(struct slice text)
{
    size_t commas = 0;
    for (size_t i = 0; i < text.length; i++)
        commas += text.bytes[i] == ',';
    return commas;
}

/* "A Lin, B Wu, C Doe, D Roe" in one field. Of editors no program writes so many: Ovid
 * has whom a paper cites there. */
static void several(struct draft *draft, const char *list, struct slice text)
{
    if (strcmp(list, "authors") != 0)
        return;
    struct names names = names_parse(draft->arena, text);
    for (size_t i = 0; i < names.count; i++)
        draft_name(draft, list, names.list[i]);
    if (names.others)
        json_object_set_new(draft->document, "others", json_true());
}

void draft_person(struct draft *draft, const char *list, struct slice source)
{
    struct slice text = plain_text(draft->arena, source);
    size_t whole = text.length;
    while (text.length > 0 && strchr(",; ", text.bytes[text.length - 1]) != NULL)
        text.length--;
    /* EndNote: a comma behind an institution. "Lin, Xiao," is a person all the same. */
    if (text.length < whole && text.bytes[text.length] == ',' && commas_in(text) != 1) {
        draft_whole_name(draft, list, text);
        return;
    }
    if (slice_like(text, "others") || slice_like(text, "et al.") ||
        slice_like(text, "et al") || slice_is(text, "等")) {
        if (strcmp(list, "authors") == 0)
            json_object_set_new(draft->document, "others", json_true());
        return;
    }
    const char *comma = memchr(text.bytes, ',', text.length);
    struct slice bare = without_braces(text);
    if (bare.length != text.length || comma == NULL) {
        draft_name(draft, list,
                   bare.length != text.length
                       ? name_of_parts(nothing, nothing, bare, nothing)
                       : divided(text));
        return;
    }
    if (commas_in(text) > 2) {
        several(draft, list, text);
        return;
    }
    const char *end = text.bytes + text.length;
    struct slice family = slice_trim(slice_between(text.bytes, comma));
    struct slice given = slice_trim(slice_between(comma + 1, end));
    struct slice suffix = nothing;
    const char *second = memchr(given.bytes, ',', given.length);
    if (second != NULL) {
        struct slice middle = slice_trim(slice_between(given.bytes, second));
        struct slice last = slice_trim(slice_between(second + 1, end));
        suffix = is_suffix(middle) ? middle : last;
        given = is_suffix(middle) ? last : middle;
    }
    draft_name(draft, list, name_of_parts(given, nothing, family, suffix));
}
