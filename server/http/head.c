/* The strict reading of a request head; see head.h. */
#include "server/http/head.h"

#include <string.h>
#include <strings.h>

struct line {
    const char *text;
    size_t length;
};

/* What the fields add up to. */
struct facts {
    int minor; /* of HTTP/1.minor */
    int fields, hosts, lengths, codings, cookies, arguments;
    size_t cookie_bytes;
    bool chunked;
    uint64_t content_length;
};

/* RFC 9110 5.6.2. */
static bool token_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

size_t head_end(const char *bytes, size_t length, size_t *scanned, int *status)
{
    size_t at = *scanned;
    *status = 0;
    if (length > 0 && !token_character(bytes[0])) {
        *status = 400;
        return 0;
    }
    const char *feed;
    while (at < length && (feed = memchr(bytes + at, '\n', length - at)) != NULL) {
        size_t place = (size_t)(feed - bytes);
        if (place == 0 || bytes[place - 1] != '\r') {
            *status = 400;
            return 0;
        }
        at = place + 1;
        if (at > HEAD_BYTES_MAX)
            break;
        if (place >= 3 && bytes[place - 2] == '\n')
            return at;
    }
    *scanned = length;
    if (length > HEAD_BYTES_MAX)
        *status = memchr(bytes, '\n', HEAD_TARGET_MAX + 64) == NULL ? 414 : 431;
    return 0;
}

static int read_method(const struct line *method)
{
    static const char *const served[] = {"GET",    "HEAD", "POST",    "PATCH",
                                         "DELETE", "PUT",  "OPTIONS", "TRACE"};
    if (method->length == 0)
        return 400;
    for (size_t i = 0; i < method->length; i++)
        if (!token_character(method->text[i]))
            return 400;
    for (size_t i = 0; i < sizeof served / sizeof served[0]; i++)
        if (strlen(served[i]) == method->length &&
            memcmp(served[i], method->text, method->length) == 0)
            return 0;
    return method->length == 7 && memcmp(method->text, "CONNECT", 7) == 0 ? 405 : 501;
}

/* Origin form alone (RFC 9112 3.2.1); bytes beyond ASCII must be percent-encoded. */
static int read_target(const struct line *target, struct facts *facts)
{
    facts->arguments = 1;
    if (target->length > HEAD_TARGET_MAX)
        return 414;
    if (target->length == 0 || target->text[0] != '/')
        return 400;
    for (size_t i = 0; i < target->length; i++) {
        unsigned char c = (unsigned char)target->text[i];
        if (c <= ' ' || c >= 0x7f || c == '#')
            return 400;
        facts->arguments += c == '&';
    }
    return facts->arguments > HEAD_ARGUMENTS_MAX ? 400 : 0;
}

static int read_version(const struct line *version, int *minor)
{
    if (version->length != 8 || memcmp(version->text, "HTTP/", 5) != 0 ||
        version->text[6] != '.')
        return 400;
    if (version->text[5] != '1' || (version->text[7] != '0' && version->text[7] != '1'))
        return 505;
    *minor = version->text[7] - '0';
    return 0;
}

static int read_request_line(const struct line *line, struct facts *facts)
{
    const char *first = memchr(line->text, ' ', line->length);
    const char *last = memrchr(line->text, ' ', line->length);
    if (first == NULL || first == last)
        return 400;
    struct line method = {line->text, (size_t)(first - line->text)};
    struct line target = {first + 1, (size_t)(last - first) - 1};
    struct line version = {last + 1, line->length - (size_t)(last + 1 - line->text)};
    int status = read_version(&version, &facts->minor);
    if (status == 0)
        status = read_method(&method);
    return status != 0 ? status : read_target(&target, facts);
}

/* Digits alone, few enough not to overflow. */
static int read_length(const struct line *value, uint64_t *number)
{
    *number = 0;
    if (value->length == 0 || value->length > 18)
        return 400;
    for (size_t i = 0; i < value->length; i++) {
        if (value->text[i] < '0' || value->text[i] > '9')
            return 400;
        *number = *number * 10 + (uint64_t)(value->text[i] - '0');
    }
    return 0;
}

