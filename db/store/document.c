/* Documents compared. Forms, files and the database say "nothing there" in different
 * ways; here they are one. */
#include "db/store/change.h"
#include "db/store/entity.h"

static bool blank(json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_NULL:
    case JSON_FALSE:
        return true;
    case JSON_STRING:
        return json_string_length(value) == 0;
    case JSON_ARRAY:
        for (size_t i = 0; i < json_array_size(value); i++)
            if (!blank(json_array_get(value, i)))
                return false;
        return true;
    case JSON_OBJECT: {
        const char *key;
        json_t *member;
        json_object_foreach(value, key, member) if (!blank(member)) return false;
        return true;
    }
    case JSON_TRUE:
    case JSON_INTEGER:
    case JSON_REAL:
        return false;
    }
    return false;
}

static bool nothing(json_t *value)
{
    return value == NULL || blank(value);
}

static bool same_object(json_t *one, json_t *other)
{
    const char *key;
    json_t *value;
    json_object_foreach(
        one, key,
        value) if (!change_same(value, json_object_get(other, key))) return false;
    json_object_foreach(other, key,
                        value) if (!nothing(value) &&
                                   nothing(json_object_get(one, key))) return false;
    return true;
}

bool change_same(json_t *one, json_t *other)
{
    if (nothing(one) || nothing(other))
        return nothing(one) && nothing(other);
    if (json_typeof(one) != json_typeof(other))
        return false;
    if (json_is_object(one))
        return same_object(one, other);
    if (!json_is_array(one))
        return json_equal(one, other);
    if (json_array_size(one) != json_array_size(other))
        return false;
    for (size_t i = 0; i < json_array_size(one); i++)
        if (!change_same(json_array_get(one, i), json_array_get(other, i)))
            return false;
    return true;
}

json_t *change_differences(json_t *before, json_t *after)
{
    json_t *differences = json_array();
    const char *key;
    json_t *value;
    json_object_foreach(after, key, value)
    {
        json_t *old = json_object_get(before, key);
        if (change_same(old, value))
            continue;
        json_array_append_new(differences,
                              json_pack("{s:s, s:O?, s:O?}", "field", key, "before",
                                        nothing(old) ? NULL : old, "after",
                                        nothing(value) ? NULL : value));
    }
    return differences;
}

json_t *document_stripped(json_t *document)
{
    if (json_is_array(document)) {
        json_t *copy = json_array();
        for (size_t i = 0; i < json_array_size(document); i++) {
            json_t *item = json_array_get(document, i);
            if (!blank(item))
                json_array_append_new(copy, document_stripped(item));
        }
        return copy;
    }
    if (!json_is_object(document))
        return document;
    json_t *copy = json_object();
    const char *key;
    json_t *value;
    json_object_foreach(document, key, value)
    {
        if (!blank(value))
            json_object_set_new_nocheck(copy, key, document_stripped(value));
    }
    return copy;
}
