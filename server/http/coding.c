/* Choosing and making content codings, and entity tags; see coding.h. */
#include "server/http/coding.h"

#define ZLIB_CONST
#include <brotli/encode.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

const char *const coding_names[CODING_COUNT] = {"identity", "gzip", "br"};

/* "q=0.8" in thousandths (RFC 9110 section 12.4.2); malformed counts as not wanted. */
static int read_weight(const char *text)
{
    if (*text != '0' && *text != '1')
        return 0;
    int weight = (*text - '0') * 1000;
    text++;
    if (*text == '.') {
        int unit = 100;
        for (text++; unit > 0 && *text >= '0' && *text <= '9'; text++, unit /= 10)
            weight += (*text - '0') * unit;
    }
    return weight > 1000 ? 1000 : weight;
}

static int member_weight(const char *member, size_t length)
{
    const char *semicolon = memchr(member, ';', length);
    if (semicolon == NULL)
        return 1000;
    semicolon++;
    semicolon += strspn(semicolon, " \t");
    if ((*semicolon == 'q' || *semicolon == 'Q') && semicolon[1] == '=')
        return read_weight(semicolon + 2);
    return 1000;
}

enum coding coding_choose(const char *accept)
{
    int weights[CODING_COUNT] = {-1, -1, -1};
    int any = 0;
    while (accept != NULL && *accept != '\0') {
        accept += strspn(accept, ", \t");
        size_t length = strcspn(accept, ",");
        size_t name = strcspn(accept, ",; \t");
        int weight = member_weight(accept, length);
        if (name == 1 && *accept == '*')
            any = weight;
        for (int i = 0; i < CODING_COUNT; i++)
            if (strlen(coding_names[i]) == name &&
                strncasecmp(accept, coding_names[i], name) == 0)
                weights[i] = weight;
        accept += length;
    }
    enum coding best = IDENTITY;
    int best_weight = 0;
    for (int i = GZIP; i < CODING_COUNT; i++) {
        int weight = weights[i] < 0 ? any : weights[i];
        if (weight > 0 && weight >= best_weight) {
            best = (enum coding)i;
            best_weight = weight;
        }
    }
    return weights[IDENTITY] > best_weight ? IDENTITY : best;
}

static char *gzip(int effort, const char *bytes, size_t length, size_t *compressed)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, effort, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    char *out = malloc(length);
    stream.next_in = (const unsigned char *)bytes;
    stream.avail_in = (unsigned)length;
    stream.next_out = (unsigned char *)out;
    stream.avail_out = (unsigned)length;
    int status = out != NULL ? deflate(&stream, Z_FINISH) : Z_MEM_ERROR;
    *compressed = length - stream.avail_out;
    deflateEnd(&stream);
    if (status == Z_STREAM_END)
        return out;
    free(out);
    return NULL;
}

static char *brotli(int effort, const char *bytes, size_t length, size_t *compressed)
{
    char *out = malloc(length);
    *compressed = length;
    if (out != NULL &&
        BrotliEncoderCompress(effort, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, length,
                              (const uint8_t *)bytes, compressed, (uint8_t *)out))
        return out;
    free(out);
    return NULL;
}

char *coding_compress(enum coding coding, int effort, const char *bytes, size_t length,
                      size_t *compressed)
{
    if (length < 64 || length > 64 * 1024 * 1024)
        return NULL;
    switch (coding) {
    case GZIP:
        return gzip(effort, bytes, length, compressed);
    case BROTLI:
        return brotli(effort, bytes, length, compressed);
    case IDENTITY:
    case CODING_COUNT:
        break;
    }
    return NULL;
}

bool coding_is_text(const char *type)
{
    static const char *const texts[] = {"text/",
                                        "application/json",
                                        "application/problem+json",
                                        "application/xml",
                                        "application/atom+xml",
                                        "application/rss+xml",
                                        "application/schema+json",
                                        "application/javascript",
                                        "application/manifest+json",
                                        "image/svg+xml"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strncasecmp(type, texts[i], strlen(texts[i])) == 0)
            return true;
    return false;
}

void etag_make(char etag[ETAG_SIZE], int version, const char *bytes, size_t length,
               enum coding coding)
{
    static const char *const suffixes[CODING_COUNT] = {"\"", "-gz\"", "-br\""};
    unsigned char hash[16];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)bytes, length, NULL, 0);
    char lead[12] = "";
    char text[23];
    if (version > 0)
        snprintf(lead, sizeof lead, "%d.", version);
    sodium_bin2base64(text, sizeof text, hash, sizeof hash,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    snprintf(etag, ETAG_SIZE, "\"%s%s%s", lead, text, suffixes[coding]);
}

bool etag_matches(const char *list, const char *etag)
{
    if (list == NULL)
        return false;
    list += strspn(list, " \t");
    if (strcmp(list, "*") == 0)
        return true;
    size_t wanted = strlen(etag);
    while (*list != '\0') {
        list += strspn(list, ", \t");
        if (strncmp(list, "W/", 2) == 0)
            list += 2;
        if (*list != '"')
            return false;
        size_t length = 1 + strcspn(list + 1, "\"");
        if (list[length] != '"')
            return false;
        length++;
        if (length == wanted && memcmp(list, etag, length) == 0)
            return true;
        list += length;
    }
    return false;
}
