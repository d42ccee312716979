/* Between a field as a definition has it and as an organiser types it; see question.h. */
#include "server/form/question.h"

#include "server/base/buf.h"
#include "server/base/document.h"

#include <string.h>

#define BIT(type) (1U << (type))

static const struct {
    const char *attribute;
    unsigned types; /* 0: every text */
} rows[] = {
    {"choices",    BIT(FIELD_CHOICE) | BIT(FIELD_MULTICHOICE)                },
    {"min",        BIT(FIELD_INTEGER) | BIT(FIELD_DECIMAL) | BIT(FIELD_GROUP)},
    {"max",        BIT(FIELD_INTEGER) | BIT(FIELD_DECIMAL) | BIT(FIELD_GROUP)},
    {"pattern",    BIT(FIELD_TEXT)                                           },
    {"min_length", 0                                                         },
    {"max_length", 0                                                         },
    {"seen_by",    ~BIT(FIELD_GROUP)                                         },
};

bool question_has(enum field_type type, const char *attribute)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].attribute, attribute) == 0)
            return rows[i].types == 0 ? field_is_text(type)
                                      : (rows[i].types & BIT(type)) != 0;
    return true;
}

static void put_words(json_t *values, const char *key, json_t *words)
{
    for (int i = 0; i < LANGUAGE_COUNT; i++) {
        const char *text = filled_of(words, language_codes[i]);
        json_object_set_new(values,
                            arena_print(arena_current(), "%s_%s", key, language_codes[i]),
                            text != NULL ? json_string(text) : json_null());
    }
}

json_t *question_values(json_t *field)
{
    static const char *const plain[] = {"min",        "max",     "min_length",
                                        "max_length", "pattern", "name"};
    json_t *values = json_object(), *choices = json_array(), *choice;
    size_t i;
    put_words(values, "label", json_object_get(field, "label"));
    put_words(values, "hint", json_object_get(field, "hint"));
    json_object_set_new(values, "required", json_boolean(truth_at(field, "required")));
    for (i = 0; i < sizeof plain / sizeof *plain; i++) {
        json_t *value = json_object_get(field, plain[i]);
        json_object_set(values, plain[i], value != NULL ? value : json_null());
    }
    json_array_foreach(json_object_get(field, "choices"), i, choice)
    {
        json_t *row = json_object();
        json_object_set(row, "value", json_object_get(choice, "value"));
        put_words(row, "label", json_object_get(choice, "label"));
        json_array_append_new(choices, row);
    }
    json_object_set_new(values, "choices", choices);
    const char *shown = text_of(json_object_get(field, "visibility"), "default");
    json_object_set_new(values, "seen_by", json_string(shown != NULL ? shown : "none"));
    return values;
}

/* {"en", "zh"} of what is there; taken away when nothing is. */
static void set_words(json_t *object, const char *key, json_t *values)
{
    json_t *words = json_object();
    for (int i = 0; i < LANGUAGE_COUNT; i++) {
        const char *text = filled_of(
            values, arena_print(arena_current(), "%s_%s", key, language_codes[i]));
        if (text != NULL)
            json_object_set_new(words, language_codes[i], json_string(text));
    }
    if (json_object_size(words) > 0)
        json_object_set_new(object, key, words);
    else
        json_object_del(object, key);
}

static json_t *choice_of(json_t *before, const char *value)
{
    json_t *choice;
    size_t i;
    json_array_foreach(json_object_get(before, "choices"), i, choice)
    {
        if (strcmp(text_at(choice, "value", ""), value) == 0)
            return choice;
    }
    return NULL;
}

/* Letters and digits of the English label, else "c1", "c2", ...: never a comma, for a CSV
 * cell may hold several. */
static const char *new_value(json_t *used, json_t *taken, const char *label)
{
    enum { LENGTH_MAX = 30 };
    struct arena *arena = arena_current();
    struct buf out = buf_on(arena);
    for (const char *at = label; *at != '\0' && out.length < LENGTH_MAX; at++) {
        char c = *at >= 'A' && *at <= 'Z' ? (char)(*at + ('a' - 'A')) : *at;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            buf_char(&out, c);
        else if (out.length > 0 && out.data[out.length - 1] != '_' &&
                 (unsigned char)c < 0x80)
            buf_char(&out, '_');
    }
    while (out.length > 0 && out.data[out.length - 1] == '_')
        out.data[--out.length] = '\0';
    bool words = out.length > 1;
    const char *base = words ? out.data : "c", *value = base;
    for (int i = words ? 2 : 1;; i++) {
        if (value[1] != '\0' && json_object_get(used, value) == NULL &&
            json_object_get(taken, value) == NULL)
            return value;
        value = arena_print(arena, words ? "%s_%d" : "%s%d", base, i);
    }
}

