/* Text pairs of two languages become the one text a page shows; see page.h. */
#include "server/site/page.h"

#include <string.h>

static bool has_text(const json_t *value)
{
    return json_is_string(value) && json_string_length(value) > 0;
}

/* Puts `first` under `key`, or `second` when it is empty; the language found under
 * key_lang. */
static void choose(json_t *object, const char *key, size_t length, json_t *first,
                   json_t *second, enum language language)
{
    char name[64];
    if (length + sizeof "_lang" > sizeof name)
        return;
    memcpy(name, key, length);
    name[length] = '\0';
    bool own = has_text(first);
    json_t *text = own ? first : has_text(second) ? second : NULL;
    json_object_set_new(object, name, text != NULL ? json_incref(text) : json_null());
    memcpy(name + length, "_lang", sizeof "_lang");
    enum language in = own || text == NULL   ? language
                       : language == ENGLISH ? CHINESE
                                             : ENGLISH;
    json_object_set_new(object, name, json_string(language_codes[in]));
}

static void localize_names(json_t *object, enum language language)
{
    json_t *latin = json_object_get(object, "name_latin");
    json_t *han = json_object_get(object, "name_han");
    if (latin == NULL || han == NULL)
        return;
    json_t *first = language == CHINESE ? han : latin;
    json_t *second = language == CHINESE ? latin : han;
    choose(object, "name", 4, first, second, language);
    bool other = has_text(first) && has_text(second);
    json_object_set_new(object, "name_other", other ? json_incref(second) : json_null());
    json_object_set_new(
        object, "name_other_lang",
        json_string(language_codes[language == CHINESE ? ENGLISH : CHINESE]));
}

static void localize_object(json_t *object, enum language language)
{
    /* Keys are gathered first: an object may not grow while it is walked. */
    const char *key;
    json_t *value;
    struct {
        const char *key;
        size_t length;
    } pairs[32];
    size_t count = 0;
    json_object_foreach(object, key, value)
    {
        size_t length = strlen(key);
        if (length > 3 && strcmp(key + length - 3, "_en") == 0 && count < 32) {
            pairs[count].key = key;
            pairs[count++].length = length - 3;
        }
        localize(value, language);
    }
    for (size_t i = 0; i < count; i++) {
        char other[64];
        size_t length = pairs[i].length;
        if (length + 4 > sizeof other)
            continue;
        memcpy(other, pairs[i].key, length);
        memcpy(other + length, "_zh", 4);
        json_t *chinese = json_object_get(object, other);
        json_t *english = json_object_get(object, pairs[i].key);
        if (chinese != NULL)
            choose(object, pairs[i].key, length, language == CHINESE ? chinese : english,
                   language == CHINESE ? english : chinese, language);
    }
    localize_names(object, language);
}

void localize(json_t *document, enum language language)
{
    if (json_is_object(document)) {
        localize_object(document, language);
        return;
    }
    size_t index;
    json_t *value;
    json_array_foreach(document, index, value) localize(value, language);
}
