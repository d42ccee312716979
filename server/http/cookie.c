/* Cookies as the browser sends them; see cookie.h. */
#include "server/http/cookie.h"

#include "server/base/config.h"

#include <string.h>

bool cookie_secure(void)
{
    return config.base_url != NULL && strncmp(config.base_url, "https:", 6) == 0;
}

const char *cookie_name(struct arena *arena, const char *name)
{
    return cookie_secure() ? arena_print(arena, "__Host-%s", name) : name;
}

bool cookie_find(const char *field, const char *name, const char **value, size_t *length)
{
    size_t wanted = strlen(name);
    while (*field != '\0') {
        field += strspn(field, "; \t");
        size_t pair = strcspn(field, ";");
        if (pair > wanted && field[wanted] == '=' && memcmp(field, name, wanted) == 0) {
            *value = field + wanted + 1;
            *length = pair - wanted - 1;
            while (*length > 0 &&
                   ((*value)[*length - 1] == ' ' || (*value)[*length - 1] == '\t'))
                --*length;
            if (*length > 1 && **value == '"' && (*value)[*length - 1] == '"') {
                ++*value;
                *length -= 2;
            }
            return true;
        }
        field += pair;
    }
    return false;
}
