/* The operations of the form builder as functions on the definition alone; see edit.h. */
#include "server/form/edit.h"

#include "server/base/buf.h"
#include "server/base/document.h"

#include <stdio.h>
#include <string.h>

static json_t *sections_of(json_t *definition)
{
    json_t *sections = json_object_get(definition, "sections");
    if (json_is_array(sections))
        return sections;
    sections = json_array();
    json_object_set(definition, "sections", sections);
    return sections;
}

/* The list of fields of a section or group; made when it is not there. */
static json_t *fields_of(json_t *holder)
{
    json_t *fields = json_object_get(holder, "fields");
    if (json_is_array(fields) || !json_is_object(holder))
        return fields;
    fields = json_array();
    json_object_set(holder, "fields", fields);
    return fields;
}

static bool find_in(struct edit_place *place, json_t *list, const char *name)
{
    json_t *field;
    size_t index;
    json_array_foreach(list, index, field)
    {
        if (strcmp(text_at(field, "name", ""), name) == 0) {
            place->field = field;
            place->list = list;
            place->index = index;
            return true;
        }
    }
    return false;
}

bool edit_find(struct edit_place *place, json_t *definition, const char *path)
{
    json_t *section;
    size_t number, length = strcspn(path, ".");
    const char *name = arena_copy(arena_current(), path, length);
    *place = (struct edit_place){0};
    json_array_foreach(json_object_get(definition, "sections"), number, section)
    {
        if (!find_in(place, json_object_get(section, "fields"), name))
            continue;
        place->section = number;
        if (path[length] == '\0')
            return true;
        place->group = name;
        return find_in(place, json_object_get(place->field, "fields"), path + length + 1);
    }
    return false;
}

static bool shift(json_t *list, size_t index, int by)
{
    size_t count = json_array_size(list);
    if (index >= count || (by < 0 ? index == 0 : index + 1 >= count))
        return false;
    json_t *item = json_incref(json_array_get(list, index));
    json_array_remove(list, index);
    return json_array_insert(list, by < 0 ? index - 1 : index + 1, item) == 0;
}

bool edit_move(json_t *definition, const char *path, int by)
{
    struct edit_place place;
    return edit_find(&place, definition, path) && shift(place.list, place.index, by);
}

bool edit_place(json_t *definition, const char *path, size_t section, size_t position)
{
    struct edit_place place;
    json_t *target = json_array_get(json_object_get(definition, "sections"), section);
    if (!json_is_object(target) || !edit_find(&place, definition, path) ||
        place.group != NULL)
        return false;
    json_t *list = fields_of(target);
    json_incref(place.field);
    json_array_remove(place.list, place.index);
    size_t count = json_array_size(list);
    return json_array_insert(list, position < count ? position : count, place.field) == 0;
}

static bool name_free(json_t *definition, json_t *taken, const char *group,
                      const char *name)
{
    struct edit_place place;
    if (group != NULL)
        return !edit_find(&place, definition,
                          arena_print(arena_current(), "%s.%s", group, name));
    return !form_reserved(name) && strcmp(name, "visibility") != 0 &&
           json_object_get(taken, name) == NULL && !edit_find(&place, definition, name);
}

static const char *free_name(json_t *definition, json_t *taken, const char *group,
                             const char *base)
{
    const char *name = base;
    for (int number = 2; !name_free(definition, taken, group, name); number++)
        name = arena_print(arena_current(), "%s_%d", base, number);
    return name;
}

/* "phone_2" is a copy already: its own copy is "phone_3". */
static const char *without_number(const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9')
        length--;
    bool numbered = length > 1 && name[length] != '\0' && name[length - 1] == '_';
    return numbered ? arena_copy(arena_current(), name, length - 1) : name;
}

bool edit_copy(const char **made, json_t *definition, const char *path, json_t *taken)
{
    struct edit_place place;
    if (!edit_find(&place, definition, path))
        return false;
    json_t *copy = json_deep_copy(place.field);
    const char *name = free_name(definition, taken, place.group,
                                 without_number(text_at(place.field, "name", "field")));
    json_object_set_new(copy, "name", json_string(name));
    json_t *visibility = json_object_get(copy, "visibility");
    json_object_del(visibility, "name"); /* that of the original is shared with it */
    *made = place.group != NULL ? arena_print(arena_current(), "%s.%s", place.group, name)
                                : name;
    return json_array_insert(place.list, place.index + 1, copy) == 0;
}

