/* Reading one field of a definition: a table of attributes says what a field may have,
 * where it goes and for which types; what no table can say is checked once the field is
 * whole. */
#include "server/base/utf8.h"
#include "server/form/loader.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { PATTERN_MAX = 120, ROWS_MAX = 5000 };

#define BIT(type) (1U << (type))
#define LINES (BIT(FIELD_TEXTAREA) | BIT(FIELD_MARKDOWN))
#define TEXTS                                                                            \
    (LINES | BIT(FIELD_TEXT) | BIT(FIELD_PASSWORD) | BIT(FIELD_EMAIL) | BIT(FIELD_URL) | \
     BIT(FIELD_PHONE) | BIT(FIELD_ORCID) | BIT(FIELD_PERSON))
#define RANGES (BIT(FIELD_INTEGER) | BIT(FIELD_DECIMAL) | BIT(FIELD_GROUP))
#define CHOICES (BIT(FIELD_CHOICE) | BIT(FIELD_MULTICHOICE))
#define ANY (BIT(FIELD_TYPE_COUNT) - 1)

static const struct type_row {
    const char *name;
    size_t max_length; /* where the definition has none */
    json_int_t least, most;
} types[] = {
    [FIELD_TEXT] = {"text",        200,   0,             0               },
    [FIELD_TEXTAREA] = {"textarea",    4000,  0,             0               },
    [FIELD_MARKDOWN] = {"markdown",    16000, 0,             0               },
    [FIELD_PASSWORD] = {"password",    1024,  0,             0               },
    [FIELD_INTEGER] = {"integer",     0,     INT64_MIN,     INT64_MAX       },
    [FIELD_DECIMAL] = {"decimal",     0,     -999999999999, 999999999999    },
    [FIELD_DATE] = {"date",        0,     0,             0               },
    [FIELD_MONTH] = {"month",       0,     0,             0               },
    [FIELD_BOOLEAN] = {"boolean",     0,     0,             0               },
    [FIELD_CHOICE] = {"choice",      0,     0,             0               },
    [FIELD_MULTICHOICE] = {"multichoice", 0,     0,             0               },
    [FIELD_EMAIL] = {"email",       254,   0,             0               },
    [FIELD_URL] = {"url",         2000,  0,             0               },
    [FIELD_PHONE] = {"phone",       40,    0,             0               },
    [FIELD_ORCID] = {"orcid",       40,    0,             0               },
    [FIELD_PERSON] = {"person",      100,   0,             0               },
    [FIELD_FILE] = {"file",        0,     0,             10 * 1024 * 1024},
    [FIELD_PHOTO] = {"photo",       0,     0,             10 * 1024 * 1024},
    [FIELD_DOCUMENT] = {"document",    0,     0,             0               },
    [FIELD_GROUP] = {"group",       0,     0,             50              },
    [FIELD_RECORD] = {"record",      0,     0,             0               },
};

const char *field_type_name(enum field_type type)
{
    return types[type].name;
}

bool field_type_named(enum field_type *type, const char *name)
{
    for (size_t i = 0; i < FIELD_RECORD; i++)
        if (strcmp(types[i].name, name) == 0) {
            *type = (enum field_type)i;
            return true;
        }
    return false;
}

bool field_needed(const struct field *field)
{
    return field->required || (field->type == FIELD_GROUP && field->least > 0);
}

bool field_is_text(enum field_type type)
{
    return (TEXTS & BIT(type)) != 0;
}

/* NULL only where problems are gathered. */
static const char *folded(struct arena *arena, const char *text)
{
    return text != NULL ? utf8_fold(arena, text, strlen(text)) : "";
}

static struct strings choice_words(struct arena *arena, const struct choice *choice,
                                   const struct strings *also)
{
    struct strings words = {NULL, 1 + LANGUAGE_COUNT + also->count};
    words.items = ARENA_ARRAY(arena, const char *, words.count);
    words.items[0] = folded(arena, choice->value);
    for (size_t i = 0; i < LANGUAGE_COUNT; i++)
        words.items[1 + i] = folded(arena, choice->label.text[i]);
    for (size_t i = 0; i < also->count; i++)
        words.items[1 + LANGUAGE_COUNT + i] = folded(arena, also->items[i]);
    return words;
}

static enum result load_nothing(struct loader *loader, const char *path, json_t *value,
                                struct field *field)
{
    TRY(loader_strings(loader, path, value, &field->nothing));
    for (size_t i = 0; i < field->nothing.count; i++)
        field->nothing.items[i] = folded(loader->arena, field->nothing.items[i]);
    return OK;
}

