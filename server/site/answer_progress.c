/* How far an answer is: the state of each section, what comes next, the percentage. */
#include "db/store/change.h"
#include "server/base/document.h"
#include "server/form/section.h"
#include "server/site/answering.h"
#include "server/site/tags.h"

#include <string.h>

static const struct field *field_at(const struct answering *a, size_t index)
{
    const struct field *one = &a->form->fields[index];
    return form_asks(one, a->read.document != NULL ? a->read.document : a->document,
                     FOR_MEMBER)
               ? one
               : NULL;
}

static bool is_asked(const struct answering *a, const char *name)
{
    json_t *asked = json_object_get(a->state, "asked"), *one;
    size_t index;
    if (!json_is_array(asked))
        return true;
    json_array_foreach(asked, index, one)
    {
        if (json_is_string(one) && strcmp(json_string_value(one), name) == 0)
            return true;
    }
    return false;
}

bool answering_has_section(const struct answering *a, size_t index)
{
    const struct section *section = &a->form->sections[index];
    for (size_t i = section->first; i < section->first + section->count; i++)
        if (field_at(a, i) != NULL)
            return true;
    return false;
}

bool answering_asks(const struct answering *a, size_t index)
{
    const struct section *section = &a->form->sections[index];
    for (size_t i = section->first; i < section->first + section->count; i++)
        if (field_at(a, i) != NULL && is_asked(a, a->form->fields[i].name))
            return true;
    return false;
}

int answering_next(const struct answering *a, int index)
{
    for (size_t i = (size_t)index + 1; i < a->form->section_count; i++)
        if (answering_asks(a, i))
            return (int)i;
    return -1;
}

/* Is the section's number in that list of the state? */
static bool listed(const struct answering *a, const char *list, size_t index)
{
    json_t *number;
    size_t i;
    json_array_foreach(json_object_get(a->state, list), i, number)
    {
        if (json_integer_value(number) == (json_int_t)index)
            return true;
    }
    return false;
}

static bool saved_section(const struct answering *a, size_t index)
{
    return listed(a, "saved", index);
}

/* Has the reviewer said something about it, and is it still as it was sent in? */
static bool remarked(const struct answering *a, size_t index)
{
    const char *name;
    json_t *text;
    if (!answering_in(a, "returned") || listed(a, "corrected", index))
        return false;
    json_object_foreach(json_object_get(a->state, "comments"), name, text)
    {
        if (form_section_of(a->form, name) == (int)index)
            return true;
    }
    return false;
}

/* The section's errors: labels of what lacks, and whether anything is wrong besides. */
static bool section_errors(json_t *missing, const struct answering *a, size_t index,
                           enum language language)
{
    bool wrong = false;
    json_t *error;
    size_t i;
    json_array_foreach(a->read.errors, i, error)
    {
        const char *path = text_at(error, "field", "");
        const char *code = text_at(error, "code", "");
        if (form_section_of(a->form, path) != (int)index)
            continue;
        const struct field *about =
            field_named(a->form->fields, a->form->field_count,
                        arena_copy(arena_current(), path, strcspn(path, ".")));
        if (strcmp(code, "required") != 0 && strcmp(code, "one_of") != 0)
            wrong = true;
        else if (about != NULL && about->label.text[language] != NULL)
            json_array_append_new(missing, json_string(about->label.text[language]));
    }
    return wrong;
}

/* Does the draft say something here that was not there before? */
static bool touched(const struct answering *a, size_t index)
{
    const struct section *section = &a->form->sections[index];
    if (a->start == NULL || a->document == a->start)
        return false;
    for (size_t i = section->first; i < section->first + section->count; i++) {
        const char *name = a->form->fields[i].name;
        if (!change_same(json_object_get(a->document, name),
                         json_object_get(a->start, name)))
            return true;
    }
    return false;
}

static const char *section_state(const struct answering *a, size_t index, bool wrong,
                                 bool lacks)
{
    bool again = json_is_array(json_object_get(a->state, "asked"));
    bool settled = answering_waiting(a) ||
                   (strcmp(text_at(a->state, "state", ""), "approved") == 0 &&
                    !json_is_object(json_object_get(a->state, "draft")));
    bool saved = saved_section(a, index);
    bool begun = saved || touched(a, index);
    if (settled || (again && !answering_asks(a, index)))
        return wrong || lacks ? "attention" : "done";
    if ((begun && wrong) || remarked(a, index))
        return "attention";
    if (saved)
        return lacks ? "doing" : "done";
    if (begun)
        return "doing";
    return again ? "new" : "todo";
}

json_t *answering_sections(const struct answering *a, enum language language)
{
    json_t *sections = json_array();
    for (size_t i = 0; i < a->form->section_count; i++) {
        if (!answering_has_section(a, i))
            continue;
        json_t *missing = json_array();
        bool wrong = section_errors(missing, a, i, language);
        const char *state = section_state(a, i, wrong, json_array_size(missing) > 0);
        const char *title = a->form->sections[i].title.text[language];
        json_array_append_new(
            sections,
            json_pack("{s:i, s:s?, s:s, s:s, s:b, s:b, s:o}", "number", (int)i + 1,
                      "title", title, "state", state, "state_class",
                      tag_class("section", state), "asked", answering_asks(a, i), "told",
                      json_array_size(missing) > 0 && strcmp(state, "todo") != 0,
                      "missing", missing));
    }
    return sections;
}

static bool has_error(const struct answering *a, const char *name)
{
    size_t i, length = strlen(name);
    json_t *error;
    json_array_foreach(a->read.errors, i, error)
    {
        const char *path = text_at(error, "field", "");
        if (strncmp(path, name, length) == 0 &&
            (path[length] == '\0' || path[length] == '.'))
            return true;
    }
    return false;
}

int answering_complete(const struct answering *a, int saved)
{
    int all = 0, settled = 0;
    for (size_t i = 0; i < a->form->section_count; i++) {
        const struct section *section = &a->form->sections[i];
        bool gone_through = (int)i == saved || saved_section(a, i);
        for (size_t j = section->first; j < section->first + section->count; j++) {
            const struct field *one = field_at(a, j);
            if (one == NULL || !is_asked(a, one->name))
                continue;
            all++;
            settled += gone_through && !has_error(a, one->name);
        }
    }
    return all > 0 ? 100 * settled / all : 100;
}
