/* The logger: a line is built in one buffer and written with one call, so that lines of
 * several threads never mix. */
#include "server/base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_MAX_BYTES 4096

struct line {
    char bytes[LINE_MAX_BYTES];
    size_t length;
};

static enum log_level threshold = LOG_INFO;
static _Thread_local const char *request_id;

void log_level(enum log_level least)
{
    threshold = least;
}

void log_request(const char *id)
{
    request_id = id;
}

/* Keeps room for the newline; what does not fit is cut. */
static void put(struct line *line, const char *bytes, size_t length)
{
    size_t room = LINE_MAX_BYTES - 1 - line->length;
    if (length > room)
        length = room;
    memcpy(line->bytes + line->length, bytes, length);
    line->length += length;
}

static bool plain(const char *value)
{
    if (*value == '\0')
        return false;
    for (; *value != '\0'; value++)
        if ((unsigned char)*value <= ' ' || strchr("\"=\\\177", *value) != NULL)
            return false;
    return true;
}

static void put_value(struct line *line, const char *value)
{
    if (value == NULL) {
        put(line, "null", 4);
    } else if (plain(value)) {
        put(line, value, strlen(value));
    } else {
        put(line, "\"", 1);
        for (; *value != '\0'; value++) {
            unsigned char c = (unsigned char)*value;
            char escaped[8];
            if (c == '"' || c == '\\')
                snprintf(escaped, sizeof escaped, "\\%c", c);
            else if (c == '\n')
                snprintf(escaped, sizeof escaped, "\\n");
            else if (c < ' ' || c == 127)
                snprintf(escaped, sizeof escaped, "\\x%02x", c);
            else
                snprintf(escaped, sizeof escaped, "%c", c);
            put(line, escaped, strlen(escaped));
        }
        put(line, "\"", 1);
    }
}

static void put_field(struct line *line, const char *key, const char *value)
{
    if (line->length > 0)
        put(line, " ", 1);
    put(line, key, strlen(key));
    put(line, "=", 1);
    put_value(line, value);
}

void log_write(enum log_level level, const char *event, ...)
{
    static const char *const names[] = {"debug", "info", "warning", "error"};
    if (level < threshold)
        return;
    struct line line = {.length = 0};
    struct timespec now;
    struct tm utc;
    char time[32];
    size_t length;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    length = strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(time + length, sizeof time - length, ".%03dZ", (int)(now.tv_nsec / 1000000));
    put_field(&line, "time", time);
    put_field(&line, "level", names[level]);
    put_field(&line, "event", event);
    if (request_id != NULL)
        put_field(&line, "request", request_id);
    va_list fields;
    va_start(fields, event);
    for (const char *key = va_arg(fields, const char *); key != NULL;
         key = va_arg(fields, const char *))
        put_field(&line, key, va_arg(fields, const char *));
    va_end(fields);
    line.bytes[line.length++] = '\n';
    if (write(STDERR_FILENO, line.bytes, line.length) < 0)
        return; /* nowhere left to say so */
}
