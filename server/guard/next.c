/* The target of a redirect after signing in is a visitor's input: what a browser could
 * read as another site, or a proxy as another header, is not taken. */
#include "server/guard/next.h"

#include "server/base/percent.h"

const char *next_path(const char *wanted, const char *fallback)
{
    if (!wanted || wanted[0] != '/' || wanted[1] == '/')
        return fallback;
    for (const char *at = wanted; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '%') {
            int high = hex_digit(at[1]), low = high < 0 ? -1 : hex_digit(at[2]);
            if (low < 0)
                return fallback;
            c = (unsigned char)(high * 16 + low);
        }
        if (c <= 0x20 || c == 0x7f || c == '\\' || (c == '/' && *at == '%'))
            return fallback;
    }
    return wanted;
}
