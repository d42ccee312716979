/* The target of a redirect after signing in is a visitor's input: what a browser could
 * read as another site, or a proxy as another header, is not taken. */
#include "server/guard/next.h"

#include "server/base/buf.h"

#include <string.h>
#include <strings.h>

static int hex(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c | 0x20) : NULL;
    return at ? (int)(at - digits) : -1;
}

const char *next_path(const char *wanted, const char *fallback)
{
    if (!wanted || wanted[0] != '/' || wanted[1] == '/')
        return fallback;
    for (const char *at = wanted; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '%') {
            int high = hex(at[1]), low = high < 0 ? -1 : hex(at[2]);
            if (low < 0)
                return fallback;
            c = (unsigned char)(high * 16 + low);
        }
        if (c <= 0x20 || c == 0x7f || c == '\\' || (c == '/' && *at == '%'))
            return fallback;
    }
    return wanted;
}

const char *next_encode(struct arena *arena, const char *text)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    struct buf out = buf_on(arena);
    for (; *text; text++) {
        if (strchr(plain, *text))
            buf_char(&out, *text);
        else
            buf_print(&out, "%%%02X", (unsigned char)*text);
    }
    return out.data;
}
