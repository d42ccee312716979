/* One value: from a string (HTML, CSV) or a typed JSON value to its normalised form. */
#include "server/form/reader.h"

#include "server/base/buf.h"
#include "server/base/utf8.h"
#include "server/form/value.h"

#include <string.h>

enum { WORD_MAX = 100, NEAR = 8 };

struct text {
    const char *bytes;
    size_t length;
};

static bool multiline(const struct field *field)
{
    return field->type == FIELD_TEXTAREA || field->type == FIELD_MARKDOWN;
}

static json_t *no_type(struct reader *reader, const struct field *field,
                       const char *prefix)
{
    json_t *error = reader_error(reader, prefix, field->name, "type");
    json_object_set_new(error, "expected", json_string(field_type_name(field->type)));
    return NULL;
}

static json_t *refused(struct reader *reader, const struct field *field,
                       const char *prefix, const char *code)
{
    reader_error(reader, prefix, field->name, code);
    return NULL;
}

static json_t *beyond(struct reader *reader, const struct field *field,
                      const char *prefix, const char *code, json_int_t least,
                      json_int_t most)
{
    json_t *error = reader_error(reader, prefix, field->name, code);
    json_object_set_new(error, "min", json_integer(least));
    json_object_set_new(error, "max", json_integer(most));
    return NULL;
}

/* CRLF and CR become LF; in a text of one line they and tabs become spaces. */
static struct text one_line_end(struct arena *arena, struct text in, bool several)
{
    char *copy = arena_alloc(arena, in.length + 1);
    size_t length = 0;
    for (size_t i = 0; i < in.length; i++) {
        char c = in.bytes[i];
        if (c == '\r' && i + 1 < in.length && in.bytes[i + 1] == '\n')
            continue;
        if (c == '\r')
            c = '\n';
        if (!several && (c == '\n' || c == '\t'))
            c = ' ';
        copy[length++] = c;
    }
    copy[length] = '\0';
    return (struct text){copy, length};
}

/* What stands around the first character that is not fit, without it. */
static const char *around_fault(struct arena *arena, struct text text, bool several)
{
    size_t starts[NEAR] = {0};
    size_t count = 0;
    size_t size = 0;
    size_t at = 0;
    for (; at < text.length; at += size) {
        utf8_next(text.bytes + at, text.length - at, &size);
        if (utf8_fault(text.bytes + at, size, several) != UTF8_FINE)
            break;
        starts[count++ % NEAR] = at;
    }
    size_t from = count >= NEAR ? starts[count % NEAR] : 0;
    size_t after = at + size < text.length ? at + size : text.length;
    struct buf near = buf_on(arena);
    buf_string(&near, value_printable(arena, text.bytes + from, at - from, NEAR, false));
    buf_string(&near, value_printable(arena, text.bytes + after, text.length - after,
                                      NEAR, false));
    return near.data;
}

/* Raw text may hold anything that PostgreSQL can: well-formed, without NUL. */
static enum utf8_fault fault_of(const struct field *field, struct text text)
{
    if (!field->raw)
        return utf8_fault(text.bytes, text.length, multiline(field));
    if (!utf8_valid(text.bytes, text.length))
        return UTF8_MALFORMED;
    return memchr(text.bytes, 0, text.length) != NULL ? UTF8_CONTROL : UTF8_FINE;
}

/* The checked and normalised text of `input`, a string; NULL and an error, or "". */
static const char *clean(struct reader *reader, const struct field *field,
                         const char *prefix, json_t *input)
{
    static const char *const codes[] = {NULL, "malformed", "control", "invisible"};
    struct text text = {json_string_value(input), json_string_length(input)};
    size_t most = field->max_length > 0 ? field->max_length : WORD_MAX;
    /* No text of that many bytes can come down to `most` code points (CRLF, trimming). */
    if (text.length > most * 8 + 1000) {
        beyond(reader, field, prefix, "too_long", 0, (json_int_t)most);
        return NULL;
    }
    text = one_line_end(reader->arena, text, multiline(field));
    enum utf8_fault fault = fault_of(field, text);
    if (fault != UTF8_FINE) {
        json_t *error = reader_error(reader, prefix, field->name, codes[fault]);
        const char *near = around_fault(reader->arena, text, multiline(field));
        json_object_set_new(error, "near", json_string(near));
        return NULL;
    }
    const char *result = text.bytes;
    if (!field->raw && field->type != FIELD_PASSWORD)
        result = value_trim(reader->arena, result, text.length);
    if (!field->raw)
        result = utf8_nfc(reader->arena, result, strlen(result));
    return result;
}

