/* Editing a definition: every operation as a function of the document. */
#include "server/form/edit.h"
#include "server/form/question.h"
#include "tests/support/json.h"

#include <criterion/criterion.h>
#include <string.h>

static struct arena *arena;
static json_t *form;

static void enter(void)
{
    arena = arena_new();
    arena_enter(arena);
    form = parse_quoted(
        "{'title': {'en': 'T', 'zh': 'T'}, 'require_one_of': [['a', 'b'], ['c']],"
        " 'sections': [{'title': {'en': 'One', 'zh': 'One'}, 'fields': ["
        "{'name': 'a', 'type': 'boolean', 'label': {'en': 'A', 'zh': 'A'}},"
        "{'name': 'b', 'type': 'text', 'label': {'en': 'B', 'zh': 'B'},"
        " 'show_if': {'field': 'a', 'equals': true}},"
        "{'name': 'c', 'type': 'text', 'label': {'en': 'C', 'zh': 'C'}}]},"
        "{'fields': [{'name': 'g', 'type': 'group',"
        " 'label': {'en': 'G', 'zh': 'G'}, 'fields': ["
        "{'name': 'x', 'type': 'text', 'label': {'en': 'X', 'zh': 'X'}},"
        "{'name': 'y', 'type': 'text', 'label': {'en': 'Y', 'zh': 'Y'}}]}]}]}");
}

static void leave(void)
{
    arena_enter(NULL);
    arena_free(arena);
}

TestSuite(edit, .init = enter, .fini = leave);
TestSuite(question, .init = enter, .fini = leave);

static const char *names_of(json_t *fields)
{
    json_t *field;
    size_t i;
    const char *out = "";
    json_array_foreach(fields, i, field)
    {
        json_t *inner = json_object_get(field, "fields");
        out = arena_print(arena, "%s%s%s", out, i > 0 ? " " : "",
                          json_string_value(json_object_get(field, "name")));
        if (inner != NULL)
            out = arena_print(arena, "%s(%s)", out, names_of(inner));
    }
    return out;
}

/* "a b c|g(x y)" */
static const char *shape(void)
{
    json_t *section;
    size_t i;
    const char *out = "";
    json_array_foreach(json_object_get(form, "sections"), i, section) out =
        arena_print(arena, "%s%s%s", out, i > 0 ? "|" : "",
                    names_of(json_object_get(section, "fields")));
    return out;
}

#define EXPECT_SHAPE(expected) cr_expect_str_eq(shape(), expected)

Test(edit, moves_a_field_among_its_neighbours_and_no_further)
{
    cr_expect(edit_move(form, "c", -1));
    EXPECT_SHAPE("a c b|g(x y)");
    cr_expect(edit_move(form, "a", 1));
    EXPECT_SHAPE("c a b|g(x y)");
    cr_expect(edit_move(form, "g.y", -1));
    EXPECT_SHAPE("c a b|g(y x)");
    cr_expect_not(edit_move(form, "c", -1));
    cr_expect_not(edit_move(form, "b", 1));
    cr_expect_not(edit_move(form, "g", 1));
    cr_expect_not(edit_move(form, "g.x", 1));
    cr_expect_not(edit_move(form, "none", 1));
    cr_expect_not(edit_move(form, "g.none", 1));
    cr_expect_not(edit_move(form, "a.x", 1));
    EXPECT_SHAPE("c a b|g(y x)");
}

Test(edit, places_a_field_anywhere)
{
    cr_expect(edit_place(form, "a", 1, 0));
    EXPECT_SHAPE("b c|a g(x y)");
    cr_expect(edit_place(form, "b", 1, 99));
    EXPECT_SHAPE("c|a g(x y) b");
    cr_expect(edit_place(form, "a", 1, 2));
    EXPECT_SHAPE("c|g(x y) b a");
    cr_expect_not(edit_place(form, "a", 2, 0));
    cr_expect_not(edit_place(form, "g.x", 0, 0));
    EXPECT_SHAPE("c|g(x y) b a");
}

Test(edit, copies_under_a_name_of_its_own)
{
    const char *made;
    cr_expect(edit_copy(&made, form, "a", parse_quoted("{'a_2': true}")));
    cr_expect_str_eq(made, "a_3");
    cr_expect(edit_copy(&made, form, "g.x", NULL));
    cr_expect_str_eq(made, "g.x_2");
    cr_expect(edit_copy(&made, form, "g.x_2", NULL));
    cr_expect_str_eq(made, "g.x_3");
    EXPECT_SHAPE("a a_3 b c|g(x x_2 x_3 y)");
    cr_expect_not(edit_copy(&made, form, "none", NULL));
}