/* Takes `name` out of the lists of which one must be filled in; those left empty go. */
static void drop_rule(json_t *definition, const char *name)
{
    json_t *rules = json_object_get(definition, "require_one_of");
    for (size_t i = json_array_size(rules); i-- > 0;) {
        json_t *names = json_array_get(rules, i);
        for (size_t j = json_array_size(names); j-- > 0;) {
            const char *one = json_string_value(json_array_get(names, j));
            if (one != NULL && strcmp(one, name) == 0)
                json_array_remove(names, j);
        }
        if (json_array_size(names) == 0)
            json_array_remove(rules, i);
    }
}

bool edit_remove(json_t *definition, const char *path)
{
    struct edit_place place;
    if (!edit_find(&place, definition, path))
        return false;
    if (place.group == NULL)
        drop_rule(definition, text_at(place.field, "name", ""));
    return json_array_remove(place.list, place.index) == 0;
}

static bool holds_text(json_t *list, const char *text)
{
    json_t *one;
    size_t i;
    json_array_foreach(list, i, one)
    {
        if (json_is_string(one) && strcmp(json_string_value(one), text) == 0)
            return true;
    }
    return false;
}

/* The rule of `before` that names the field, with what of it is still there. */
static void restore_rule(json_t *definition, json_t *before, const char *name)
{
    json_t *rule, *names, *one;
    size_t i, j;
    json_array_foreach(json_object_get(before, "require_one_of"), i, rule)
    {
        if (!holds_text(rule, name))
            continue;
        json_t *rules = json_object_get(definition, "require_one_of");
        json_array_foreach(rules, j, names)
        {
            json_t *first = json_array_get(names, 0);
            if (json_is_string(first) && holds_text(rule, json_string_value(first))) {
                json_array_append_new(names, json_string(name));
                return;
            }
        }
        one = json_pack("[s]", name);
        if (json_is_array(rules))
            json_array_append_new(rules, one);
        else
            json_object_set_new(definition, "require_one_of", json_pack("[o]", one));
        return;
    }
}

/* Where a field of `before` belongs now: behind the nearest field before it that is still
 * there; else first in a section of its number. */
static void find_home(json_t **list, size_t *index, json_t *definition,
                      const struct edit_place *was)
{
    struct edit_place near;
    json_t *sections = sections_of(definition);
    for (size_t i = was->index; i-- > 0;) {
        const char *name = text_at(json_array_get(was->list, i), "name", "");
        if (was->group != NULL)
            name = arena_print(arena_current(), "%s.%s", was->group, name);
        if (edit_find(&near, definition, name)) {
            *list = near.list;
            *index = near.index + 1;
            return;
        }
    }
    if (was->group != NULL) {
        *list = edit_find(&near, definition, was->group) ? fields_of(near.field) : NULL;
        *index = 0;
        return;
    }
    size_t count = json_array_size(sections);
    if (count == 0)
        json_array_append_new(sections, json_pack("{s:[]}", "fields"));
    bool there = was->section < count;
    *list = fields_of(json_array_get(sections, there       ? was->section
                                               : count > 0 ? count - 1
                                                           : 0));
    *index = there ? 0 : json_array_size(*list);
}

bool edit_restore(json_t *definition, json_t *before, const char *path)
{
    struct edit_place was, now;
    json_t *list;
    size_t index;
    if (!edit_find(&was, before, path) || edit_find(&now, definition, path))
        return false;
    find_home(&list, &index, definition, &was);
    if (!json_is_array(list))
        return false;
    if (was.group == NULL)
        restore_rule(definition, before, path);
    return json_array_insert_new(list, index, json_deep_copy(was.field)) == 0;
}

static void follow_name(json_t *object, const char *key, const char *from, const char *to)
{
    if (strcmp(text_at(object, key, ""), from) == 0)
        json_object_set_new(object, key, json_string(to));
}