static const char *check_format(const char **out, struct arena *arena,
                                const struct field *field, const char *text,
                                json_t *scope)
{
    if (field->pattern != NULL && regexec(&field->matcher, text, 0, NULL, 0) != 0)
        return "pattern";
    *out = text;
    if (field->type == FIELD_EMAIL)
        return value_email(out, arena, text);
    if (field->type == FIELD_URL)
        return value_url(out, arena, text);
    if (field->type == FIELD_PHONE)
        return value_phone(out, arena, text);
    if (field->type == FIELD_ORCID)
        return value_orcid(out, arena, text);
    if (field->type == FIELD_PERSON)
        return strpbrk(text, " /?#%&\"'<>\\.,:;ABCDEFGHIJKLMNOPQRSTUVWXYZ") == NULL
                   ? NULL
                   : "person";
    const char *scheme = NULL;
    if (field->identifier_of != NULL)
        scheme = json_string_value(json_object_get(scope, field->identifier_of));
    return scheme != NULL ? value_identifier(out, arena, scheme, text) : NULL;
}

static json_t *read_text(struct reader *reader, const struct field *field,
                         const char *prefix, const char *text, json_t *scope)
{
    size_t length = utf8_length(text, strlen(text));
    if (length > field->max_length || length < field->min_length)
        return beyond(reader, field, prefix,
                      length > field->max_length ? "too_long" : "too_short",
                      (json_int_t)field->min_length, (json_int_t)field->max_length);
    const char *out = text;
    const char *code = check_format(&out, reader->arena, field, text, scope);
    return code == NULL ? json_string(out) : refused(reader, field, prefix, code);
}

static json_t *read_date(struct reader *reader, const struct field *field,
                         const char *prefix, const char *text)
{
    const char *out = NULL;
    if (reader->source == FROM_ROW && field->type == FIELD_DATE &&
        value_excel_date(&out, reader->arena, text))
        return json_string(out);
    const char *code = field->type == FIELD_DATE
                           ? value_date(&out, reader->arena, text, field->round)
                           : value_month(&out, reader->arena, text);
    return code == NULL ? json_string(out) : refused(reader, field, prefix, code);
}

static json_t *read_photo(struct reader *reader, const struct field *field,
                          const char *prefix, const char *text)
{
    return value_photo(text) ? json_string(text)
                             : refused(reader, field, prefix, "photo");
}

static json_t *read_document(struct reader *reader, const struct field *field,
                             const char *prefix, const char *text)
{
    return value_document(text) ? json_string(text)
                                : refused(reader, field, prefix, "document");
}

static bool among(const struct strings *words, const char *folded)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i], folded) == 0)
            return true;
    return false;
}

static const char *choice_value(const struct reader *reader, const struct field *field,
                                const char *text)
{
    for (size_t i = 0; i < field->choice_count; i++)
        if (strcmp(field->choices[i].value, text) == 0)
            return text;
    if (reader->source != FROM_ROW)
        return NULL;
    const char *folded = utf8_fold(reader->arena, text, strlen(text));
    for (size_t i = 0; i < field->choice_count; i++)
        if (among(&field->choices[i].words, folded))
            return field->choices[i].value;
    return NULL;
}

static json_t *read_choice(struct reader *reader, const struct field *field,
                           const char *prefix, const char *text)
{
    const char *value = choice_value(reader, field, text);
    return value != NULL ? json_string(value) : refused(reader, field, prefix, "choice");
}

static bool in_range(const struct field *field, double number)
{
    return number >= (double)field->least && number <= (double)field->most;
}

static json_t *read_number(struct reader *reader, const struct field *field,
                           const char *prefix, json_t *input, const char *text)
{
    bool whole = field->type == FIELD_INTEGER;
    json_int_t integer = json_integer_value(input);
    double real = json_number_value(input);
    if (text != NULL &&
        !(whole ? value_integer(&integer, text) : value_decimal(&real, text)))
        return refused(reader, field, prefix, whole ? "integer" : "decimal");
    if (whole ? integer < field->least || integer > field->most : !in_range(field, real))
        return beyond(reader, field, prefix, "range", field->least, field->most);
    return whole ? json_integer(integer) : json_real(real);
}

static json_t *read_boolean(struct reader *reader, const struct field *field,
                            const char *prefix, const char *text)
{
    static const char *const yes[] = {"true", "on", "1", "yes", "是"};
    static const char *const no[] = {"false", "off", "0", "no", "否"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        if (strcmp(text, yes[i]) == 0)
            return json_true();
        if (strcmp(text, no[i]) == 0)
            return json_false();
    }
    return refused(reader, field, prefix, "boolean");
}

