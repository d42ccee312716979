/* Definitions as JSON Schema; see schema.h. */
#include "server/form/schema.h"

#include <stdint.h>

static json_t *scope_schema(const struct field *fields, size_t count,
                            enum form_audience audience, enum language language);

static void set_words(json_t *schema, const char *key, const struct words *words,
                      enum language language)
{
    if (words->text[language] != NULL)
        json_object_set_new(schema, key, json_string(words->text[language]));
}

/* {"type": name}, or with null for what may be empty. */
static json_t *typed(const struct field *field, const char *name)
{
    return field->required ? json_pack("{s:s}", "type", name)
                           : json_pack("{s:[s, s]}", "type", name, "null");
}

static const char *format_of(enum field_type type)
{
    if (type == FIELD_EMAIL)
        return "idn-email";
    if (type == FIELD_URL)
        return "iri";
    return type == FIELD_DATE ? "date" : NULL;
}

static const char *pattern_of(const struct field *field)
{
    if (field->pattern != NULL)
        return arena_print(arena_current(), "^(?:%s)$", field->pattern);
    if (field->type == FIELD_URL)
        return "^[Hh][Tt][Tt][Pp][Ss]?://";
    if (field->type == FIELD_MONTH)
        return "^[0-9]{4}-[0-9]{2}$";
    if (field->type == FIELD_ORCID)
        return "^[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$";
    if (field->type == FIELD_PHOTO)
        return "^photo-[A-Za-z0-9_-]{43}$";
    if (field->type == FIELD_DOCUMENT)
        return "^file-[A-Za-z0-9_-]{43}$";
    return field->type == FIELD_PERSON ? "^[^ /?#%&\"'<>\\\\.,:;A-Z]+$" : NULL;
}

static json_t *text_schema(const struct field *field)
{
    json_t *schema = typed(field, "string");
    size_t least = field->min_length > 0 ? field->min_length : field->required;
    if (least > 0)
        json_object_set_new(schema, "minLength", json_integer((json_int_t)least));
    if (field->max_length > 0)
        json_object_set_new(schema, "maxLength",
                            json_integer((json_int_t)field->max_length));
    const char *format = format_of(field->type);
    if (format != NULL)
        json_object_set_new(schema, "format", json_string(format));
    const char *pattern = pattern_of(field);
    if (pattern != NULL)
        json_object_set_new(schema, "pattern", json_string(pattern));
    return schema;
}

static json_t *number_schema(const struct field *field)
{
    json_t *schema = typed(field, field->type == FIELD_INTEGER ? "integer" : "number");
    if (field->least != INT64_MIN)
        json_object_set_new(schema, "minimum", json_integer(field->least));
    if (field->most != INT64_MAX)
        json_object_set_new(schema, "maximum", json_integer(field->most));
    return schema;
}

static json_t *choice_schema(const struct field *field)
{
    json_t *values = json_array();
    for (size_t i = 0; i < field->choice_count; i++)
        json_array_append_new(values, json_string(field->choices[i].value));
    if (field->type == FIELD_MULTICHOICE) {
        json_t *schema = typed(field, "array");
        json_object_set_new(schema, "items", json_pack("{s:o}", "enum", values));
        json_object_set_new(schema, "uniqueItems", json_true());
        return schema;
    }
    if (!field->required || field->fallback != NULL)
        json_array_append_new(values, json_null());
    json_t *schema = json_pack("{s:o}", "enum", values);
    if (field->fallback != NULL)
        json_object_set_new(schema, "default", json_string(field->fallback));
    return schema;
}

static json_t *group_schema(const struct field *field, enum form_audience audience,
                            enum language language)
{
    json_t *schema = typed(field, "array");
    if (field->least > 0)
        json_object_set_new(schema, "minItems", json_integer(field->least));
    json_object_set_new(schema, "maxItems", json_integer(field->most));
    json_object_set_new(
        schema, "items",
        scope_schema(field->fields, field->field_count, audience, language));
    return schema;
}

static json_t *field_schema(const struct field *field, enum form_audience audience,
                            enum language language)
{
    switch (field->type) {
    case FIELD_INTEGER:
    case FIELD_DECIMAL:
        return number_schema(field);
    case FIELD_BOOLEAN:
        return field->required ? json_pack("{s:b}", "const", 1) : typed(field, "boolean");
    case FIELD_CHOICE:
    case FIELD_MULTICHOICE:
        return choice_schema(field);
    case FIELD_GROUP:
        return group_schema(field, audience, language);
    case FIELD_RECORD:
        return scope_schema(field->fields, field->field_count, audience, language);
    case FIELD_FILE:
        return json_pack("{s:s}", "type", "null"); /* documents carry no files */
    case FIELD_TEXT:
    case FIELD_TEXTAREA:
    case FIELD_MARKDOWN:
    case FIELD_PASSWORD:
    case FIELD_DATE:
    case FIELD_MONTH:
    case FIELD_EMAIL:
    case FIELD_URL:
    case FIELD_PHONE:
    case FIELD_ORCID:
    case FIELD_PERSON:
    case FIELD_PHOTO:
    case FIELD_DOCUMENT:
    case FIELD_TYPE_COUNT:
        break;
    }
    return text_schema(field);
}

static json_t *scope_schema(const struct field *fields, size_t count,
                            enum form_audience audience, enum language language)
{
    json_t *properties = json_object();
    json_t *required = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct field *field = &fields[i];
        if (field->admin && audience != FOR_ADMIN)
            continue;
        /* What show_if hides may be null, whatever the definition asks when it is shown.
         */
        struct field shown = *field;
        shown.required = field->required && field->show_field == NULL;
        json_t *schema = field_schema(&shown, audience, language);
        set_words(schema, "title", &field->label, language);
        set_words(schema, "description", &field->hint, language);
        json_object_set_new(properties, field->name, schema);
        if (shown.required && field->fallback == NULL)
            json_array_append_new(required, json_string(field->name));
    }
    json_t *schema = json_pack("{s:s, s:o, s:b}", "type", "object", "properties",
                               properties, "additionalProperties", 0);
    if (json_array_size(required) > 0)
        json_object_set_new(schema, "required", required);
    return schema;
}

static json_t *one_of_schema(const struct strings *names)
{
    json_t *ways = json_array();
    for (size_t i = 0; i < names->count; i++)
        json_array_append_new(ways,
                              json_pack("{s:[s], s:{s:{s:s, s:i}}}", "required",
                                        names->items[i], "properties", names->items[i],
                                        "type", "string", "minLength", 1));
    return json_pack("{s:o}", "anyOf", ways);
}

json_t *form_schema(const struct form *form, enum form_audience audience,
                    enum language language)
{
    json_t *schema = scope_schema(form->fields, form->field_count, audience, language);
    json_object_set_new(schema, "$schema",
                        json_string("https://json-schema.org/draft/2020-12/schema"));
    set_words(schema, "title", &form->title, language);
    set_words(schema, "description", &form->hint, language);
    json_t *rules = json_array();
    for (size_t i = 0; i < form->require_one_of_count; i++)
        json_array_append_new(rules, one_of_schema(&form->require_one_of[i]));
    if (json_array_size(rules) > 0)
        json_object_set_new(schema, "allOf", rules);
    return schema;
}
