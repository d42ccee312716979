/* Events on standard error, one a line, in logfmt: time, level, event, the request's id
 * where there is one, then the caller's fields. Values are quoted and escaped as needed;
 * secrets are never passed in. Safe from any thread. */
#ifndef LABD_BASE_LOG_H
#define LABD_BASE_LOG_H

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

/* `event` is dotted ("db.lost"); then key, value pairs of strings (a NULL value is
 * written as null), then NULL. Numbers go through NUM() of buf.h. */
void log_write(enum log_level level, const char *event, ...) __attribute__((sentinel));

#define log_debug(...) log_write(LOG_DEBUG, __VA_ARGS__, NULL)
#define log_info(...) log_write(LOG_INFO, __VA_ARGS__, NULL)
#define log_warning(...) log_write(LOG_WARNING, __VA_ARGS__, NULL)
#define log_error(...) log_write(LOG_ERROR, __VA_ARGS__, NULL)

/* Events below this level are dropped; LOG_INFO at first. */
void log_level(enum log_level least);

/* The id that lines of this thread carry from now on; NULL for none. Not copied. */
void log_request(const char *id);

#endif