Test(edit, removes_and_restores_with_the_rules_about_it)
{
    json_t *before = json_deep_copy(form);
    static const char *const order[] = {"b", "c", "a", "g"};
    for (size_t i = 0; i < 4; i++)
        cr_expect(edit_remove(form, order[i]), "%s", order[i]);
    EXPECT_SHAPE("|");
    cr_expect_eq(json_array_size(json_object_get(form, "require_one_of")), 0);
    cr_expect_not(edit_remove(form, "a"));
    for (size_t i = 4; i-- > 0;)
        cr_expect(edit_restore(form, before, order[i]), "%s", order[i]);
    EXPECT_SHAPE("a b c|g(x y)");
    cr_expect(json_equal(json_object_get(form, "sections"),
                         json_object_get(before, "sections")));
    cr_expect_str_eq(json_dumps(json_object_get(form, "require_one_of"),
                                JSON_COMPACT | JSON_SORT_KEYS),
                     "[[\"a\",\"b\"],[\"c\"]]");
    cr_expect_not(edit_restore(form, before, "a"));
    cr_expect_not(edit_restore(form, before, "none"));
}

Test(edit, restores_where_its_neighbours_have_gone)
{
    json_t *before = json_deep_copy(form);
    cr_expect(edit_remove(form, "b"));
    cr_expect(edit_place(form, "a", 1, 99));
    cr_expect(edit_restore(form, before, "b"));
    EXPECT_SHAPE("c|g(x y) a b");
    cr_expect(edit_remove(form, "g.y"));
    cr_expect(edit_restore(form, before, "g.y"));
    EXPECT_SHAPE("c|g(x y) a b");
    cr_expect(edit_remove(form, "g.y"));
    cr_expect(edit_remove(form, "g"));
    cr_expect_not(edit_restore(form, before, "g.y"));
}

Test(edit, a_new_name_is_followed_by_what_refers_to_it)
{
    struct edit_place place;
    json_t *field = parse_quoted(
        "{'name': 'come', 'type': 'boolean', 'label': {'en': 'A', 'zh': 'A'}}");
    cr_expect(edit_set(form, "a", field));
    cr_assert(edit_find(&place, form, "b"));
    cr_expect_str_eq(json_string_value(json_object_get(
                         json_object_get(place.field, "show_if"), "field")),
                     "come");
    cr_expect_str_eq(json_dumps(json_object_get(form, "require_one_of"), JSON_COMPACT),
                     "[[\"come\",\"b\"],[\"c\"]]");
    cr_expect_eq(json_array_size(form_problems(form)), 0);
    cr_expect_not(edit_set(form, "a", field));
}

Test(edit, sections_are_added_moved_and_joined)
{
    json_t *words = parse_quoted("{'title': {'en': 'New', 'zh': 'New'}}");
    cr_expect(edit_add_section(form, words));
    EXPECT_SHAPE("a b c|g(x y)|");
    cr_expect(edit_move_section(form, 2, -1));
    EXPECT_SHAPE("a b c||g(x y)");
    cr_expect_not(edit_move_section(form, 0, -1));
    cr_expect_not(edit_move_section(form, 2, 1));
    cr_expect_not(edit_move_section(form, 9, 1));
    cr_expect(edit_set_section(form, 0, words));
    cr_expect_not(edit_set_section(form, 9, words));
    cr_expect(edit_remove_section(form, 2));
    EXPECT_SHAPE("a b c|g(x y)");
    cr_expect(edit_remove_section(form, 0));
    EXPECT_SHAPE("a b c g(x y)");
    cr_expect_not(edit_remove_section(form, 0));
    cr_expect_not(edit_remove_section(form, 7));
}

Test(edit, names_are_plain_free_and_never_reserved)
{
    static const struct {
        const char *label, *type, *prefix, *expected;
    } cases[] = {
        {"Favourite food?",                       "text",   "",     "favourite_food"},
        {"  3 wishes, 2nd",                       "text",   "",     "wishes_2nd"    },
        {"出生日期",                          "date",   "",     "date"          },
        {"",                                      "choice", "",     "choice"        },
        {NULL,                                    "choice", "",     "choice"        },
        {"Action",                                "text",   "",     "action_2"      },
        {"Visibility",                            "text",   "",     "visibility_2"  },
        {"Phone",                                 "text",   "own_", "own_phone"     },
        {"taken",                                 "text",   "",     "taken_2"       },
        {"A b c d e f g h i j k l m n o p q r s", "text",   "",
         "a_b_c_d_e_f_g_h_i_j_k_l_m_n_o"                                            },
    };
    json_t *taken = parse_quoted("{'taken': true}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(
            edit_name(form, taken, NULL, cases[i].prefix, cases[i].label, cases[i].type),
            cases[i].expected);
    cr_expect_str_eq(edit_name(form, taken, "g", "", "Taken", "text"), "taken");
    cr_expect_str_eq(edit_name(form, taken, "g", "", "XX", "text"), "xx");
}

