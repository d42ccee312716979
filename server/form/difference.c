/* Two versions of a form. The changes are found in the definitions as written, where an
 * attribute is a key and equal is equal; what is asked again by reading the old answer
 * with the new form, which knows what is valid. */
#include "server/form/difference.h"

#include "server/base/document.h"
#include "server/form/submission.h"

#include <string.h>

enum { FIELDS_MAX = 1000 };

/* A field of a definition and the section it stands in. */
struct spot {
    json_t *field, *section;
    const char *name;
};

struct spots {
    struct spot *items;
    size_t count;
};

static struct spots all_spots(json_t *definition)
{
    struct arena *arena = arena_current();
    struct spots spots = {ARENA_ARRAY(arena, struct spot, FIELDS_MAX), 0};
    json_t *section, *field;
    size_t i, j;
    json_array_foreach(json_object_get(definition, "sections"), i, section)
    {
        json_array_foreach(json_object_get(section, "fields"), j, field)
        {
            if (spots.count < FIELDS_MAX)
                spots.items[spots.count++] =
                    (struct spot){field, section, text_at(field, "name", "")};
        }
    }
    return spots;
}

static const struct spot *spot_named(const struct spots *spots, const char *name)
{
    for (size_t i = 0; i < spots->count; i++)
        if (strcmp(spots->items[i].name, name) == 0)
            return &spots->items[i];
    return NULL;
}

static json_t *section_titled(json_t *definition, json_t *title)
{
    json_t *section;
    size_t i;
    json_array_foreach(json_object_get(definition, "sections"), i, section)
    {
        json_t *own = json_object_get(section, "title");
        if (own == title || (own != NULL && title != NULL && json_equal(own, title)))
            return section;
    }
    return NULL;
}

static json_t *word(json_t *words, const char *language)
{
    const char *text = filled_of(words, language);
    return text != NULL ? json_string(text) : json_null();
}

static json_t *change_of(const char *kind, bool section, json_t *item, json_t *what)
{
    json_t *words = json_object_get(item, section ? "title" : "label");
    return json_pack("{s:s, s:b, s:s?, s:s?, s:o, s:o, s:o}", "kind", kind, "section",
                     section, "name", text_of(item, "name"), "type",
                     text_of(item, "type"), "label_en", word(words, "en"), "label_zh",
                     word(words, "zh"), "what", what != NULL ? what : json_array());
}

static bool same(json_t *a, json_t *b)
{
    return a == b || (a != NULL && b != NULL && json_equal(a, b));
}

/* The keys whose values differ, those of `after` first. */
static json_t *altered_keys(json_t *before, json_t *after)
{
    json_t *keys = json_array(), *value;
    const char *key;
    json_object_foreach(after, key, value)
    {
        if (!same(value, json_object_get(before, key)))
            json_array_append_new(keys, json_string(key));
    }
    json_object_foreach(before, key, value)
    {
        if (json_object_get(after, key) == NULL)
            json_array_append_new(keys, json_string(key));
    }
    return keys;
}

/* Which of `after` have kept their order: the longest run of fields that rises in
 * `before`. What is not in it has moved. */
static bool *in_order(const struct spots *before, const struct spots *after)
{
    struct arena *arena = arena_current();
    size_t count = after->count, best = count;
    size_t *length = ARENA_ARRAY(arena, size_t, count + 1);
    size_t *previous = ARENA_ARRAY(arena, size_t, count + 1);
    const struct spot **old = ARENA_ARRAY(arena, const struct spot *, count + 1);
    bool *kept = ARENA_ARRAY(arena, bool, count + 1);
    for (size_t i = 0; i < count; i++) {
        old[i] = spot_named(before, after->items[i].name);
        previous[i] = count;
        if (old[i] == NULL)
            continue;
        length[i] = 1;
        for (size_t j = 0; j < i; j++)
            if (old[j] != NULL && old[j] < old[i] && length[j] >= length[i]) {
                length[i] = length[j] + 1;
                previous[i] = j;
            }
        if (best == count || length[i] > length[best])
            best = i;
    }
    for (size_t i = best; i < count; i = previous[i])
        kept[i] = true;
    return kept;
}