/* Everything that names the field `from`, beside it or in the rules, names it `to`. */
static void rename_field(json_t *definition, const struct edit_place *place,
                         const char *from, const char *to)
{
    json_t *section, *field, *names, *name;
    size_t i, j;
    json_array_foreach(json_object_get(definition, "sections"), i, section)
    {
        json_t *list =
            place->group != NULL ? place->list : json_object_get(section, "fields");
        json_array_foreach(list, j, field)
        {
            follow_name(json_object_get(field, "show_if"), "field", from, to);
            follow_name(field, "not_before", from, to);
            follow_name(field, "identifier_of", from, to);
        }
    }
    if (place->group != NULL)
        return;
    json_array_foreach(json_object_get(definition, "require_one_of"), i, names)
    {
        json_array_foreach(names, j, name)
        {
            if (json_is_string(name) && strcmp(json_string_value(name), from) == 0)
                json_array_set_new(names, j, json_string(to));
        }
    }
}

bool edit_set(json_t *definition, const char *path, json_t *field)
{
    struct edit_place place;
    if (!edit_find(&place, definition, path))
        return false;
    const char *from = text_at(place.field, "name", "");
    const char *to = text_at(field, "name", "");
    if (json_array_set(place.list, place.index, field) != 0)
        return false;
    if (strcmp(from, to) != 0)
        rename_field(definition, &place, from, to);
    return true;
}

bool edit_add(json_t *definition, size_t section, const char *group, json_t *field)
{
    struct edit_place place;
    json_t *holder = json_array_get(sections_of(definition), section);
    if (group != NULL)
        holder = edit_find(&place, definition, group) && place.group == NULL ? place.field
                                                                             : NULL;
    return json_is_object(holder) && json_array_append(fields_of(holder), field) == 0;
}

bool edit_add_section(json_t *definition, json_t *section)
{
    json_t *own = json_copy(section);
    (void)fields_of(own);
    return json_array_append(sections_of(definition), own) == 0;
}

bool edit_set_section(json_t *definition, size_t number, json_t *section)
{
    static const char *const keys[] = {"title", "hint"};
    json_t *there = json_array_get(sections_of(definition), number);
    if (!json_is_object(there))
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *words = json_object_get(section, keys[i]);
        if (words != NULL)
            json_object_set(there, keys[i], words);
        else
            json_object_del(there, keys[i]);
    }
    return true;
}

bool edit_move_section(json_t *definition, size_t number, int by)
{
    return shift(sections_of(definition), number, by);
}

bool edit_remove_section(json_t *definition, size_t number)
{
    json_t *sections = sections_of(definition);
    size_t count = json_array_size(sections);
    if (number >= count || count == 1)
        return false;
    json_t *fields = json_object_get(json_array_get(sections, number), "fields");
    json_t *other = json_array_get(sections, number > 0 ? number - 1 : 1), *field;
    size_t i;
    if (!json_is_object(other))
        return false;
    json_t *joined = number > 0 ? fields_of(other) : json_copy(fields);
    if (number > 0) {
        json_array_extend(joined, fields);
    } else {
        if (joined == NULL)
            joined = json_array();
        json_array_foreach(json_object_get(other, "fields"), i, field)
            json_array_append(joined, field);
        json_object_set(other, "fields", joined);
    }
    return json_array_remove(sections, number) == 0;
}

/* Letters and digits of `words` as a name, at most 30; "" where they give none. */
static const char *plain_name(const char *words)
{
    enum { LENGTH_MAX = 30 };
    struct buf out = buf_on(arena_current());
    for (const char *at = words; *at != '\0' && out.length < LENGTH_MAX; at++) {
        char c = *at >= 'A' && *at <= 'Z' ? (char)(*at + ('a' - 'A')) : *at;
        bool letter = c >= 'a' && c <= 'z';
        if (letter || (c >= '0' && c <= '9' && out.length > 0))
            buf_char(&out, c);
        else if (out.length > 0 && out.data[out.length - 1] != '_' &&
                 (unsigned char)c < 0x80)
            buf_char(&out, '_');
    }
    while (out.length > 0 && out.data[out.length - 1] == '_')
        out.data[--out.length] = '\0';
    return out.data;
}

