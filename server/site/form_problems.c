/* form_problems() says codes and where; here they get their words and links. */
#include "server/site/form_problems.h"

#include "server/base/document.h"
#include "server/form/definition.h"
#include "server/site/site.h"
#include "server/view/view.h"

#include <stdio.h>
#include <string.h>

/* "label.en" is missing: "label_en". */
static const char *word_of(struct arena *arena, const json_t *problem)
{
    const char *code = text_at(problem, "code", ""), *rest = text_at(problem, "rest", "");
    const char *word = code;
    if (strcmp(code, "empty") == 0) {
        const char *language = strrchr(rest, '.');
        bool choice = strncmp(rest, "choices[", 8) == 0;
        word = arena_print(arena, "%.*s_%s", choice ? 6 : (int)strcspn(rest, ".["), rest,
                           language != NULL ? language + 1 : "");
        if (strncmp(rest, "show_if", 7) == 0)
            word = "show_if";
    }
    return view_has_message(site.view, arena_print(arena, "builder.problem.%s", word))
               ? word
               : "other";
}

/* What the field or section is called, in the page's language or the other. */
static const char *label_in(json_t *words, enum language language)
{
    const char *own = filled_of(words, language_codes[language]);
    return own != NULL ? own : filled_of(words, language_codes[1 - language]);
}

static json_t *named(json_t *list, const char *name)
{
    json_t *one;
    size_t i;
    json_array_foreach(list, i, one)
    {
        if (strcmp(text_at(one, "name", ""), name) == 0)
            return one;
    }
    return NULL;
}

static void add_place(json_t *shown, const struct request *request, const char *base,
                      json_t *definition, const json_t *problem)
{
    struct arena *arena = request->arena;
    const char *name = text_of(problem, "name"), *group = text_of(problem, "group");
    json_t *number = json_object_get(problem, "section");
    json_t *section = json_is_integer(number)
                          ? json_array_get(json_object_get(definition, "sections"),
                                           (size_t)json_integer_value(number))
                          : NULL;
    json_t *words = json_object_get(section, "title");
    const char *path = NULL, *href = arena_print(arena, "%s/sections/head", base);
    if (section != NULL)
        href = arena_print(arena, "%s/sections/%lld", base, json_integer_value(number));
    if (name != NULL) {
        path = group != NULL ? arena_print(arena, "%s.%s", group, name) : name;
        href = arena_print(arena, "%s/questions/%s", base, path);
        json_t *list = json_object_get(section, "fields");
        if (group != NULL)
            list = json_object_get(named(list, group), "fields");
        words = json_object_get(named(list, name), "label");
    } else if (section != NULL && strcmp(text_at(problem, "rest", ""), "") == 0) {
        href = arena_print(arena, "%s#s-%lld", base, json_integer_value(number));
    }
    const char *label = label_in(words, request->language);
    json_object_set_new(shown, "href", json_string(href));
    json_object_set_new(shown, "name", path != NULL ? json_string(path) : json_null());
    json_object_set_new(shown, "label",
                        label != NULL  ? json_string(label)
                        : name != NULL ? json_string(name)
                                       : json_string(view_message(
                                             site.view, request->language,
                                             section != NULL ? "builder.section_untitled"
                                                             : "builder.head")));
}

json_t *form_problem_list(const struct request *request, const char *base,
                          json_t *definition)
{
    json_t *problem, *list = json_array(), *problems = form_problems(definition);
    size_t index;
    json_array_foreach(problems, index, problem)
    {
        int choice = -1;
        sscanf(text_at(problem, "rest", ""), "choices[%5d]", &choice);
        json_t *shown = json_pack(
            "{s:s, s:o, s:O, s:O}", "word", word_of(request->arena, problem), "number",
            json_integer(choice + 1), "detail", json_object_get(problem, "detail"),
            "section", json_object_get(problem, "section"));
        add_place(shown, request, base, definition, problem);
        json_array_append_new(list, shown);
    }
    return json_array_size(list) == 0
               ? json_null()
               : json_pack("{s:I, s:o}", "count", (json_int_t)json_array_size(list),
                           "list", list);
}
