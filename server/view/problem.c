/* Problems told with their place, as a person who edits the template needs them. */
#include "server/base/utf8.h"
#include "server/view/node.h"

#include <stdarg.h>

enum result template_complain(const struct template *template, size_t at,
                              struct template_problem *problem, const char *format, ...)
{
    const char *source = template->source.bytes;
    size_t length = template->source.length;
    size_t line_at = 0;
    at = at < length ? at : length;
    problem->line = 1;
    for (size_t i = 0; i < at; i++)
        if (source[i] == '\n') {
            problem->line++;
            line_at = i + 1;
        }
    problem->column = 1 + (unsigned)utf8_length(source + line_at, at - line_at);
    size_t end = line_at;
    while (end < length && source[end] != '\n' && source[end] != '\r')
        end++;
    snprintf(problem->source, sizeof problem->source, "%.*s", (int)(end - line_at),
             source + line_at);
    snprintf(problem->file, sizeof problem->file, "%s", template->file);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->reason, sizeof problem->reason, format, arguments);
    va_end(arguments);
    return INVALID;
}
