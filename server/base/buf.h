/* A growing string. `data` is never NULL and always has a NUL at data[length]; bytes may
 * hold anything, NUL included. The memory comes from an arena; growing leaves the old
 * copy behind there, which is given back with the arena. */
#ifndef LABD_BASE_BUF_H
#define LABD_BASE_BUF_H

#include "server/base/arena.h"

#include <stdio.h>
#include <string.h>

struct buf {
    char *data;
    size_t length, capacity;
    struct arena *arena;
};

struct buf buf_on(struct arena *arena);
void buf_reserve(struct buf *buf, size_t more); /* room for `more` further bytes */
void buf_append(struct buf *buf, const void *bytes, size_t length);
void buf_string(struct buf *buf, const char *string);
void buf_print(struct buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline void buf_char(struct buf *buf, char c)
{
    if (buf->length + 1 >= buf->capacity)
        buf_reserve(buf, 1);
    buf->data[buf->length++] = c;
    buf->data[buf->length] = '\0';
}

/* Decimal text of an integer, living as long as the enclosing block: for log fields and
 * query parameters. */
#define NUM(n) number_text((char[24]){0}, (long long)(n))

static inline const char *number_text(char *space, long long number)
{
    snprintf(space, 24, "%lld", number);
    return space;
}

#endif
