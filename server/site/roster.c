/* What one row of a roster says about a person. Lists differ in which column holds which
 * script and in the order of names; people are listed as "Zhang, San", "San Zhang" and
 * "ZHANG San". */
#include "server/site/roster.h"

#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/utf8.h"
#include "server/text/names.h"

#include <ctype.h>
#include <string.h>

static void put(json_t *object, const char *key, const char *value)
{
    if (value != NULL && *value != '\0')
        json_object_set_new(object, key, json_string(value));
}

static bool han(const char *text)
{
    return text != NULL && utf8_has_han(text, strlen(text));
}

static bool capitals(const char *word, size_t length)
{
    size_t letters = 0;
    for (size_t i = 0; i < length; i++) {
        if (islower((unsigned char)word[i]))
            return false;
        letters += isupper((unsigned char)word[i]) != 0;
    }
    return letters > 1;
}

/* "ZHANG San" has its family name in front. */
static size_t capital_family(const char *name)
{
    size_t first = strcspn(name, " ");
    const char *rest = name + first;
    return *rest != '\0' && capitals(name, first) && !capitals(rest, strlen(rest)) ? first
                                                                                   : 0;
}

static void put_latin(struct arena *arena, json_t *person, const char *name)
{
    size_t family = capital_family(name);
    struct names names = names_parse(arena, slice_of(name));
    if (family > 0) {
        put(person, "family_latin", arena_copy(arena, name, family));
        put(person, "given_latin", name + family + 1);
    } else if (names.count == 1 && names.list[0].given.length > 0) {
        struct slice given = names.list[0].given;
        struct slice parts = name_family(arena, &names.list[0]);
        put(person, "given_latin", arena_copy(arena, given.bytes, given.length));
        put(person, "family_latin", arena_copy(arena, parts.bytes, parts.length));
    } else {
        put(person, "family_latin", name);
    }
}

static void put_names(struct arena *arena, json_t *person, json_t *row)
{
    const char *first = text_of(row, "name_han"), *second = text_of(row, "name_latin");
    const char *given = text_of(row, "given_latin"),
               *family = text_of(row, "family_latin");
    if (first != NULL && !han(first)) { /* the columns' scripts are not as they say */
        const char *other = han(second) ? second : NULL;
        second = han(second) || second == NULL ? first : second;
        first = other;
    } else if (first == NULL && han(second)) {
        first = second;
        second = NULL;
    }
    if (first == NULL && (han(given) || han(family)))
        first = arena_print(arena, "%s%s", family ? family : "", given ? given : "");
    put(person, "name_han", first);
    if (!han(given) && !han(family) && (given != NULL || family != NULL)) {
        put(person, "given_latin", given);
        put(person, "family_latin", family);
    } else if (second != NULL) {
        put_latin(arena, person, second);
    }
}

json_t *roster_person(struct arena *arena, json_t *row)
{
    json_t *person = json_object(), *appointment = json_object();
    const char *role = text_of(row, "role"), *title = text_of(row, "title");
    const char *interests = text_of(row, "interests"), *page = text_of(row, "homepage");
    put_names(arena, person, row);
    put(person, "email", text_of(row, "email"));
    put(person, han(interests) ? "interests_zh" : "interests_en", interests);
    put(appointment, "role", role == NULL ? "member" : role);
    put(appointment, han(title) ? "title_zh" : "title_en", title);
    put(appointment, "advisor", text_of(row, "advisor"));
    put(appointment, "starts", text_of(row, "starts"));
    put(appointment, "ends", text_of(row, "ends"));
    json_object_set_new(person, "appointments", json_pack("[o]", appointment));
    if (page != NULL) {
        const char *label = strstr(page, "://") + 3; /* the form has seen to the scheme */
        size_t length = strcspn(label, "?#");
        while (length > 0 && (length > 60 || label[length - 1] == '/' ||
                              (label[length] & 0xC0) == 0x80))
            length--;
        json_object_set_new(person, "links",
                            json_pack("[{s:s, s:s}]", "label",
                                      arena_copy(arena, label, length), "url", page));
    }
    return person;
}

/* Has the row nothing but one cell, notes aside? */
static bool one_cell(json_t *row)
{
    void *at = json_object_iter(row);
    int filled = 0;
    for (; at != NULL; at = json_object_iter_next(row, at))
        if (strcmp(json_object_iter_key(at), "note") != 0)
            filled += json_is_string(json_object_iter_value(at));
    return filled == 1;
}

const char *roster_name(struct arena *arena, json_t *row, json_t *person)
{
    const char *name = text_of(person, "name_han");
    const char *given = text_of(person, "given_latin");
    const char *family = text_of(person, "family_latin");
    bool letters = false, digits = false;
    if (name == NULL)
        name = arena_print(arena, "%s%s%s", given ? given : "",
                           given && family ? " " : "", family ? family : "");
    for (const char *c = name; *c != '\0'; c++) {
        letters = letters || isalpha((unsigned char)*c) || (unsigned char)*c >= 0x80;
        digits = digits || isdigit((unsigned char)*c);
    }
    return !letters || (digits && one_cell(row)) ? NULL : name;
}

static json_t *same_role(json_t *appointments, json_t *appointment)
{
    for (size_t i = 0; i < json_array_size(appointments); i++) {
        json_t *other = json_array_get(appointments, i);
        if (json_equal(json_object_get(other, "role"),
                       json_object_get(appointment, "role")))
            return other;
    }
    return NULL;
}

json_t *roster_addition(json_t *current, json_t *person, json_t *kept)
{
    json_t *addition = json_object(), *value;
    json_t *appointments = json_deep_copy(json_object_get(current, "appointments"));
    json_t *appointment = json_array_get(json_object_get(person, "appointments"), 0);
    json_t *same = same_role(appointments, appointment);
    const char *key;
    /* A list of names and addresses says nothing of what people are here. */
    bool silent = strcmp(text_at(appointment, "role", ""), "member") == 0 &&
                  json_object_size(appointment) == 1 && json_array_size(appointments) > 0;
    if (same == NULL && !silent)
        json_array_append(appointments, appointment);
    else if (same != NULL)
        json_object_update(same, appointment);
    json_object_set(addition, "appointments", appointments);
    json_object_foreach(person, key, value)
    {
        json_t *there = json_object_get(current, key);
        if (strcmp(key, "appointments") == 0 || json_equal(there, value))
            continue;
        if (json_is_null(there) || (json_is_array(there) && json_array_size(there) == 0))
            json_object_set(addition, key, value);
        else if (!json_is_array(there))
            json_array_append_new(kept, json_string(key));
    }
    return addition;
}
