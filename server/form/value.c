/* The formats of single values; see value.h for their sources. */
#include "server/form/value.h"

#include "server/base/buf.h"
#include "server/base/identifier.h"
#include "server/base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_alnum(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_ascii(char c)
{
    return (unsigned char)c < 0x80;
}

static bool white(int32_t code)
{
    return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 ||
           code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
           code == 0x202F || code == 0x205F || code == 0x3000;
}

const char *value_trim(struct arena *arena, const char *text, size_t length)
{
    size_t start = length;
    size_t end = 0;
    size_t size;
    for (size_t at = 0; at < length; at += size) {
        if (white(utf8_next(text + at, length - at, &size)))
            continue;
        if (start == length)
            start = at;
        end = at + size;
    }
    return end > start ? arena_copy(arena, text + start, end - start)
                       : arena_string(arena, "");
}

/* `text` with `from` (a full-width character) as `to`. */
static char *narrow(struct arena *arena, const char *text, const char *from, char to)
{
    char *copy = arena_string(arena, text);
    size_t width = strlen(from);
    char *found;
    while ((found = strstr(copy, from)) != NULL) {
        *found = to;
        memmove(found + 1, found + width, strlen(found + width) + 1);
    }
    return copy;
}

/* Host labels: letters (of any script), digits, inner hyphens, 1 to 63 bytes. */
static bool host_fits(const char *host, size_t length, size_t *labels)
{
    size_t label = 0;
    *labels = 0;
    if (length == 0 || length > 253)
        return false;
    for (size_t i = 0; i <= length; i++) {
        if (i == length || host[i] == '.') {
            if (label == 0 || label > 63 || host[i - 1] == '-' || host[i - label] == '-')
                return false;
            ++*labels;
            label = 0;
        } else if (is_alnum(host[i]) || host[i] == '-' || !is_ascii(host[i])) {
            label++;
        } else {
            return false;
        }
    }
    return true;
}

const char *value_email(const char **out, struct arena *arena, const char *text)
{
    const char *address = narrow(arena, text, "\xEF\xBC\xA0", '@');
    address = narrow(arena, address, "\xEF\xBC\x8E", '.');
    const char *at = strchr(address, '@');
    size_t length = strlen(address);
    if (at == NULL || strchr(at + 1, '@') != NULL || length > 254)
        return "email";
    size_t local = (size_t)(at - address);
    if (local == 0 || local > 64 || address[0] == '.' || at[-1] == '.' ||
        strstr(address, "..") != NULL)
        return "email";
    for (size_t i = 0; i < local; i++)
        if (is_ascii(address[i]) && !is_alnum(address[i]) &&
            strchr("!#$%&'*+-/=?^_`{|}~.", address[i]) == NULL)
            return "email";
    size_t size;
    for (size_t i = 0; i < length; i += size)
        if (white(utf8_next(address + i, length - i, &size)))
            return "email";
    size_t labels;
    if (!host_fits(at + 1, length - local - 1, &labels))
        return "email";
    const char *top = strrchr(at, '.');
    bool local_host = strcasecmp(at + 1, "localhost") == 0;
    if (!local_host && (labels < 2 || strspn(top + 1, "0123456789") == strlen(top + 1)))
        return "email";
    *out = address;
    return NULL;
}

/* Host and port between the slashes; NULL when fine. */
static const char *check_authority(const char *start, size_t length)
{
    if (memchr(start, '@', length) != NULL)
        return "url_credentials";
    const char *host_end = start + length;
    if (length > 0 && start[0] == '[') { /* IPv6 */
        const char *close = memchr(start, ']', length);
        if (close == NULL ||
            strspn(start + 1, "0123456789abcdefABCDEF:.") != (size_t)(close - start - 1))
            return "url";
        host_end = close + 1;
    } else {
        const char *colon = memchr(start, ':', length);
        if (colon != NULL)
            host_end = colon;
        size_t labels;
        size_t host = (size_t)(host_end - start);
        if (host > 1 && start[host - 1] == '.')
            host--;
        if (!host_fits(start, host, &labels))
            return "url";
    }
    size_t port = length - (size_t)(host_end - start);
    if (port == 0)
        return NULL;
    if (host_end[0] != ':' || port > 6 || strspn(host_end + 1, "0123456789") < port - 1)
        return "url";
    return NULL;
}

/* Adds a character of a URL; false when it can't be in one. What browsers encode in a
 * path is encoded here (the DOIs of the 1990s have <> in them). */
static bool add_url_character(struct buf *url, const char *text, size_t size)
{
    size_t width;
    int32_t code = utf8_next(text, size, &width);
    if (white(code) || code < 0x20 || code == '\\' || code == '"')
        return false;
    if (code < 0x80 && strchr("<>^`{|}", code) != NULL)
        buf_print(url, "%%%02X", (unsigned)code);
    else
        buf_append(url, text, size);
    return true;
}

