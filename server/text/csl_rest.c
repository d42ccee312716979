/* A document's rest in CSL-JSON; see csl_rest.h. It may come from anywhere: whatever is
 * not of a document's shape is passed over. */
#include "server/text/csl_rest.h"

#include "server/base/utf8.h"

#include <string.h>

static bool nothing(const json_t *value)
{
    return value == NULL || json_is_null(value) || json_is_false(value) ||
           (json_is_string(value) && json_string_length(value) == 0) ||
           (json_is_array(value) && json_array_size(value) == 0);
}

static bool same_objects(json_t *written, json_t *read)
{
    const char *key;
    json_t *value;
    json_object_foreach(read, key, value)
    {
        json_t *other = json_object_get(written, key);
        if (!json_equal(value, other) && !(nothing(value) && nothing(other)))
            return false;
    }
    return true;
}

bool csl_same(json_t *written, json_t *read)
{
    if (nothing(written) || nothing(read))
        return nothing(written) && nothing(read);
    if (!json_is_array(read) || !json_is_array(written))
        return json_equal(written, read);
    if (json_array_size(written) != json_array_size(read))
        return false;
    for (size_t i = 0; i < json_array_size(read); i++)
        if (!same_objects(json_array_get(written, i), json_array_get(read, i)))
            return false;
    return true;
}

static bool sound_text(const json_t *value)
{
    return json_is_null(value) ||
           (json_is_string(value) &&
            utf8_fault(json_string_value(value), json_string_length(value), true) ==
                UTF8_FINE);
}

/* The objects of a list, each with the keys that lists of that name have. */
static json_t *sound_list(const char *name, json_t *list)
{
    static const char *const keys[][6] = {
        {"authors",     "name",     "family",  "given", "equal", "corresponding"},
        {"editors",      "name", "family",          "given"},
        {"identifiers",  "scheme",    "value"},
        {"links", "kind",  "url"},
    };
    size_t row = 0, i;
    json_t *from, *sound = json_array();
    while (row < sizeof keys / sizeof keys[0] && strcmp(keys[row][0], name) != 0)
        row++;
    if (row == sizeof keys / sizeof keys[0])
        return NULL;
    json_array_foreach(list, i, from)
    {
        json_t *object = json_object();
        for (size_t k = 1; k < 6 && keys[row][k] != NULL; k++) {
            json_t *value = json_object_get(from, keys[row][k]);
            bool flag = k >= 4;
            if (flag)
                json_object_set_new(object, keys[row][k],
                                    json_boolean(json_is_true(value)));
            else
                json_object_set(object, keys[row][k],
                                value != NULL && sound_text(value) ? value : json_null());
        }
        json_array_append_new(sound, object);
    }
    return sound;
}

static bool is_number(const char *key)
{
    return strcmp(key, "year") == 0 || strcmp(key, "month") == 0 ||
           strcmp(key, "day") == 0;
}

void csl_put_rest(json_t *document, const json_t *rest)
{
    const char *key;
    json_t *was, *names = json_copy(document);
    if (!json_is_object(rest))
        return;
    json_object_foreach(names, key, was)
    {
        json_t *value = json_object_get(rest, key);
        json_t *list =
            json_is_array(was) && json_is_array(value) ? sound_list(key, value) : NULL;
        if (value == NULL || strncmp(key, "bibtex", 6) == 0)
            continue;
        if (list != NULL)
            json_object_set_new(document, key, list);
        else if (strcmp(key, "others") == 0)
            json_object_set_new(document, key, json_boolean(json_is_true(value)));
        else if (is_number(key) && (json_is_integer(value) || json_is_null(value)))
            json_object_set(document, key, value);
        else if (!is_number(key) && !json_is_array(was) && sound_text(value) &&
                 !(strcmp(key, "kind") == 0 && !json_is_string(value)))
            json_object_set(document, key, value);
    }
}