static enum result load_choices(struct loader *loader, const char *path, json_t *value,
                                struct field *field)
{
    static const char *const keys[] = {"value", "label", "also", NULL};
    if (!json_is_array(value) || json_array_size(value) == 0)
        return loader_refuse(loader, "choices", path, "this must be a list of choices");
    field->choice_count = json_array_size(value);
    field->choices = ARENA_ARRAY(loader->arena, struct choice, field->choice_count);
    for (size_t i = 0; i < field->choice_count; i++) {
        const char *own = arena_print(loader->arena, "%s[%zu]", path, i);
        json_t *item = json_array_get(value, i);
        struct choice *choice = &field->choices[i];
        TRY(loader_keys(loader, own, item, keys));
        TRY(loader_text(loader, arena_print(loader->arena, "%s.value", own),
                        json_object_get(item, "value"), &choice->value));
        TRY(loader_words(loader, arena_print(loader->arena, "%s.label", own),
                         json_object_get(item, "label"), &choice->label));
        json_t *also = json_object_get(item, "also");
        struct strings others = {NULL, 0};
        if (also != NULL)
            TRY(loader_strings(loader, arena_print(loader->arena, "%s.also", own), also,
                               &others));
        choice->words = choice_words(loader->arena, choice, &others);
        for (size_t j = 0; j < i; j++)
            if (strcmp(field->choices[j].value, choice->value) == 0)
                return loader_refuse(loader, "choice_twice", own,
                                     "\"%s\" is a choice already", choice->value);
    }
    return OK;
}

static enum result load_show_if(struct loader *loader, const char *path, json_t *value,
                                struct field *field)
{
    static const char *const keys[] = {"field", "equals", "in", NULL};
    TRY(loader_keys(loader, path, value, keys));
    TRY(loader_text(loader, path, json_object_get(value, "field"), &field->show_field));
    json_t *equals = json_object_get(value, "equals");
    json_t *in = json_object_get(value, "in");
    if ((equals == NULL) == (in == NULL))
        return loader_refuse(loader, "show_if", path,
                             "one of \"equals\" and \"in\" is needed");
    if (in != NULL)
        return loader_strings(loader, path, in, &field->show_values);
    field->show_values.items = ARENA_ARRAY(loader->arena, const char *, 1);
    field->show_values.count = 1;
    if (json_is_boolean(equals)) {
        field->show_values.items[0] = json_is_true(equals) ? "true" : "false";
        return OK;
    }
    return loader_text(loader, path, equals, &field->show_values.items[0]);
}

static enum result load_rounding(struct loader *loader, const char *path, json_t *value,
                                 struct field *field)
{
    const char *word = json_string_value(value);
    if (word != NULL && strcmp(word, "start") == 0)
        field->round = ROUND_TO_START;
    else if (word != NULL && strcmp(word, "end") == 0)
        field->round = ROUND_TO_END;
    else
        return loader_refuse(loader, "shape", path, "\"start\" or \"end\"");
    return OK;
}

static enum result load_audience(struct loader *loader, const char *path, json_t *value,
                                 struct field *field)
{
    const char *word = json_string_value(value);
    if (word == NULL || (strcmp(word, "member") != 0 && strcmp(word, "admin") != 0))
        return loader_refuse(loader, "shape", path, "\"member\" or \"admin\"");
    field->admin = strcmp(word, "admin") == 0;
    return OK;
}

/* glibc writes out twice what a plus repeats: a repetition that is repeated doubles with
 * each, and two dozen of them fill the memory. */
enum { REPEATED_MOST = 6 };

static bool repeats_too_much(const char *pattern)
{
    int repeated = 0;
    for (const char *at = pattern; *at != '\0'; at++) {
        if (*at == '\\')
            at++; /* what it quotes is there: see below */
        else if (strchr(")+*?", *at) != NULL && at[1] == '+')
            repeated++;
    }
    return repeated > REPEATED_MOST;
}