const char *edit_name(json_t *definition, json_t *taken, const char *group,
                      const char *prefix, const char *label, const char *type)
{
    struct arena *arena = arena_current();
    const char *base = plain_name(label != NULL ? label : "");
    if (strlen(base) < 2)
        base = plain_name(type);
    if (strlen(base) == 0)
        base = "field";
    if (strncmp(base, prefix, strlen(prefix)) != 0)
        base = arena_print(arena, "%s%s", prefix, base);
    return free_name(definition, taken, group, base);
}

/* Both languages of the words at `key`, the missing one from the other or `otherwise`;
 * words without any are taken away. */
static void lend_words(json_t *object, const char *key, const char *otherwise)
{
    json_t *words = json_object_get(object, key);
    const char *en = filled_of(words, "en"), *zh = filled_of(words, "zh");
    if (en == NULL)
        en = zh != NULL ? zh : otherwise;
    if (zh == NULL)
        zh = en;
    if (en == NULL)
        json_object_del(object, key);
    else
        json_object_set_new(object, key, json_pack("{s:s, s:s}", "en", en, "zh", zh));
}

static void lend_to_fields(json_t *fields)
{
    json_t *field, *choice;
    size_t i, j;
    json_array_foreach(fields, i, field)
    {
        lend_words(field, "label", text_at(field, "name", "?"));
        lend_words(field, "hint", NULL);
        json_array_foreach(json_object_get(field, "choices"), j, choice)
            lend_words(choice, "label", text_at(choice, "value", "?"));
        lend_to_fields(json_object_get(field, "fields"));
    }
}

static void lend_to_all(json_t *definition)
{
    json_t *section;
    size_t i;
    lend_words(definition, "title", "?");
    lend_words(definition, "hint", NULL);
    json_array_foreach(json_object_get(definition, "sections"), i, section)
    {
        lend_words(section, "title", NULL);
        lend_words(section, "hint", NULL);
        lend_to_fields(json_object_get(section, "fields"));
    }
}

/* Sections without fields can't be drawn, nor rules about fields that are gone. */
static void drop_empty(json_t *definition)
{
    json_t *sections = sections_of(definition);
    json_object_del(definition, "require_one_of");
    for (size_t i = json_array_size(sections); i-- > 0;)
        if (json_array_size(json_object_get(json_array_get(sections, i), "fields")) == 0)
            json_array_remove(sections, i);
}

/* Takes away what a problem is about: the attribute, or the field where it needs that. */
static bool drop_problem(json_t *definition, json_t *problem)
{
    size_t at[3] = {0};
    int depth =
        sscanf(text_at(problem, "path", ""), "sections[%5zu].fields[%5zu].fields[%5zu]",
               &at[0], &at[1], &at[2]);
    json_t *list = json_object_get(definition, "sections");
    for (int i = 1; i < depth; i++)
        list = json_object_get(json_array_get(list, at[i - 1]), "fields");
    if (depth < 2)
        return false;
    const char *rest = text_at(problem, "rest", "");
    const char *key = arena_copy(arena_current(), rest, strcspn(rest, ".["));
    if (strcmp(text_at(problem, "code", ""), "show_if") == 0)
        key = "show_if";
    bool needed = *key == '\0' || strcmp(key, "choices") == 0 ||
                  strcmp(key, "fields") == 0 || strcmp(key, "type") == 0;
    json_t *field = json_array_get(list, at[depth - 1]);
    if (!needed && json_object_del(field, key) == 0)
        return true;
    return json_array_remove(list, at[depth - 1]) == 0;
}

json_t *edit_drawable(json_t *definition)
{
    enum { ROUNDS_MAX = 300 };
    json_t *copy = json_deep_copy(definition);
    if (!json_is_object(copy))
        return NULL;
    lend_to_all(copy);
    for (int i = 0; i < ROUNDS_MAX; i++) {
        drop_empty(copy);
        json_t *problems = form_problems(copy);
        if (json_array_size(problems) == 0)
            return copy;
        if (!drop_problem(copy, json_array_get(problems, 0)))
            return NULL;
    }
    return NULL;
}
