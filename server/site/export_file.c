/* A finished file as an answer. */
#include "server/site/export.h"

#include "server/base/percent.h"
#include "server/base/utf8.h"
#include "server/site/site.h"
#include "server/view/view.h"

#include <string.h>

enum { NAME_MAX_POINTS = 80 };

struct sheet_words export_words(const struct request *request, const char *title)
{
    enum language language = request->language;
    return (struct sheet_words){
        .title = title,
        .cut = view_message(site.view, language, "export.sheet.cut"),
        .notes = view_message(site.view, language, "export.sheet.notes"),
        .row = view_message(site.view, language, "export.sheet.row"),
        .column = view_message(site.view, language, "export.sheet.column"),
        .length = view_message(site.view, language, "export.sheet.length")};
}

/* What no file system of today takes becomes a hyphen. */
static const char *file_name(struct arena *arena, const char *name)
{
    struct buf out = buf_on(arena);
    size_t length = strlen(name), size, points = 0;
    for (size_t at = 0; at < length && points < NAME_MAX_POINTS; at += size, points++) {
        int32_t code = utf8_next(name + at, length - at, &size);
        if (code < 0x20 || code == 0x7f || (code < 0x80 && strchr("/\\:*?\"<>|", code)))
            buf_char(&out, '-');
        else
            buf_append(&out, name + at, size);
    }
    return out.data;
}

void export_send(struct response *response, int fd, enum sheet_format format,
                 const char *plain, const char *name)
{
    struct arena *arena = response->arena;
    const char *ending = sheet_ending(format);
    response->has_file = true;
    response->file = fd;
    response->type = sheet_type(format);
    response_header(
        response, "Content-Disposition",
        arena_print(arena, "attachment; filename=\"%s.%s\"; filename*=UTF-8''%s.%s",
                    plain, ending, percent_text(arena, file_name(arena, name)), ending));
    response_header(response, "Cache-Control", "private, no-store");
}