static enum result load_pattern(struct loader *loader, const char *path, json_t *value,
                                struct field *field)
{
    const char *pattern = NULL;
    TRY(loader_text(loader, path, value, &pattern));
    if (strlen(pattern) > PATTERN_MAX)
        return loader_refuse(loader, "pattern_long", path, "longer than %d bytes",
                             PATTERN_MAX);
    /* Intervals and back references are what makes a POSIX matcher slow or large. */
    if (strpbrk(pattern, "{}") != NULL)
        return loader_refuse(loader, "pattern_braces", path,
                             "{} is not allowed; say max_length");
    for (const char *at = pattern; (at = strchr(at, '\\')) != NULL; at += 2)
        if (at[1] == '\0' || strchr("\\.[]()*+?|^$/-", at[1]) == NULL)
            return loader_refuse(loader, "pattern_escape", path,
                                 "only punctuation may follow a backslash");
    if (repeats_too_much(pattern))
        return loader_refuse(loader, "pattern_repeats", path,
                             "repeats more than %d repetitions or groups by +",
                             REPEATED_MOST);
    const char *anchored = arena_print(loader->arena, "^(%s)$", pattern);
    if (regcomp(&field->matcher, anchored, REG_EXTENDED | REG_NOSUB) != 0)
        return loader_refuse(loader, "pattern", path,
                             "not a regular expression (POSIX extended)");
    field->pattern = pattern; /* now there is something to free */
    return OK;
}

/* {"default": "members", "choices": ["public", "members", "admins"], "name":
 * "biography"}: becomes a choice in the record "visibility", whose words are in the
 * catalogs. */
static enum result load_visibility(struct loader *loader, const char *path, json_t *value,
                                   struct field *field)
{
    static const char *const keys[] = {"name", "default", "choices", NULL};
    static const char *const levels[] = {"public", "members", "advisor", "admins"};
    enum { LEVELS = sizeof levels / sizeof *levels };
    TRY(loader_keys(loader, path, value, keys));
    if (loader->in_group || loader->visibility_count == VISIBILITY_MAX)
        return loader_refuse(loader, "visibility_many", path,
                             "only for up to %d fields outside of groups",
                             VISIBILITY_MAX);
    struct field *own = &loader->visibility[loader->visibility_count++];
    *own = (struct field){.name = field->name, .type = FIELD_CHOICE};
    json_t *name = json_object_get(value, "name");
    if (name != NULL)
        TRY(loader_text(loader, path, name, &own->name));
    field->visibility = own->name;
    TRY(loader_text(loader, path, json_object_get(value, "default"), &own->fallback));
    struct strings values;
    TRY(loader_strings(loader, path, json_object_get(value, "choices"), &values));
    own->choice_count = values.count;
    own->choices = ARENA_ARRAY(loader->arena, struct choice, values.count);
    bool fallback_is_choice = false;
    for (size_t i = 0; i < values.count; i++) {
        own->choices[i].value = values.items[i];
        fallback_is_choice |= strcmp(values.items[i], own->fallback) == 0;
        size_t level = 0;
        while (level < LEVELS && strcmp(values.items[i], levels[level]) != 0)
            level++;
        if (level == LEVELS)
            return loader_refuse(loader, "shape", path,
                                 "choices are public, members, advisor and admins");
    }
    return loader_name_fits(own->name) && fallback_is_choice
               ? OK
               : loader_refuse(loader, "default", path,
                               "the default must be one of the choices");
}

static enum result load_group(struct loader *loader, const char *path, json_t *value,
                              struct field *field)
{
    if (loader->in_group)
        return loader_refuse(loader, "group_nested", path, "a group within a group");
    if (!json_is_array(value) || json_array_size(value) == 0)
        return loader_refuse(loader, "group_empty", path,
                             "this must be a list of fields");
    field->field_count = json_array_size(value);
    field->fields = ARENA_ARRAY(loader->arena, struct field, field->field_count);
    loader->in_group = true;
    enum result result =
        loader_fields(loader, path, value, field->fields, 0, field->field_count);
    loader->in_group = false;
    return result;
}

enum attribute_kind {
    AS_TEXT,
    AS_WORDS,
    AS_STRINGS,
    AS_FLAG,
    AS_COUNT,
    AS_NUMBER,
    AS_OWN
};

