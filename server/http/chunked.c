/* The framing of a chunked body; see chunked.h. */
#include "server/http/chunked.h"

#include "server/base/percent.h"

enum { SIZE_DIGITS_MAX = 8, EXTENSION_MAX = 256 };

static enum chunked_state expect(char c, char wanted, enum chunked_state next)
{
    return c == wanted ? next : CHUNK_FAULT;
}

static enum chunked_state read_size(struct chunked *chunked, char c)
{
    int digit = hex_digit(c);
    if (digit >= 0) {
        chunked->size = chunked->size * 16 + (uint64_t)digit;
        return ++chunked->digits > SIZE_DIGITS_MAX ? CHUNK_FAULT : CHUNK_SIZE;
    }
    if (chunked->digits == 0)
        return CHUNK_FAULT;
    if (c == ';')
        return CHUNK_EXTENSION;
    return expect(c, '\r', CHUNK_SIZE_FEED);
}

static enum chunked_state read_extension(struct chunked *chunked, char c)
{
    if (c == '\r')
        return CHUNK_SIZE_FEED;
    bool printable = (unsigned char)c >= ' ' || c == '\t';
    return printable && ++chunked->extension <= EXTENSION_MAX ? CHUNK_EXTENSION
                                                              : CHUNK_FAULT;
}

static enum chunked_state step(struct chunked *chunked, char c)
{
    switch (chunked->state) {
    case CHUNK_SIZE:
        return read_size(chunked, c);
    case CHUNK_EXTENSION:
        return read_extension(chunked, c);
    case CHUNK_SIZE_FEED:
        return expect(c, '\n', chunked->size > 0 ? CHUNK_DATA : CHUNK_LAST_RETURN);
    case CHUNK_DATA:
        return --chunked->size > 0 ? CHUNK_DATA : CHUNK_DATA_RETURN;
    case CHUNK_DATA_RETURN:
        return expect(c, '\r', CHUNK_DATA_FEED);
    case CHUNK_DATA_FEED:
        chunked->digits = 0;
        chunked->extension = 0;
        return expect(c, '\n', CHUNK_SIZE);
    case CHUNK_LAST_RETURN:
        return expect(c, '\r', CHUNK_LAST_FEED);
    case CHUNK_LAST_FEED:
        return expect(c, '\n', CHUNK_END);
    case CHUNK_END:
    case CHUNK_FAULT:
        break;
    }
    return CHUNK_FAULT;
}

size_t chunked_read(struct chunked *chunked, const char *bytes, size_t length)
{
    size_t used = 0;
    while (used < length && chunked->state != CHUNK_END &&
           chunked->state != CHUNK_FAULT) {
        if (chunked->state == CHUNK_DATA && chunked->size > 1) {
            uint64_t skip = chunked->size - 1;
            if (skip > length - used)
                skip = length - used;
            chunked->size -= skip;
            used += skip;
            continue;
        }
        chunked->state = step(chunked, bytes[used]);
        used++;
    }
    return used;
}
