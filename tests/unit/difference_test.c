/* Two versions of a form: what changed, and what that asks again. */
#include "server/form/difference.h"
#include "tests/support/json.h"

#include <criterion/criterion.h>
#include <string.h>

static struct arena *arena;

static void enter(void)
{
    arena = arena_new();
    arena_enter(arena);
}

static void leave(void)
{
    arena_enter(NULL);
    arena_free(arena);
}

TestSuite(difference, .init = enter, .fini = leave);

static json_t *definition(const char *sections)
{
    return parse_quoted(arena_print(
        arena, "{'title': {'en': 'T', 'zh': 'T'}, 'sections': [%s]}", sections));
}

static json_t *one_section(const char *fields)
{
    return definition(arena_print(arena, "{'fields': [%s]}", fields));
}

#define LABEL "'label': {'en': 'X', 'zh': 'X'}"
#define TEXT(name) "{'name': '" name "', 'type': 'text', " LABEL "}"

static const char *changes(json_t *before, json_t *after)
{
    json_t *change, *what, *list = form_changes(before, after);
    struct arena *on = arena_current();
    const char *out = "";
    size_t i, j;
    json_array_foreach(list, i, change)
    {
        json_t *name = json_object_get(change, "name");
        out = arena_print(on, "%s%s%s %s", out, i > 0 ? "; " : "",
                          json_string_value(json_object_get(change, "kind")),
                          json_is_string(name)
                              ? json_string_value(name)
                              : json_string_value(json_object_get(change, "label_en")));
        json_array_foreach(json_object_get(change, "what"), j, what) out =
            arena_print(on, "%s %s", out, json_string_value(what));
    }
    return out;
}

struct changes_case {
    const char *before, *after, *expected;
};

