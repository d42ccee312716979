/* Reading field parameters; see parameters.h. */
#include "server/http/parameters.h"

#include "server/base/buf.h"

#include <string.h>
#include <strings.h>

static const char *skip_space(const char *text)
{
    return text + strspn(text, " \t");
}

bool parameters_value_is(const char *field, const char *value)
{
    size_t length = strlen(value);
    field = skip_space(field);
    if (strncasecmp(field, value, length) != 0)
        return false;
    field = skip_space(field + length);
    return *field == '\0' || *field == ';';
}

/* A quoted string. Browsers escape nothing with "\" (WHATWG HTML, multipart/form-data
 * encoding), others escape quotes and backslashes; both are read. */
static const char *read_quoted(const char *text, struct buf *value)
{
    for (text++; *text != '"'; text++) {
        if (*text == '\0')
            return NULL;
        if (*text == '\\' && (text[1] == '"' || text[1] == '\\'))
            text++;
        buf_char(value, *text);
    }
    return text + 1;
}

static const char *read_token(const char *text, struct buf *value)
{
    size_t length = strcspn(text, "; \t\"");
    buf_append(value, text, length);
    return length > 0 ? text + length : NULL;
}

enum result parameters_find(struct arena *arena, const char *field, const char *name,
                            const char **found)
{
    size_t wanted = strlen(name);
    *found = NULL;
    field += strcspn(field, ";");
    while (*field == ';') {
        field = skip_space(field + 1);
        size_t length = strcspn(field, "=; \t\"");
        if (length == 0 && (*field == ';' || *field == '\0'))
            continue;
        if (length == 0 || field[length] != '=')
            return INVALID;
        bool match = length == wanted && strncasecmp(field, name, length) == 0;
        struct buf value = buf_on(arena);
        field += length + 1;
        field = *field == '"' ? read_quoted(field, &value) : read_token(field, &value);
        if (field == NULL || (match && *found != NULL))
            return INVALID;
        field = skip_space(field);
        if (match)
            *found = value.data;
    }
    return *field == '\0' ? OK : INVALID;
}
