/* Writing characters with accents, spaces and scripts; see latex_out.h. */
#include "server/text/latex_out.h"

#include "server/base/utf8.h"
#include "server/text/latex_symbol.h"

static void append(struct latex_out *out, int32_t code)
{
    char bytes[4];
    out->stray = out->stray || code >= 0x80;
    buf_append(&out->buf, bytes, utf8_put(bytes, code));
}

static void flush_gap(struct latex_out *out)
{
    if (out->gap && out->buf.length > 0)
        buf_char(&out->buf, ' ');
    out->gap = false;
}

static bool storable(int32_t code)
{
    char bytes[4];
    return utf8_fault(bytes, utf8_put(bytes, code), false) == UTF8_FINE;
}

static bool space(int32_t code)
{
    return code <= ' ' || code == 0x7F || code == 0x85 || code == 0xA0 ||
           code == 0x3000 || code == 0x2028 || code == 0x2029 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x202F;
}

void latex_put(struct latex_out *out, int32_t code)
{
    if (space(code)) {
        latex_put_space(out);
        return;
    }
    if (code >= 0x80 && !storable(code))
        return;
    flush_gap(out);
    if (out->mark_count > 0 && (code == 0x131 || code == 0x237))
        code = code == 0x131 ? 'i' : 'j'; /* \'{\i}: the dot goes by composition */
    append(out, code);
    while (out->mark_count > 0)
        append(out, out->marks[--out->mark_count]);
}

void latex_put_text(struct latex_out *out, const char *text)
{
    size_t length = strlen(text);
    size_t size;
    for (size_t at = 0; at < length; at += size)
        latex_put(out, utf8_next(text + at, length - at, &size));
}

void latex_put_space(struct latex_out *out)
{
    if (out->mark_count == 0)
        out->gap = true;
}

void latex_put_mark(struct latex_out *out, int32_t mark)
{
    if (out->mark_count < LATEX_MARKS)
        out->marks[out->mark_count++] = mark;
}

void latex_drop_marks(struct latex_out *out)
{
    int32_t mark = out->mark_count > 0 ? out->marks[0] : 0;
    out->mark_count = 0;
    if (mark == 0x303)
        latex_put(out, '~');
    else if (mark == 0x302)
        latex_put(out, '^');
}

size_t latex_script_start(struct latex_out *out)
{
    flush_gap(out);
    return out->buf.length;
}

void latex_script(struct latex_out *out, size_t start, enum latex_script script)
{
    struct buf raised = buf_on(out->buf.arena);
    size_t size;
    for (size_t at = start; at < out->buf.length; at += size) {
        int32_t code = utf8_next(out->buf.data + at, out->buf.length - at, &size);
        char bytes[4];
        int32_t form =
            script == SCRIPT_UP ? latex_superscript(code) : latex_subscript(code);
        if (form == 0)
            return;
        buf_append(&raised, bytes, utf8_put(bytes, form));
    }
    out->stray = true;
    out->buf.length = start;
    buf_append(&out->buf, raised.data, raised.length);
}

struct slice latex_finish(struct latex_out *out)
{
    if (out->buf.length > 0 && out->buf.data[out->buf.length - 1] == ' ')
        out->buf.data[--out->buf.length] = '\0';
    struct slice text = {out->buf.data, out->buf.length};
    if (!out->stray)
        return text;
    text.bytes = utf8_nfc(out->buf.arena, text.bytes, text.length);
    text.length = strlen(text.bytes);
    return text;
}
