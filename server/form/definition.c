/* Reading form definitions, the frame: sections, rules, and the shapes that attributes
 * are made of. field.c reads a field. */
#include "server/form/loader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 40 };

const struct field *field_named(const struct field *fields, size_t count,
                                const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

bool form_reserved(const char *name)
{
    static const char *const reserved[] = {"csrf",   "version", "change",
                                           "action", "next",    "redraws"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (strcmp(name, reserved[i]) == 0)
            return true;
    return false;
}

enum result loader_refuse(struct loader *loader, const char *code, const char *path,
                          const char *format, ...)
{
    char reason[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (loader->problems != NULL)
        json_array_append_new(
            loader->problems,
            json_pack("{s:s, s:s, s:s}", "code", code, "path", path, "detail", reason));
    else
        snprintf(loader->problem, loader->problem_size, "%s: %s: %s", loader->where, path,
                 reason);
    return INVALID;
}

enum result loader_go_on(const struct loader *loader, enum result result)
{
    return result == INVALID && loader->problems != NULL ? OK : result;
}

/* Only these keys may stand in the object at `path`. */
enum result loader_keys(struct loader *loader, const char *path, json_t *object,
                        const char *const *allowed)
{
    if (!json_is_object(object))
        return loader_refuse(loader, "shape", path, "this must be an object");
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (allowed[i] != NULL && strcmp(allowed[i], key) != 0)
            i++;
        if (allowed[i] == NULL)
            return loader_refuse(loader, "shape", path, "there is no attribute \"%s\"",
                                 key);
    }
    return OK;
}

enum result loader_text(struct loader *loader, const char *path, json_t *value,
                        const char **out)
{
    if (!json_is_string(value) || json_string_length(value) == 0)
        return loader_refuse(loader, "empty", path, "this must be a text");
    *out = arena_string(loader->arena, json_string_value(value));
    return OK;
}

enum result loader_words(struct loader *loader, const char *path, json_t *value,
                         struct words *out)
{
    static const char *const keys[] = {"en", "zh", NULL};
    TRY(loader_keys(loader, path, value, keys));
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        const char *own = arena_print(loader->arena, "%s.%s", path, language_codes[i]);
        TRY(loader_go_on(loader, loader_text(loader, own,
                                             json_object_get(value, language_codes[i]),
                                             &out->text[i])));
    }
    return OK;
}

enum result loader_strings(struct loader *loader, const char *path, json_t *value,
                           struct strings *out)
{
    if (!json_is_array(value) || json_array_size(value) == 0)
        return loader_refuse(loader, "empty", path, "this must be a list of texts");
    out->count = json_array_size(value);
    out->items = ARENA_ARRAY(loader->arena, const char *, out->count);
    for (size_t i = 0; i < out->count; i++)
        TRY(loader_text(loader, arena_print(loader->arena, "%s[%zu]", path, i),
                        json_array_get(value, i), &out->items[i]));
    return OK;
}

bool loader_name_fits(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length <= NAME_MAX_LENGTH && name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static enum result load_section(struct loader *loader, const char *path, json_t *item,
                                struct section *section)
{
    static const char *const keys[] = {"title", "hint", "fields", NULL};
    section->count = json_array_size(json_object_get(item, "fields"));
    TRY(loader_keys(loader, path, item, keys));
    json_t *title = json_object_get(item, "title");
    if (title != NULL)
        TRY(loader_words(loader, arena_print(loader->arena, "%s.title", path), title,
                         &section->title));
    json_t *hint = json_object_get(item, "hint");
    if (hint != NULL)
        TRY(loader_words(loader, arena_print(loader->arena, "%s.hint", path), hint,
                         &section->hint));
    return section->count > 0
               ? OK
               : loader_refuse(loader, "section_empty", path, "fields are missing");
}

/* The label of the first field whose visibility `name` is. */
static const struct words *label_seen(const struct form *form, const char *name)
{
    static const struct words nothing = {{NULL}};
    for (size_t i = 0; i < form->field_count; i++)
        if (form->fields[i].visibility != NULL &&
            strcmp(form->fields[i].visibility, name) == 0)
            return &form->fields[i].label;
    return &nothing;
}

/* Sections first, which says how many fields there are; then the fields as one array. */
static enum result load_sections(struct loader *loader, json_t *list, struct form *form)
{
    form->section_count = json_array_size(list);
    if (form->section_count == 0)
        return loader_refuse(loader, "no_sections", "sections",
                             "this must be a list of sections");
    form->sections = ARENA_ARRAY(loader->arena, struct section, form->section_count);
    size_t count = 0;
    for (size_t i = 0; i < form->section_count; i++) {
        const char *path = arena_print(loader->arena, "sections[%zu]", i);
        TRY(loader_go_on(loader, load_section(loader, path, json_array_get(list, i),
                                              &form->sections[i])));
        form->sections[i].first = count;
        count += form->sections[i].count;
    }
    form->fields = ARENA_ARRAY(loader->arena, struct field, count + 1);
    for (size_t i = 0; i < form->section_count; i++) {
        json_t *fields = json_object_get(json_array_get(list, i), "fields");
        TRY(loader_fields(loader, arena_print(loader->arena, "sections[%zu].fields", i),
                          fields, form->fields, form->field_count,
                          form->sections[i].count));
        form->field_count += form->sections[i].count;
    }
    if (loader->visibility_count == 0)
        return OK;
    struct field *record = &form->fields[form->field_count++];
    *record = (struct field){.name = "visibility", .type = FIELD_RECORD};
    record->field_count = loader->visibility_count;
    record->fields = ARENA_ARRAY(loader->arena, struct field, record->field_count);
    memcpy(record->fields, loader->visibility,
           record->field_count * sizeof(struct field));
    for (size_t i = 0; i < record->field_count; i++)
        record->fields[i].label = *label_seen(form, record->fields[i].name);
    return OK;
}

static enum result load_one_of(struct loader *loader, json_t *list, struct form *form)
{
    form->require_one_of_count = json_array_size(list);
    form->require_one_of =
        ARENA_ARRAY(loader->arena, struct strings, form->require_one_of_count);
    for (size_t i = 0; i < form->require_one_of_count; i++) {
        const char *path = arena_print(loader->arena, "require_one_of[%zu]", i);
        struct strings *names = &form->require_one_of[i];
        TRY(loader_strings(loader, path, json_array_get(list, i), names));
        for (size_t j = 0; j < names->count; j++)
            if (field_named(form->fields, form->field_count, names->items[j]) == NULL)
                TRY(loader_go_on(loader, loader_refuse(loader, "one_of", path,
                                                       "there is no field \"%s\"",
                                                       names->items[j])));
    }
    return OK;
}

static enum result load(struct loader *loader, struct form *form, json_t *definition)
{
    static const char *const keys[] = {"title", "hint", "require_one_of", "sections",
                                       NULL};
    TRY(loader_keys(loader, "the definition", definition, keys));
    TRY(loader_go_on(loader,
                     loader_words(loader, "title", json_object_get(definition, "title"),
                                  &form->title)));
    json_t *hint = json_object_get(definition, "hint");
    if (hint != NULL)
        TRY(loader_go_on(loader, loader_words(loader, "hint", hint, &form->hint)));
    TRY(load_sections(loader, json_object_get(definition, "sections"), form));
    return load_one_of(loader, json_object_get(definition, "require_one_of"), form);
}

enum result form_load(const struct form **out, struct arena *arena, const char *name,
                      const char *where, json_t *definition, char *problem,
                      size_t problem_size)
{
    struct loader loader = {
        .arena = arena, .where = where, .problem = problem, .problem_size = problem_size};
    struct form *form = ARENA_NEW(arena, struct form);
    form->name = arena_string(arena, name);
    *out = form; /* also when refused: its patterns are to be freed */
    return load(&loader, form, definition);
}

/* "sections[0].fields[2].label.en": where it is, and what is not there as it should be.
 */
static void locate(json_t *problem, json_t *definition)
{
    const char *path = json_string_value(json_object_get(problem, "path"));
    long at[3] = {-1, -1, -1};
    int end[3] = {0, 0, 0};
    sscanf(path, "sections[%9ld]%n.fields[%9ld]%n.fields[%9ld]%n", &at[0], &end[0],
           &at[1], &end[1], &at[2], &end[2]);
    json_t *item = NULL, *list = json_object_get(definition, "sections"), *group = NULL;
    const char *rest = path;
    for (int i = 0; i < 3 && at[i] >= 0; i++) {
        if (i == 2)
            group = item;
        item = json_array_get(list, (size_t)at[i]);
        list = json_object_get(item, "fields");
        rest = path + end[i] + (path[end[i]] == '.');
    }
    json_t *name = at[1] >= 0 ? json_object_get(item, "name") : NULL;
    json_object_set_new(problem, "section",
                        at[0] >= 0 ? json_integer(at[0]) : json_null());
    json_object_set(problem, "name", json_is_string(name) ? name : json_null());
    json_t *within = json_object_get(group, "name");
    json_object_set(problem, "group", json_is_string(within) ? within : json_null());
    json_object_set_new(problem, "rest", json_string(rest));
}

json_t *form_problems(json_t *definition)
{
    json_t *problems = json_array(), *problem;
    size_t index;
    struct loader loader = {.arena = arena_current(), .where = "", .problems = problems};
    struct form *form = ARENA_NEW(loader.arena, struct form);
    form->name = "";
    if (load(&loader, form, definition) != OK) {
        /* Among the problems, like all that it went on after. */
    }
    form_free(form);
    json_array_foreach(problems, index, problem) locate(problem, definition);
    return problems;
}

static void free_patterns(struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fields[i].pattern != NULL)
            regfree(&fields[i].matcher);
        if (fields[i].fields != NULL)
            free_patterns(fields[i].fields, fields[i].field_count);
    }
}

void form_free(const struct form *form)
{
    if (form != NULL)
        free_patterns(form->fields, form->field_count);
}