Test(edit, every_problem_is_found_with_its_place)
{
    form =
        parse_quoted("{'title': {'en': 'T'}, 'sections': [{'fields': ["
                     "{'name': 'a', 'type': 'choice', 'label': {'en': 'A'}, 'choices': ["
                     "{'value': 'x', 'label': {'zh': 'x'}}]},"
                     "{'name': 'b', 'type': 'text', 'label': {'en': 'B', 'zh': 'B'},"
                     " 'min_length': 9, 'max_length': 3},"
                     "{'name': 'c', 'type': 'text', 'label': {'en': 'C', 'zh': 'C'},"
                     " 'show_if': {'field': 'z', 'equals': 'x'}},"
                     "{'name': 'g', 'type': 'group', 'label': {'en': 'G', 'zh': 'G'},"
                     " 'fields': [{'name': 'y', 'type': 'text', 'pattern': 'a{2}',"
                     " 'label': {'en': 'Y', 'zh': 'Y'}}]}]}, {'fields': []}]}");
    static const char *const expected[] = {"empty title.zh",
                                           "section_empty ",
                                           "empty a label.zh",
                                           "empty a choices[0].label.en",
                                           "least_most b ",
                                           "show_if c ",
                                           "pattern_braces g.y pattern"};
    json_t *problem, *problems = form_problems(form);
    size_t i;
    cr_assert_eq(json_array_size(problems), sizeof expected / sizeof *expected, "%s",
                 json_dumps(problems, 0));
    json_array_foreach(problems, i, problem)
    {
        const char *group = json_string_value(json_object_get(problem, "group"));
        const char *name = json_string_value(json_object_get(problem, "name"));
        cr_expect_str_eq(arena_print(arena, "%s %s%s%s%s%s",
                                     json_string_value(json_object_get(problem, "code")),
                                     group != NULL ? group : "", group != NULL ? "." : "",
                                     name != NULL ? name : "", name != NULL ? " " : "",
                                     json_string_value(json_object_get(problem, "rest"))),
                         expected[i]);
    }
}

static void expect_drawable(const char *text)
{
    char problem[400];
    const struct form *made;
    json_t *drawable = edit_drawable(parse_quoted(text));
    cr_assert_not_null(drawable, "%s", text);
    cr_expect_eq(form_load(&made, arena, "x", "x", drawable, problem, sizeof problem), OK,
                 "%s", problem);
    form_free(made);
}

