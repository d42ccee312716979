/* A piece of somebody else's text: `length` bytes, no NUL behind them. */
#ifndef LABD_BASE_SLICE_H
#define LABD_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct slice {
    const char *bytes;
    size_t length;
};

/* A whole C string. */
static inline struct slice slice_of(const char *string)
{
    return (struct slice){string, strlen(string)};
}

static inline struct slice slice_between(const char *from, const char *to)
{
    return (struct slice){from, (size_t)(to - from)};
}

static inline bool slice_is(struct slice slice, const char *string)
{
    size_t length = strlen(string);
    return slice.length == length && memcmp(slice.bytes, string, length) == 0;
}

/* The same but for the case of ASCII letters. */
static inline bool slice_like(struct slice slice, const char *string)
{
    size_t length = strlen(string);
    return slice.length == length && strncasecmp(slice.bytes, string, length) == 0;
}

static inline bool text_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool text_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool text_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static inline struct slice slice_trim(struct slice slice)
{
    while (slice.length > 0 && text_space(slice.bytes[0])) {
        slice.bytes++;
        slice.length--;
    }
    while (slice.length > 0 && text_space(slice.bytes[slice.length - 1]))
        slice.length--;
    return slice;
}

#endif