static void set_choices(json_t *field, json_t *before, json_t *rows_typed, json_t *taken)
{
    json_t *choices = json_array(), *used = json_object(), *row;
    size_t i;
    json_array_foreach(rows_typed, i, row)
    {
        const char *value = filled_of(row, "value");
        if (value != NULL)
            json_object_set_new(used, value, json_true());
    }
    json_t *given = json_object();
    json_array_foreach(rows_typed, i, row)
    {
        const char *value = filled_of(row, "value");
        if (value == NULL || json_object_get(given, value) != NULL)
            value = new_value(used, taken, text_at(row, "label_en", ""));
        json_object_set_new(used, value, json_true());
        json_object_set_new(given, value, json_true());
        json_t *old = choice_of(before, value);
        json_t *choice =
            old != NULL ? json_copy(old) : json_pack("{s:s}", "value", value);
        set_words(choice, "label", row);
        json_array_append_new(choices, choice);
    }
    json_object_set_new(field, "choices", choices);
}

static void set_or_delete(json_t *field, const char *key, json_t *value)
{
    if (value == NULL || json_is_null(value))
        json_object_del(field, key);
    else
        json_object_set(field, key, value);
}

static void set_visibility(json_t *field, const char *first)
{
    json_t *own = json_object_get(field, "visibility");
    if (first == NULL || strcmp(first, "none") == 0) {
        json_object_del(field, "visibility");
        return;
    }
    own = own != NULL ? json_copy(own) : json_object();
    json_object_set_new(own, "default", json_string(first));
    json_object_set_new(own, "choices",
                        json_pack("[s,s,s]", "public", "members", "admins"));
    json_object_set_new(field, "visibility", own);
}

static void set_attributes(json_t *field, enum field_type type, json_t *before,
                           json_t *values, json_t *taken)
{
    static const char *const limits[] = {"min", "max", "min_length", "max_length",
                                         "pattern"};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        set_or_delete(field, limits[i],
                      question_has(type, limits[i]) ? json_object_get(values, limits[i])
                                                    : NULL);
    if (question_has(type, "choices"))
        set_choices(field, before, json_object_get(values, "choices"), taken);
    else
        json_object_del(field, "choices");
    set_visibility(field,
                   question_has(type, "seen_by") ? filled_of(values, "seen_by") : NULL);
    if (type != FIELD_GROUP)
        json_object_del(field, "fields");
    else if (json_object_get(field, "fields") == NULL)
        json_object_set_new(field, "fields", json_array());
}

json_t *question_field(json_t *before, const char *type, json_t *values, json_t *taken,
                       bool words_only)
{
    enum field_type known = FIELD_TEXT;
    const char *was = text_of(before, "type");
    json_t *field = json_object();
    (void)field_type_named(&known, type);
    if (was != NULL && strcmp(was, type) == 0) {
        field = json_copy(before);
    } else { /* what the old type had means nothing to the new one */
        json_object_set(field, "name", json_object_get(before, "name"));
        json_object_set_new(field, "type", json_string(type));
    }
    set_words(field, "label", values);
    set_words(field, "hint", values);
    if (truth_at(values, "required"))
        json_object_set_new(field, "required", json_true());
    else
        json_object_del(field, "required");
    if (!words_only)
        set_attributes(field, known, before, values, taken);
    return field;
}

void question_show_if(json_t *field, const char *ruler, json_t *values)
{
    size_t count = json_array_size(values);
    if (ruler == NULL || *ruler == '\0' || count == 0) {
        json_object_del(field, "show_if");
        return;
    }
    json_object_set_new(field, "show_if",
                        json_pack("{s:s, s:O}", "field", ruler,
                                  count == 1 ? "equals" : "in",
                                  count == 1 ? json_array_get(values, 0) : values));
}
