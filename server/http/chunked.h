/* The framing of a chunked body (RFC 9112 section 7.1), read strictly: no extensions
 * beyond 256 bytes, no trailer fields. Pure. */
#ifndef LABD_HTTP_CHUNKED_H
#define LABD_HTTP_CHUNKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum chunked_state {
    CHUNK_SIZE,
    CHUNK_EXTENSION,
    CHUNK_SIZE_FEED,
    CHUNK_DATA,
    CHUNK_DATA_RETURN,
    CHUNK_DATA_FEED,
    CHUNK_LAST_RETURN,
    CHUNK_LAST_FEED,
    CHUNK_END,
    CHUNK_FAULT
};

struct chunked {
    enum chunked_state state;
    int digits, extension;
    uint64_t size; /* of the chunk: what is left of it */
};

/* Takes bytes until the body ends, it is malformed or they run out; returns how many
 * belong to the body. */
size_t chunked_read(struct chunked *chunked, const char *bytes, size_t length);

#endif