/* Into another section that was there before, and the old one is still there: a section
 * that was renamed moves nothing. */
static bool other_section(const struct spot *old, const struct spot *now, json_t *before,
                          json_t *after)
{
    json_t *from = json_object_get(old->section, "title");
    json_t *to = json_object_get(now->section, "title");
    return !same(from, to) &&
           (section_titled(after, from) != NULL || section_titled(before, to) != NULL);
}

static void field_changes(json_t *changes, json_t *before, json_t *after)
{
    struct spots old = all_spots(before), now = all_spots(after);
    bool *kept = in_order(&old, &now);
    for (size_t i = 0; i < now.count; i++) {
        const struct spot *spot = &now.items[i];
        const struct spot *was = spot_named(&old, spot->name);
        if (was == NULL) {
            json_array_append_new(changes, change_of("added", false, spot->field, NULL));
            continue;
        }
        bool moved = !kept[i] || other_section(was, spot, before, after);
        json_t *what = altered_keys(was->field, spot->field);
        bool altered = json_array_size(what) > 0;
        if (moved && altered)
            json_array_append_new(what, json_string("place"));
        if (moved || altered)
            json_array_append_new(changes, change_of(altered ? "altered" : "moved", false,
                                                     spot->field, what));
    }
    for (size_t i = 0; i < old.count; i++)
        if (spot_named(&now, old.items[i].name) == NULL)
            json_array_append_new(changes,
                                  change_of("removed", false, old.items[i].field, NULL));
}

/* A section has no name but its title: one at the same place whose old and new title both
 * stand nowhere else was renamed. */
static void section_changes(json_t *changes, json_t *before, json_t *after)
{
    json_t *old = json_object_get(before, "sections"), *section;
    json_t *now = json_object_get(after, "sections");
    size_t i;
    json_array_foreach(now, i, section)
    {
        json_t *title = json_object_get(section, "title");
        json_t *was = section_titled(before, title);
        json_t *there = json_array_get(old, i);
        if (was != NULL) {
            if (!same(json_object_get(was, "hint"), json_object_get(section, "hint")))
                json_array_append_new(changes, change_of("altered", true, section,
                                                         json_pack("[s]", "hint")));
            continue;
        }
        bool renamed = there != NULL &&
                       section_titled(after, json_object_get(there, "title")) == NULL;
        if (title == NULL && !renamed)
            continue; /* its fields say it all */
        json_array_append_new(changes,
                              change_of(renamed ? "altered" : "added", true, section,
                                        renamed ? json_pack("[s]", "title") : NULL));
    }
    json_array_foreach(old, i, section)
    {
        json_t *there = json_array_get(now, i);
        bool renamed = there != NULL &&
                       section_titled(before, json_object_get(there, "title")) == NULL;
        json_t *title = json_object_get(section, "title");
        if (title != NULL && section_titled(after, title) == NULL && !renamed)
            json_array_append_new(changes, change_of("removed", true, section, NULL));
    }
}

json_t *form_changes(json_t *before, json_t *after)
{
    json_t *changes = json_array();
    section_changes(changes, before, after);
    field_changes(changes, before, after);
    return changes;
}

/* What of a member's answer the new form still has a place for. Files are no part of a
 * document that is read: they stay as they are. */