const char *value_url(const char **out, struct arena *arena, const char *text)
{
    size_t scheme = 0;
    if (strncasecmp(text, "https://", 8) == 0)
        scheme = 8;
    else if (strncasecmp(text, "http://", 7) == 0)
        scheme = 7;
    else
        return "url_scheme";
    const char *wrong = check_authority(text + scheme, strcspn(text + scheme, "/?#"));
    if (wrong != NULL)
        return wrong;
    struct buf url = buf_on(arena);
    size_t length = strlen(text);
    size_t size;
    for (size_t at = 0; at < length; at += size) {
        utf8_next(text + at, length - at, &size);
        if (!add_url_character(&url, text + at, size))
            return "url";
    }
    for (size_t i = 0; i < scheme; i++)
        if (url.data[i] >= 'A' && url.data[i] <= 'Z')
            url.data[i] = (char)(url.data[i] + 32);
    *out = url.data;
    return NULL;
}

const char *value_phone(const char **out, struct arena *arena, const char *text)
{
    const char *phone = narrow(arena, text, "\xEF\xBC\x8B", '+');
    phone = narrow(arena, phone, "\xEF\xBC\x88", '(');
    phone = narrow(arena, phone, "\xEF\xBC\x89", ')');
    size_t digits = 0;
    for (const char *at = phone; *at != '\0'; at++) {
        digits += is_digit(*at);
        if (!is_digit(*at) && strchr(" ()-./+", *at) == NULL)
            return "phone";
        if (*at == '+' && at != phone && at[-1] != '(')
            return "phone";
    }
    if (digits < 3 || digits > 20)
        return "phone";
    *out = phone;
    return NULL;
}

/* After the first of `prefixes` (NULL-terminated) that `text` starts with, in any case.
 */
static const char *without_prefix(const char *text, const char *const *prefixes)
{
    for (; *prefixes != NULL; prefixes++)
        if (strncasecmp(text, *prefixes, strlen(*prefixes)) == 0)
            return text + strlen(*prefixes);
    return text;
}

const char *value_orcid(const char **out, struct arena *arena, const char *text)
{
    static const char *const prefixes[] = {"https://orcid.org/",
                                           "http://orcid.org/",
                                           "https://www.orcid.org/",
                                           "orcid.org/",
                                           "orcid:",
                                           NULL};
    char digits[17];
    size_t count = 0;
    for (const char *at = without_prefix(text, prefixes); *at != '\0'; at++) {
        char c = *at == 'x' ? 'X' : *at;
        if (c == '-' || c == ' ')
            continue;
        if (count == 16 || (!is_digit(c) && !(c == 'X' && count == 15)))
            return "orcid";
        digits[count++] = c;
    }
    if (count != 16)
        return "orcid";
    int total = 0;
    for (size_t i = 0; i < 15; i++)
        total = (total + (digits[i] - '0')) * 2;
    int check = (12 - total % 11) % 11;
    if (digits[15] != (check == 10 ? 'X' : (char)('0' + check)))
        return "orcid_check";
    *out = arena_print(arena, "%.4s-%.4s-%.4s-%.4s", digits, digits + 4, digits + 8,
                       digits + 12);
    return NULL;
}

const char *value_identifier(const char **out, struct arena *arena, const char *scheme,
                             const char *text)
{
    struct slice found;
    *out = text;
    if (!identifier_of(&found, arena, scheme, slice_of(text)))
        return NULL; /* a scheme that a theme's form adds */
    const char *doi = strcmp(scheme, "doi") == 0 ? strstr(text, "10.") : NULL;
    bool gap =
        doi != NULL && strchr(doi, ' ') != NULL; /* its rest would be lost unseen */
    if (found.length == 0 || gap)
        return scheme;
    *out = found.bytes;
    return NULL;
}

static bool is_token(const char *text, const char *kind)
{
    static const char characters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        "0123456789-_";
    const size_t lead = strlen(kind);
    return strncmp(text, kind, lead) == 0 && strspn(text + lead, characters) == 43 &&
           text[lead + 43] == '\0';
}

bool value_photo(const char *text)
{
    return is_token(text, "photo-");
}

bool value_document(const char *text)
{
    return is_token(text, "file-");
}

bool value_integer(json_int_t *out, const char *text)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    size_t count = strlen(digits);
    if (count == 0 || count > 18 || strspn(digits, "0123456789") != count)
        return false;
    *out = strtoll(text, NULL, 10);
    return true;
}

bool value_decimal(double *out, const char *text)
{
    const char *at = text[0] == '-' ? text + 1 : text;
    size_t whole = strspn(at, "0123456789");
    size_t part = 0;
    if (at[whole] == '.') {
        part = strspn(at + whole + 1, "0123456789");
        if (part == 0 || at[whole + 1 + part] != '\0')
            return false;
    } else if (at[whole] != '\0') {
        return false;
    }
    if (whole == 0 || whole + part > 15)
        return false;
    *out = strtod(text, NULL);
    return true;
}

const char *value_printable(struct arena *arena, const char *text, size_t length,
                            size_t most, bool multiline)
{
    struct buf out = buf_on(arena);
    size_t size;
    size_t count = 0;
    for (size_t at = 0; at < length; at += size) {
        if (count++ == most) {
            buf_string(&out, "\u2026");
            break;
        }
        int32_t code = utf8_next(text + at, length - at, &size);
        bool fine = utf8_fault(text + at, size, multiline) == UTF8_FINE;
        if (fine || (multiline && code == '\r'))
            buf_append(&out, text + at, size);
        else
            buf_string(&out, "\uFFFD");
    }
    return out.data;
}