static const struct attribute {
    const char *name;
    enum attribute_kind kind;
    unsigned types;
    size_t offset;
    enum result (*load)(struct loader *loader, const char *path, json_t *value,
                        struct field *field);
} attributes[] = {
#define AT(member) offsetof(struct field, member)
    {"label",         AS_WORDS,   ANY,                                 AT(label),         NULL           },
    {"hint",          AS_WORDS,   ANY,                                 AT(hint),          NULL           },
    {"required",      AS_FLAG,    ANY,                                 AT(required),      NULL           },
    {"multiple",      AS_FLAG,    BIT(FIELD_FILE),                     AT(multiple),      NULL           },
    {"hidden",        AS_FLAG,    ANY,                                 AT(hidden),        NULL           },
    {"raw",           AS_FLAG,    LINES,                               AT(raw),           NULL           },
    {"min_length",    AS_COUNT,   TEXTS,                               AT(min_length),    NULL           },
    {"max_length",    AS_COUNT,   TEXTS,                               AT(max_length),    NULL           },
    {"min",           AS_NUMBER,  RANGES,                              AT(least),         NULL           },
    {"max",           AS_NUMBER,  RANGES | BIT(FIELD_FILE),            AT(most),          NULL           },
    {"not_before",    AS_TEXT,    BIT(FIELD_DATE),                     AT(not_before),    NULL           },
    {"identifier_of", AS_TEXT,    BIT(FIELD_TEXT),                     AT(identifier_of), NULL           },
    {"default",       AS_TEXT,    BIT(FIELD_CHOICE),                   AT(fallback),      NULL           },
    {"columns",       AS_STRINGS,
                                                     ANY & ~(BIT(FIELD_GROUP) | BIT(FIELD_FILE) | BIT(FIELD_PHOTO)),   AT(columns),       NULL           },
    {"autocomplete",  AS_TEXT,    ANY,                                 AT(autocomplete),  NULL           },
    {"inputmode",     AS_TEXT,    TEXTS,                               AT(input_mode),    NULL           },
    {"lang",          AS_TEXT,    TEXTS,                               AT(language),      NULL           },
    {"rows",          AS_NUMBER,  LINES,                               AT(rows),          NULL           },
    {"pattern",       AS_OWN,     BIT(FIELD_TEXT) | BIT(FIELD_PERSON), 0,                 load_pattern   },
    {"nothing",       AS_OWN,     ANY & ~BIT(FIELD_GROUP),             0,                 load_nothing   },
    {"choices",       AS_OWN,     CHOICES,                             0,                 load_choices   },
    {"show_if",       AS_OWN,     ANY,                                 0,                 load_show_if   },
    {"round",         AS_OWN,     BIT(FIELD_DATE),                     0,                 load_rounding  },
    {"audience",      AS_OWN,     ANY,                                 0,                 load_audience  },
    {"visibility",    AS_OWN,     ANY & ~BIT(FIELD_GROUP),             0,                 load_visibility},
    {"fields",        AS_OWN,     BIT(FIELD_GROUP),                    0,                 load_group     },
#undef AT
};

static enum result load_count(struct loader *loader, const char *path, json_t *value,
                              size_t *out)
{
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 1 || number > 4 * 1024 * 1024)
        return loader_refuse(loader, "number", path,
                             "this must be a number from 1 to 4194304");
    *out = (size_t)number;
    return OK;
}

static enum result load_attribute(struct loader *loader, const char *path, json_t *value,
                                  const struct attribute *row, struct field *field)
{
    if ((row->types & BIT(field->type)) == 0)
        return loader_refuse(loader, "not_for_type", path, "not for the type %s",
                             types[field->type].name);
    void *member = (char *)field + row->offset;
    switch (row->kind) {
    case AS_TEXT:
        return loader_text(loader, path, value, member);
    case AS_WORDS:
        return loader_words(loader, path, value, member);
    case AS_STRINGS:
        return loader_strings(loader, path, value, member);
    case AS_FLAG:
        if (!json_is_boolean(value))
            return loader_refuse(loader, "shape", path, "true or false");
        *(bool *)member = json_is_true(value);
        return OK;
    case AS_COUNT:
        return load_count(loader, path, value, member);
    case AS_NUMBER:
        if (!json_is_integer(value))
            return loader_refuse(loader, "number", path, "this must be a number");
        *(json_int_t *)member = json_integer_value(value);
        return OK;
    case AS_OWN:
        return row->load(loader, path, value, field);
    }
    return FAILED;
}

/* What the attributes of one field must be together. */
static enum result check_field(struct loader *loader, const char *path,
                               struct field *field)
{
    if (field->label.text[0] == NULL)
        return loader_refuse(loader, "label", path, "label is missing");
    bool chooses = (BIT(field->type) & CHOICES) != 0;
    if (chooses != (field->choice_count > 0))
        return loader_refuse(loader, "choices", path, "choices are missing");
    if ((field->type == FIELD_GROUP) != (field->field_count > 0))
        return loader_refuse(loader, "group_empty", path, "fields are missing");
    if (field->least > field->most ||
        (field_is_text(field->type) && field->min_length > field->max_length))
        return loader_refuse(loader, "least_most", path,
                             "the least is more than the most");
    if (field->type == FIELD_GROUP && (field->least < 0 || field->most > ROWS_MAX))
        return loader_refuse(loader, "group_rows", path, "a group has 0 to %d rows",
                             ROWS_MAX);
    if (field->pattern != NULL && field->max_length > 500)
        return loader_refuse(loader, "pattern_length", path,
                             "a pattern is for at most 500 characters");
    bool known = field->fallback == NULL;
    for (size_t i = 0; i < field->choice_count && !known; i++)
        known = strcmp(field->choices[i].value, field->fallback) == 0;
    return known ? OK
                 : loader_refuse(loader, "default", path,
                                 "the default is not one of the choices");
}

