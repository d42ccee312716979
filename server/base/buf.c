/* The growing string; see buf.h. */
#include "server/base/buf.h"

#include <stdarg.h>
#include <stdlib.h>

struct buf buf_on(struct arena *arena)
{
    static char empty[1];
    return (struct buf){.data = empty, .arena = arena};
}

void buf_reserve(struct buf *buf, size_t more)
{
    size_t needed = buf->length + more + 1;
    if (needed <= buf->capacity)
        return;
    size_t capacity = buf->capacity > 0 ? buf->capacity : 128;
    while (capacity < needed)
        capacity *= 2;
    char *data = arena_alloc(buf->arena, capacity);
    memcpy(data, buf->data, buf->length + 1);
    buf->data = data;
    buf->capacity = capacity;
}

void buf_append(struct buf *buf, const void *bytes, size_t length)
{
    if (length == 0)
        return;
    buf_reserve(buf, length);
    memcpy(buf->data + buf->length, bytes, length);
    buf->length += length;
    buf->data[buf->length] = '\0';
}

void buf_string(struct buf *buf, const char *string)
{
    buf_append(buf, string, strlen(string));
}

void buf_print(struct buf *buf, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        abort();
    buf_reserve(buf, (size_t)length);
    va_start(arguments, format);
    vsnprintf(buf->data + buf->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buf->length += (size_t)length;
}
