/* Documents as C tests write them. */
#ifndef LABD_TESTS_JSON_H
#define LABD_TESTS_JSON_H

#include "server/base/arena.h"

#include <criterion/criterion.h>
#include <jansson.h>

/* ' stands for ". On the current arena. */
static inline json_t *parse_quoted(const char *text)
{
    char *copy = arena_string(arena_current(), text);
    for (char *at = copy; *at != '\0'; at++)
        if (*at == '\'')
            *at = '"';
    json_error_t error;
    json_t *value = json_loads(copy, JSON_DECODE_ANY, &error);
    cr_assert_not_null(value, "%s: %s", copy, error.text);
    return value;
}

#endif
