/* Reading a document: what stands under a key of it. NULL has nothing. */
#ifndef LABD_BASE_DOCUMENT_H
#define LABD_BASE_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A string; NULL when there is none. */
static inline const char *text_of(const json_t *document, const char *key)
{
    return json_string_value(json_object_get(document, key));
}

/* A string with something in it; else NULL. */
static inline const char *filled_of(const json_t *document, const char *key)
{
    const char *text = text_of(document, key);
    return text != NULL && *text != '\0' ? text : NULL;
}

/* A string, or `fallback`. */
static inline const char *text_at(const json_t *document, const char *key,
                                  const char *fallback)
{
    const char *text = text_of(document, key);
    return text != NULL ? text : fallback;
}

/* 0 when there is none. */
static inline int64_t integer_at(const json_t *document, const char *key)
{
    return json_integer_value(json_object_get(document, key));
}

static inline bool truth_at(const json_t *document, const char *key)
{
    return json_is_true(json_object_get(document, key));
}

#endif