Test(difference, of_fields_is_what_was_added_removed_altered_or_moved)
{
    /* clang-format off */
    static const struct changes_case cases[] = {
        {TEXT("a"), TEXT("a"), ""},
        {TEXT("a"), TEXT("a") "," TEXT("b"), "added b"},
        {TEXT("a") "," TEXT("b"), TEXT("b"), "removed a"},
        {TEXT("a"), "{'name': 'a', 'type': 'text', 'label': {'en': 'Y', 'zh': 'X'}}",
         "altered a label"},
        {TEXT("a"), "{'name': 'a', 'type': 'date', " LABEL ", 'required': true}",
         "altered a type required"},
        {"{'name': 'a', 'type': 'text', " LABEL ", 'required': true}", TEXT("a"),
         "altered a required"},
        {TEXT("a") "," TEXT("b") "," TEXT("c"), TEXT("c") "," TEXT("a") "," TEXT("b"),
         "moved c"},
        {TEXT("a") "," TEXT("b"), TEXT("b") ",{'name': 'a', 'type': 'email', " LABEL "}",
         "altered a type place"},
        {TEXT("a"), TEXT("b"), "added b; removed a"},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(
            changes(one_section(cases[i].before), one_section(cases[i].after)),
            cases[i].expected, "case %zu", i);
}

Test(difference, of_order_names_as_few_fields_as_possible)
{
    json_t *before =
        one_section(TEXT("a") "," TEXT("b") "," TEXT("c") "," TEXT("d") "," TEXT("e"));
    json_t *after = one_section(TEXT("b") "," TEXT("c") "," TEXT("new") "," TEXT(
        "d") "," TEXT("a") "," TEXT("e"));
    cr_expect_str_eq(changes(before, after), "added new; moved a");
}

#define SECTION(title, fields)                                                           \
    "{'title': {'en': '" title "', 'zh': '" title "'}, 'fields': [" fields "]}"

Test(difference, of_sections_knows_a_new_title_from_a_new_section)
{
    /* clang-format off */
    static const struct changes_case cases[] = {
        {SECTION("One", TEXT("a")), SECTION("Uno", TEXT("a")), "altered Uno title"},
        {SECTION("One", TEXT("a")), SECTION("One", TEXT("a")) "," SECTION("Two", ""),
         "added Two"},
        {SECTION("One", TEXT("a")) "," SECTION("Two", TEXT("b")),
         SECTION("One", TEXT("a") "," TEXT("b")), "removed Two; moved b"},
        {SECTION("One", TEXT("a")) "," SECTION("Two", TEXT("b")),
         SECTION("Two", TEXT("b")) "," SECTION("One", TEXT("a")), "moved a"},
        {SECTION("One", TEXT("a") "," TEXT("b")) "," SECTION("Two", TEXT("c")),
         SECTION("One", TEXT("a")) "," SECTION("Two", TEXT("b") "," TEXT("c")),
         "moved b"},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(changes(definition(cases[i].before), definition(cases[i].after)),
                         cases[i].expected, "case %zu", i);
}

Test(difference, of_drafts_needs_nothing_to_be_whole)
{
    cr_expect_str_eq(changes(parse_quoted("{}"), parse_quoted("{'sections': [{}]}")), "");
    cr_expect_str_eq(changes(parse_quoted("{'sections': 7}"),
                             parse_quoted("{'sections': [{'fields': [{'name': 'a'}]}]}")),
                     "added a");
    cr_expect_eq(json_array_size(form_changes(NULL, NULL)), 0);
}

static const struct form *load(const char *fields)
{
    const struct form *form;
    char problem[400];
    cr_assert_eq(form_load(&form, arena, "answer", "made", one_section(fields), problem,
                           sizeof problem),
                 OK, "%s", problem);
    return form;
}

static const char *asked(const char *before, const char *after, const char *answer)
{
    json_t *names;
    const struct form *old = load(before), *new = load(after);
    cr_assert_eq(
        form_asked_again(&names, old, new, answer != NULL ? parse_quoted(answer) : NULL),
        OK);
    form_free(old);
    form_free(new);
    return json_dumps(names, JSON_COMPACT | JSON_ENCODE_ANY);
}

#define ROLE(choices)                                                                    \
    "{'name': 'role', 'type': 'choice', " LABEL ", 'choices': [" choices "]}"
#define CHOICE(value) "{'value': '" value "', " LABEL "}"
#define THESIS(attributes) "{'name': 'thesis', 'type': 'text', " LABEL attributes "}"

struct asked_case {
    const char *before, *after, *answer, *expected;
};

Test(difference, asks_again_only_what_is_new_or_no_longer_valid)
{
    /* clang-format off */
    static const struct asked_case cases[] = {
        {TEXT("a"), TEXT("a"), "{'a': 'x'}", "[]"},
        {TEXT("a"), TEXT("a"), NULL, "null"},
        {TEXT("a"), TEXT("a") "," TEXT("b"), "{'a': 'x'}", "[\"b\"]"},
 /* Words change, the order too: nothing to answer. */
        {TEXT("a") "," TEXT("b"),
         TEXT("b") ",{'name': 'a', 'type': 'text', 'label': {'en': 'Y', 'zh': 'Y'}}",
         "{'a': 'x', 'b': null}", "[]"},
        {TEXT("a") "," TEXT("b"), TEXT("a"), "{'a': 'x', 'b': 'y'}", "[]"},
 /* Required now: those who left it empty are asked, the others not. */
        {TEXT("a"), "{'name': 'a', 'type': 'text', " LABEL ", 'required': true}",
         "{'a': null}", "[\"a\"]"},
        {TEXT("a"), "{'name': 'a', 'type': 'text', " LABEL ", 'required': true}",
         "{'a': 'x'}", "[]"},
        {TEXT("a"), "{'name': 'a', 'type': 'text', " LABEL ", 'max_length': 3}",
         "{'a': 'long'}", "[\"a\"]"},
 /* Another type is another question. */
        {TEXT("a"), "{'name': 'a', 'type': 'date', " LABEL "}", "{'a': null}", "[\"a\"]"},
        {ROLE(CHOICE("phd") "," CHOICE("staff")), ROLE(CHOICE("phd") "," CHOICE("new")),
         "{'role': 'staff'}", "[\"role\"]"},
        {ROLE(CHOICE("phd")), ROLE(CHOICE("phd") "," CHOICE("new")), "{'role': 'phd'}",
         "[]"},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(asked(cases[i].before, cases[i].after, cases[i].answer),
                         cases[i].expected, "case %zu", i);
}

#define IF_PHD ", 'show_if': {'field': 'role', 'equals': 'phd'}"
#define ROLES ROLE(CHOICE("phd") "," CHOICE("staff"))

Test(difference, asks_for_a_field_only_where_it_is_shown)
{
    /* clang-format off */
    static const struct asked_case cases[] = {
        {ROLES, ROLES "," THESIS(IF_PHD), "{'role': 'staff'}", "[]"},
        {ROLES, ROLES "," THESIS(IF_PHD), "{'role': 'phd'}", "[\"thesis\"]"},
 /* It was there, but this person never saw it. */
        {ROLES "," THESIS(IF_PHD), ROLES "," THESIS(""),
         "{'role': 'staff', 'thesis': null}", "[\"thesis\"]"},
 /* What rules it is asked again: the answer may show it. */
        {TEXT("a"), TEXT("a") "," ROLES "," THESIS(IF_PHD), "{'a': null}",
         "[\"role\",\"thesis\"]"},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(asked(cases[i].before, cases[i].after, cases[i].answer),
                         cases[i].expected, "case %zu", i);
}

#define GROUP(fields) "{'name': 'g', 'type': 'group', " LABEL ", 'fields': [" fields "]}"
#define WHO(choices)                                                                     \
    "{'name': 'a', 'type': 'text', " LABEL                                               \
    ", 'visibility': {'default': 'members', 'choices': [" choices "]}}"

Test(difference, asks_for_groups_files_and_visibility_by_their_field)
{
    /* clang-format off */
    static const struct asked_case cases[] = {
        {GROUP(TEXT("x")), GROUP(TEXT("x") "," TEXT("y")), "{'g': [{'x': '1'}]}",
         "[\"g\"]"},
        {GROUP(TEXT("x")), GROUP(TEXT("x") "," TEXT("y")), "{'g': []}", "[]"},
        {GROUP(TEXT("x") "," TEXT("y")),
         GROUP("{'name': 'x', 'type': 'text', " LABEL ", 'max_length': 1}," TEXT("y")),
         "{'g': [{'x': '1', 'y': null}, {'x': '22', 'y': null}]}", "[\"g\"]"},
        {"{'name': 'f', 'type': 'file', " LABEL "}",
         "{'name': 'f', 'type': 'file', " LABEL ", 'required': true}", "{'f': {'id': 7}}",
         "[]"},
        {"{'name': 'f', 'type': 'file', " LABEL "}",
         "{'name': 'f', 'type': 'file', " LABEL ", 'required': true}", "{'f': null}",
         "[\"f\"]"},
        {WHO("'public','members'"), WHO("'members'"),
         "{'a': 'x', 'visibility': {'a': 'public'}}", "[\"a\"]"},
        {WHO("'members'"), TEXT("a"), "{'a': 'x', 'visibility': {'a': 'members'}}", "[]"},
        {TEXT("a"), "{'name': 'b', 'type': 'text', " LABEL ", 'audience': 'admin'}",
         "{'a': null}", "[]"},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(asked(cases[i].before, cases[i].after, cases[i].answer),
                         cases[i].expected, "case %zu", i);
}