/* What a field says of others beside it: those stand before it, so that they have been
 * read when it is. */
static enum result check_siblings(struct loader *loader, const char *path,
                                  const struct field *fields, size_t at)
{
    const struct field *field = &fields[at];
    for (size_t i = 0; i < at; i++)
        if (strcmp(fields[i].name, field->name) == 0)
            return loader_refuse(loader, "name_twice", path,
                                 "there is a field \"%s\" already", field->name);
    if (field->show_field != NULL) {
        const struct field *other = field_named(fields, at, field->show_field);
        if (other == NULL ||
            (other->type != FIELD_CHOICE && other->type != FIELD_BOOLEAN))
            return loader_refuse(loader, "show_if", path,
                                 "show_if needs a choice or boolean before it");
    }
    if (field->not_before != NULL) {
        const struct field *other = field_named(fields, at, field->not_before);
        if (other == NULL || other->type != FIELD_DATE)
            return loader_refuse(loader, "not_before", path,
                                 "not_before needs a date before it");
    }
    if (field->identifier_of != NULL) {
        const struct field *other = field_named(fields, at, field->identifier_of);
        if (other == NULL || other->type != FIELD_CHOICE)
            return loader_refuse(loader, "identifier_of", path,
                                 "identifier_of needs a choice before it");
    }
    return OK;
}

static enum result load_type(struct loader *loader, const char *path, json_t *item,
                             struct field *field)
{
    TRY(loader_text(loader, arena_print(loader->arena, "%s.name", path),
                    json_object_get(item, "name"), &field->name));
    if (!loader_name_fits(field->name) ||
        (!loader->in_group &&
         (form_reserved(field->name) || strcmp(field->name, "visibility") == 0)))
        return loader_refuse(loader, "name", path, "\"%s\" can't be the name of a field",
                             field->name);
    const char *type = NULL;
    TRY(loader_text(loader, arena_print(loader->arena, "%s.type", path),
                    json_object_get(item, "type"), &type));
    if (!field_type_named(&field->type, type))
        return loader_refuse(loader, "type", path, "there is no type \"%s\"", type);
    if (field->type == FIELD_PHOTO && loader->in_group)
        return loader_refuse(loader, "type", path, "a photo within a group");
    field->max_length = types[field->type].max_length;
    field->least = types[field->type].least;
    field->most = types[field->type].most;
    return OK;
}

static enum result load_field(struct loader *loader, const char *path, json_t *item,
                              struct field *field)
{
    if (!json_is_object(item))
        return loader_refuse(loader, "shape", path, "this must be an object");
    size_t found = json_array_size(loader->problems);
    TRY(load_type(loader, path, item, field));
    const char *key;
    json_t *value;
    json_object_foreach(item, key, value)
    {
        if (strcmp(key, "name") == 0 || strcmp(key, "type") == 0)
            continue;
        const size_t count = sizeof attributes / sizeof attributes[0];
        size_t i = 0;
        while (i < count && strcmp(attributes[i].name, key) != 0)
            i++;
        if (i == count)
            return loader_refuse(loader, "shape", path, "there is no attribute \"%s\"",
                                 key);
        TRY(loader_go_on(
            loader, load_attribute(loader, arena_print(loader->arena, "%s.%s", path, key),
                                   value, &attributes[i], field)));
    }
    if (field->type == FIELD_GROUP && field->required && field->least == 0)
        field->least = 1;
    if (json_array_size(loader->problems) > found)
        return OK;
    return check_field(loader, path, field);
}

enum result loader_fields(struct loader *loader, const char *path, json_t *list,
                          struct field *fields, size_t at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *own = arena_print(loader->arena, "%s[%zu]", path, i);
        struct field *field = &fields[at + i];
        size_t found = json_array_size(loader->problems);
        TRY(loader_go_on(loader,
                         load_field(loader, own, json_array_get(list, i), field)));
        if (field->name == NULL)
            field->name = "";
        /* Of a field that is not whole the rest would only say the same again. */
        if (json_array_size(loader->problems) == found)
            TRY(loader_go_on(loader, check_siblings(loader, own, fields, at + i)));
    }
    return OK;
}