/* How much of the value is a registered name or IPv4 address. */
static size_t name_length(const struct line *value)
{
    size_t i = 0;
    while (i < value->length && token_character(value->text[i]) &&
           strchr("#^`|", value->text[i]) == NULL)
        i++;
    return i;
}

/* How much is an IPv6 address in brackets. */
static size_t literal_length(const struct line *value)
{
    size_t i = 1;
    while (i < value->length && value->text[i] != '\0' &&
           strchr("0123456789abcdefABCDEF:.", value->text[i]) != NULL)
        i++;
    return i > 1 && i < value->length && value->text[i] == ']' ? i + 1 : 0;
}

/* uri-host [ ":" port ] (RFC 9110 7.2). */
static int read_host(const struct line *value)
{
    if (value->length == 0 || value->length > 255 + 6)
        return 400;
    size_t host = value->text[0] == '[' ? literal_length(value) : name_length(value);
    if (host == 0)
        return 400;
    if (host == value->length)
        return 0;
    if (value->text[host] != ':' || value->length - host > 6)
        return 400;
    for (size_t i = host + 1; i < value->length; i++)
        if (value->text[i] < '0' || value->text[i] > '9')
            return 400;
    return 0;
}

static bool is(const struct line *line, const char *text)
{
    return line->length == strlen(text) &&
           strncasecmp(line->text, text, line->length) == 0;
}

static int read_field(const struct line *name, const struct line *value,
                      struct facts *facts)
{
    if (is(name, "host"))
        return facts->hosts++ > 0 ? 400 : read_host(value);
    if (is(name, "content-length"))
        return facts->lengths++ > 0 ? 400 : read_length(value, &facts->content_length);
    if (is(name, "transfer-encoding")) {
        facts->chunked = true;
        return facts->codings++ > 0 || !is(value, "chunked") ? 400 : 0;
    }
    if (is(name, "cookie")) {
        facts->cookie_bytes += value->length;
        for (size_t i = 0; i < value->length; i++)
            facts->cookies += value->text[i] == ';';
        return ++facts->cookies > HEAD_COOKIES_MAX ? 431 : 0;
    }
    return 0;
}

static int read_field_line(const struct line *line, struct facts *facts)
{
    size_t name = 0;
    while (name < line->length && token_character(line->text[name]))
        name++;
    if (name == 0 || name == line->length || line->text[name] != ':')
        return 400; /* a folded line, a space before the colon, no colon */
    struct line value = {line->text + name + 1, line->length - name - 1};
    for (size_t i = 0; i < value.length; i++) {
        unsigned char c = (unsigned char)value.text[i];
        if ((c < ' ' && c != '\t') || c == 0x7f)
            return 400;
    }
    while (value.length > 0 && (*value.text == ' ' || *value.text == '\t'))
        value = (struct line){value.text + 1, value.length - 1};
    while (value.length > 0 &&
           (value.text[value.length - 1] == ' ' || value.text[value.length - 1] == '\t'))
        value.length--;
    if (++facts->fields > HEAD_FIELDS_MAX)
        return 431;
    return read_field(&(struct line){line->text, name}, &value, facts);
}

static int judge(const struct facts *facts, size_t length)
{
    int records = facts->fields + facts->cookies + facts->arguments;
    if (length + facts->cookie_bytes + (size_t)records * HEAD_RECORD > HEAD_WEIGHT_MAX)
        return 431;
    if (facts->hosts == 0 && facts->minor > 0)
        return 400;
    if (facts->codings > 0 && (facts->lengths > 0 || facts->minor == 0))
        return 400;
    return 0;
}

struct head head_read(const char *bytes, size_t length)
{
    struct facts facts = {0};
    struct head head = {0};
    const char *end = bytes + length;
    const char *at = bytes;
    while (head.status == 0) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        if (feed == NULL || feed == at || feed[-1] != '\r') {
            head.status = 400;
            break;
        }
        struct line line = {at, (size_t)(feed - at) - 1};
        if (at == bytes)
            head.status = read_request_line(&line, &facts);
        else if (line.length == 0)
            break;
        else
            head.status = read_field_line(&line, &facts);
        at = feed + 1;
    }
    if (head.status == 0)
        head.status = judge(&facts, length);
    head.chunked = facts.chunked;
    head.content_length = facts.content_length;
    return head;
}