/* The words of a cell, or the checked boxes, as an array of strings. */
static json_t *words_of(struct reader *reader, json_t *input)
{
    if (!json_is_string(input))
        return input;
    static const char *const between[] = {";", ",", "；", "，", "、", "\n"};
    json_t *words = json_array();
    const char *at = json_string_value(input);
    while (*at != '\0') {
        size_t length = strlen(at);
        size_t gap = 0;
        for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
            const char *found = strstr(at, between[i]);
            if (found != NULL && (size_t)(found - at) < length) {
                length = (size_t)(found - at);
                gap = strlen(between[i]);
            }
        }
        const char *word = value_trim(reader->arena, at, length);
        if (word[0] != '\0')
            json_array_append_new(words, json_string_nocheck(word));
        at += length + gap;
    }
    return words;
}

static json_t *read_choices(struct reader *reader, const struct field *field,
                            const char *prefix, json_t *input)
{
    json_t *words = words_of(reader, input);
    if (!json_is_array(words))
        return no_type(reader, field, prefix);
    json_t *result = json_array();
    for (size_t i = 0; i < field->choice_count; i++) {
        size_t index;
        json_t *word;
        json_array_foreach(words, index, word)
        {
            const char *value = json_string_length(word) > 0
                                    ? choice_value(reader, field, json_string_value(word))
                                    : NULL;
            if (value == NULL)
                return refused(reader, field, prefix, "choice");
            if (strcmp(value, field->choices[i].value) == 0) {
                json_array_append_new(result, json_string(value));
                break;
            }
        }
    }
    return result;
}

static json_t *read_file(struct reader *reader, const struct field *field,
                         const char *prefix, json_t *input)
{
    json_t *size = json_object_get(input, "size");
    if (reader->source != FROM_FIELDS || !json_is_object(input))
        return no_type(reader, field, prefix);
    if (json_integer_value(size) > field->most)
        return beyond(reader, field, prefix, "file_size", 0, field->most / (1024 * 1024));
    if (json_integer_value(size) == 0)
        return json_null(); /* what a browser sends when no file was chosen */
    return input;
}

/* Types whose JSON value is no string. */
static bool is_number(enum field_type type)
{
    return type == FIELD_INTEGER || type == FIELD_DECIMAL;
}

static bool has_json_type(const struct field *field, json_t *input)
{
    if (field->type == FIELD_INTEGER)
        return json_is_integer(input);
    if (field->type == FIELD_DECIMAL)
        return json_is_number(input);
    return field->type == FIELD_BOOLEAN && json_is_boolean(input);
}

static json_t *from_string(struct reader *reader, const struct field *field,
                           const char *prefix, const char *text, json_t *scope)
{
    if (field_is_text(field->type))
        return read_text(reader, field, prefix, text, scope);
    if (field->type == FIELD_CHOICE)
        return read_choice(reader, field, prefix, text);
    if (field->type == FIELD_BOOLEAN)
        return read_boolean(reader, field, prefix, text);
    if (is_number(field->type))
        return read_number(reader, field, prefix, NULL, text);
    if (field->type == FIELD_PHOTO)
        return read_photo(reader, field, prefix, text);
    if (field->type == FIELD_DOCUMENT)
        return read_document(reader, field, prefix, text);
    return read_date(reader, field, prefix, text);
}

json_t *reader_leaf(struct reader *reader, const struct field *field, const char *prefix,
                    json_t *input, json_t *scope)
{
    if (input == NULL || json_is_null(input))
        return reader_empty(field);
    if (field->type == FIELD_MULTICHOICE)
        return read_choices(reader, field, prefix, input);
    if (field->type == FIELD_FILE && !json_is_string(input))
        return read_file(reader, field, prefix, input);
    if (reader->source == FROM_DOCUMENT && has_json_type(field, input))
        return is_number(field->type) ? read_number(reader, field, prefix, input, NULL)
                                      : input;
    bool strict = reader->source == FROM_DOCUMENT && !reader->typed &&
                  (is_number(field->type) || field->type == FIELD_BOOLEAN);
    if (!json_is_string(input) || strict)
        return no_type(reader, field, prefix);
    const char *text = clean(reader, field, prefix, input);
    if (text == NULL)
        return NULL;
    if (text[0] == '\0')
        return reader_empty(field);
    if (reader->source == FROM_ROW && field->nothing.count > 0 &&
        among(&field->nothing, utf8_fold(reader->arena, text, strlen(text))))
        return reader_empty(field);
    if (field->type == FIELD_FILE)
        return no_type(reader, field, prefix);
    return from_string(reader, field, prefix, text, scope);
}