Test(edit, whatever_a_draft_lacks_the_rest_can_be_drawn)
{
    static const char *const fields[] = {
        "{'name': 'x', 'type': 'text'}",
        "{'name': 'x', 'type': 'choice'}",
        "{'name': 'x', 'type': 'group', 'fields': []}",
        "{'name': 'x', 'type': 'text', 'pattern': '('}",
        "{'name': 'x', 'type': 'text', 'min_length': 9, 'max_length': 3}",
        "{'name': 'x', 'type': 'text', 'show_if': {'field': 'y', 'in': []}}",
        "{'name': 'x', 'type': 'none'}",
        "{'name': 'x', 'type': 'text', 'label': 7}",
        "{'type': 'text'}",
        "7",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        expect_drawable(arena_print(
            arena, "{'sections': [{'fields': [%s, {'name': 'ok', 'type': 'date'}]}]}",
            fields[i]));
    cr_expect_null(edit_drawable(parse_quoted("{}")));
    cr_expect_null(edit_drawable(parse_quoted("{'sections': [{'fields': []}]}")));
    cr_expect_null(edit_drawable(parse_quoted("[]")));
}

static const char *dumped(json_t *value)
{
    return json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
}

Test(question, what_is_read_back_unchanged_is_the_same_field)
{
    static const struct {
        const char *type, *field;
    } cases[] = {
        {"text",   "{'name': 'x', 'type': 'text', 'label': {'en': 'X', 'zh': '甲'},"
                 " 'hint': {'en': 'H', 'zh': 'H'}, 'required': true, 'max_length': 60,"
                 " 'pattern': '[a-z]+', 'lang': 'en', 'autocomplete': 'off'}"       },
        {"choice",
         "{'name': 'x', 'type': 'choice', 'label': {'en': 'X', 'zh': 'X'},"
         " 'choices': [{'value': 'a', 'label': {'en': 'A, b', 'zh': '甲'},"
         " 'also': ['aa']}, {'value': 'b', 'label': {'en': 'B', 'zh': '乙'}}]}"                    },
        {"group",  "{'name': 'x', 'type': 'group', 'label': {'en': 'X', 'zh': 'X'},"
                  " 'min': 1, 'max': 5, 'fields': [{'name': 'y', 'type': 'text'}]}"},
        {"email",  "{'name': 'x', 'type': 'email', 'label': {'en': 'X', 'zh': 'X'},"
                  " 'visibility': {'default': 'members',"
                  " 'choices': ['public', 'members', 'admins']}}"                  },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *field = parse_quoted(cases[i].field);
        json_t *again =
            question_field(field, cases[i].type, question_values(field), NULL, false);
        cr_expect_str_eq(dumped(again), dumped(field));
    }
}

Test(question, of_another_type_drops_what_that_has_not)
{
    json_t *field =
        parse_quoted("{'name': 'x', 'type': 'choice', 'label': {'en': 'X', 'zh': 'X'},"
                     " 'default': 'a', 'choices': [{'value': 'a', 'label': {}}]}");
    json_t *values = question_values(field);
    json_object_set_new(values, "min", json_integer(3));
    json_t *made = question_field(field, "integer", values, NULL, false);
    cr_expect_str_eq(dumped(made), "{\"label\":{\"en\":\"X\",\"zh\":\"X\"},\"min\":3,"
                                   "\"name\":\"x\",\"type\":\"integer\"}");
}

Test(question, choices_get_values_that_nobody_had)
{
    json_t *values = parse_quoted(
        "{'label_en': 'X', 'choices': [{'value': 'keep', 'label_en': 'Other'},"
        "{'value': null, 'label_en': 'Rice, boiled'}, {'value': null,"
        " 'label_en': 'Rice boiled'}, {'value': null, 'label_zh': '面'},"
        "{'value': 'keep', 'label_en': 'Twice'}, {'value': null, 'label_en': 'Old'}]}");
    json_t *made =
        question_field(NULL, "choice", values, parse_quoted("{'old': true}"), false);
    static const char *const expected[] = {"keep", "rice_boiled", "rice_boiled_2",
                                           "c1",   "twice",       "old_2"};
    json_t *choices = json_object_get(made, "choices");
    cr_assert_eq(json_array_size(choices), 6);
    for (size_t i = 0; i < 6; i++)
        cr_expect_str_eq(
            json_string_value(json_object_get(json_array_get(choices, i), "value")),
            expected[i]);
}

Test(question, of_the_profile_changes_its_words_alone)
{
    json_t *field =
        parse_quoted("{'name': 'phone', 'type': 'phone', 'label': {'en': 'P', 'zh': 'P'},"
                     " 'visibility': {'default': 'members', 'choices': ['members']}}");
    json_t *values =
        parse_quoted("{'label_en': 'Mobile', 'label_zh': '手机', 'required': true,"
                     " 'max_length': 3, 'seen_by': 'public'}");
    json_t *made = question_field(field, "phone", values, NULL, true);
    cr_expect_str_eq(
        dumped(made),
        dumped(parse_quoted("{'name': 'phone', 'type': 'phone',"
                            " 'label': {'en': 'Mobile', 'zh': '手机'},"
                            " 'required': true, 'visibility': {'default': 'members',"
                            " 'choices': ['members']}}")));
}

Test(question, is_shown_by_one_value_or_several)
{
    json_t *field = parse_quoted("{'name': 'x'}");
    question_show_if(field, "a", parse_quoted("['p']"));
    cr_expect_str_eq(dumped(json_object_get(field, "show_if")),
                     "{\"equals\":\"p\",\"field\":\"a\"}");
    question_show_if(field, "a", parse_quoted("['p', 'q']"));
    cr_expect_str_eq(dumped(json_object_get(field, "show_if")),
                     "{\"field\":\"a\",\"in\":[\"p\",\"q\"]}");
    question_show_if(field, "a", parse_quoted("[]"));
    cr_expect_null(json_object_get(field, "show_if"));
}