static json_t *carried(const struct form *form, json_t *answer)
{
    json_t *document = json_object();
    for (size_t i = 0; i < form->field_count; i++) {
        const struct field *field = &form->fields[i];
        json_t *value = json_object_get(answer, field->name);
        if (value == NULL || field->admin || field->type == FIELD_FILE)
            continue;
        if (field->type != FIELD_RECORD) {
            json_object_set(document, field->name, value);
            continue;
        }
        json_t *record = json_object(), *inner;
        const char *key;
        json_object_foreach(value, key, inner)
        {
            if (field_named(field->fields, field->field_count, key) != NULL)
                json_object_set(record, key, inner);
        }
        json_object_set_new(document, field->name, record);
    }
    return document;
}

/* Inner fields of a group that its earlier version had not. */
static bool group_grew(const struct field *before, const struct field *after)
{
    for (size_t i = 0; i < after->field_count; i++) {
        const struct field *was =
            field_named(before->fields, before->field_count, after->fields[i].name);
        if (was == NULL || was->type != after->fields[i].type)
            return true;
    }
    return false;
}

static bool is_new(const struct form *before, const struct field *field, json_t *answer)
{
    const struct field *was =
        field_named(before->fields, before->field_count, field->name);
    if (was == NULL || was->type != field->type || was->admin || was->hidden)
        return true;
    if (!form_shows(was, answer) && form_shows(field, answer))
        return true;
    return field->type == FIELD_GROUP && group_grew(was, field) &&
           json_array_size(json_object_get(answer, field->name)) > 0;
}

/* The field that an error's path is about: that of "visibility.email" is the one whose
 * visibility it is. */
static const struct field *field_at(const struct form *form, const char *path)
{
    struct arena *arena = arena_current();
    size_t length = strcspn(path, ".");
    const struct field *field =
        field_named(form->fields, form->field_count, arena_copy(arena, path, length));
    if (field == NULL || field->type != FIELD_RECORD)
        return field;
    for (size_t i = 0; i < form->field_count; i++)
        if (form->fields[i].visibility != NULL && path[length] == '.' &&
            strcmp(form->fields[i].visibility, path + length + 1) == 0)
            return &form->fields[i];
    return NULL;
}

static void mark(bool *asked, const struct form *form, const char *path, json_t *answer)
{
    const struct field *field = path != NULL ? field_at(form, path) : NULL;
    if (field == NULL)
        return;
    json_t *file = json_object_get(answer, field->name);
    if (field->type == FIELD_FILE && file != NULL && !json_is_null(file))
        return;
    asked[field - form->fields] = true;
}

static void mark_invalid(bool *asked, const struct form *form, json_t *answer)
{
    struct submission submission;
    json_t *error, *name;
    size_t i, j;
    if (form_read_document(&submission, form, carried(form, answer), FOR_MEMBER, false) ==
        OK)
        return;
    json_array_foreach(submission.errors, i, error)
    {
        mark(asked, form, text_of(error, "field"), answer);
        bool any = strcmp(text_at(error, "code", ""), "one_of") == 0;
        json_array_foreach(any ? json_object_get(error, "other") : NULL, j, name)
            mark(asked, form, json_string_value(name), answer);
    }
}

enum result form_asked_again(json_t **names, const struct form *before,
                             const struct form *after, json_t *answer)
{
    *names = json_null();
    if (!json_is_object(answer))
        return OK;
    bool *asked = ARENA_ARRAY(arena_current(), bool, after->field_count + 1);
    mark_invalid(asked, after, answer);
    *names = json_array();
    for (size_t i = 0; i < after->field_count; i++) {
        const struct field *field = &after->fields[i];
        if (field->type == FIELD_RECORD || field->admin || field->hidden)
            continue;
        const struct field *ruler =
            field->show_field != NULL
                ? field_named(after->fields, after->field_count, field->show_field)
                : NULL;
        /* What the answer hides, and will hide, needs no asking. */
        bool open = ruler != NULL && asked[ruler - after->fields];
        if (is_new(before, field, answer) && (open || form_shows(field, answer)))
            asked[i] = true;
        if (asked[i])
            json_array_append_new(*names, json_string(field->name));
    }
    return OK;
}
