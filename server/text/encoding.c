/* Finding and undoing the encoding of an uploaded file; the rules are in encoding.h. */
#include "server/text/encoding.h"

#include "server/base/buf.h"
#include "server/base/utf8.h"

#include <iconv.h>

const char *encoding_name(enum encoding encoding)
{
    static const char *const names[] = {"UTF-8",   "UTF-16LE", "UTF-16BE",
                                        "GB18030", "CP1252",   "unknown"};
    return names[encoding];
}

static bool starts(struct slice text, const char *mark, size_t length)
{
    return text.length >= length && memcmp(text.bytes, mark, length) == 0;
}

static struct slice without(struct slice text, size_t front)
{
    return (struct slice){text.bytes + front, text.length - front};
}

static struct decoded from_utf16(struct arena *arena, struct slice in, bool big)
{
    char *out = arena_alloc(arena, in.length / 2 * 3 + 4);
    size_t used = 0;
    size_t replaced = in.length % 2;
    for (size_t at = 0; at + 1 < in.length; at += 2) {
        const unsigned char *unit = (const unsigned char *)in.bytes + at;
        int32_t code = big ? unit[0] << 8 | unit[1] : unit[1] << 8 | unit[0];
        if (code >= 0xD800 && code < 0xDC00 && at + 3 < in.length) {
            int32_t low = big ? unit[2] << 8 | unit[3] : unit[3] << 8 | unit[2];
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                at += 2;
            }
        }
        if (code >= 0xD800 && code < 0xE000) {
            code = 0xFFFD;
            replaced += 2;
        }
        used += utf8_put(out + used, code);
    }
    return (struct decoded){
        {out, used},
        big ? ENCODING_UTF16BE : ENCODING_UTF16LE, replaced
    };
}

/* ASCII text in UTF-16 has a zero in nearly every second byte and none in the others. */
static bool looks_utf16(struct slice in, bool big)
{
    size_t zeros[2] = {0, 0};
    size_t seen = in.length < 4096 ? in.length & ~(size_t)1 : 4096;
    for (size_t at = 0; at < seen; at++)
        zeros[at % 2] += in.bytes[at] == '\0';
    return seen >= 4 && zeros[!big] > seen / 2 * 7 / 10 && zeros[big] == 0;
}

/* What an iconv decoding would need to be: all of it, and everyday Chinese. The bytes of
 * GB 2312 level 1 (the 3755 most used characters) and of its symbols are counted against
 * all others. Korean in CP949 stays within lead bytes B0 to C8, Chinese does not. */
static bool looks_chinese(struct slice in)
{
    size_t common = 0;
    size_t rare = 0;
    size_t high = 0;
    const unsigned char *bytes = (const unsigned char *)in.bytes;
    for (size_t at = 0; at < in.length; at++) {
        if (bytes[at] < 0x80)
            continue;
        if (at + 1 >= in.length) { /* cut inside a character */
            rare++;
            break;
        }
        unsigned lead = bytes[at];
        unsigned trail = bytes[++at];
        bool symbol = lead >= 0xA1 && lead <= 0xA3 && trail >= 0xA1;
        bool level1 = lead >= 0xB0 && lead <= 0xD7 && trail >= 0xA1;
        common += symbol || level1;
        rare += !(symbol || level1);
        high += level1 && lead > 0xC8;
    }
    return common * 10 >= (common + rare) * 8 && high * 10 >= common;
}

static bool from_gb18030(struct decoded *decoded, struct arena *arena, struct slice in)
{
    if (!looks_chinese(in))
        return false;
    iconv_t converter = iconv_open("UTF-8", "GB18030");
    if (converter == (iconv_t)-1)
        return false;
    size_t room = in.length * 2 + 4; /* two bytes become three, four become four */
    char *out = arena_alloc(arena, room);
    char *from = arena_copy(arena, in.bytes, in.length);
    char *to = out;
    size_t left = in.length;
    size_t failed = iconv(converter, &from, &left, &to, &room);
    iconv_close(converter);
    if (failed == (size_t)-1 && left > 1)
        return false;
    for (size_t at = 0; at < left; at++)
        to += utf8_put(to, 0xFFFD);
    *decoded = (struct decoded){slice_between(out, to), ENCODING_GB18030, left};
    return true;
}

/* The 32 places where CP1252 differs from Latin-1; 0 is undefined. */
static const uint16_t cp1252[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
    0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

/* Latin text has single accented letters between ASCII; other 8-bit encodings have runs.
 */
int32_t encoding_cp1252(unsigned byte)
{
    return byte >= 0x80 && byte < 0xA0 ? cp1252[byte - 0x80] : (int32_t)(byte & 0xFF);
}

static bool from_cp1252(struct decoded *decoded, struct arena *arena, struct slice in)
{
    struct buf out = buf_on(arena);
    buf_reserve(&out, in.length * 2 + 4);
    size_t stray = 0;
    size_t runs = 0;
    size_t controls = 0; /* a spreadsheet or a picture has many */
    size_t symbols = 0;
    size_t undefined = 0;
    size_t size;
    bool in_run = false;
    for (size_t at = 0; at < in.length; at += size) {
        int32_t code = utf8_next(in.bytes + at, in.length - at, &size);
        unsigned char byte = (unsigned char)in.bytes[at];
        controls += byte < ' ' && !text_space(in.bytes[at]);
        bool is_stray = size == 1 && byte >= 0x80;
        if (is_stray) {
            stray++;
            runs += !in_run;
            symbols += byte >= 0xA0 && byte < 0xC0;
            code = encoding_cp1252(byte);
            undefined += code == 0;
            code = code == 0 ? 0xFFFD : code;
        }
        in_run = is_stray;
        char bytes[4];
        buf_append(&out, bytes, utf8_put(bytes, code));
    }
    *decoded = (struct decoded){
        {out.data, out.length},
        ENCODING_CP1252, undefined
    };
    return controls * 100 <= in.length && stray * 10 <= runs * 14 &&
           undefined * 20 <= stray && (symbols * 2 <= stray || stray <= 3);
}

/* Where the text is well-formed but for an unfinished character at its very end. */
static bool cut_utf8(struct decoded *decoded, struct arena *arena, struct slice in)
{
    size_t tail = 0;
    while (tail < 3 && tail < in.length &&
           ((unsigned char)in.bytes[in.length - 1 - tail] & 0xC0) == 0x80)
        tail++;
    if (++tail > in.length || tail > 3 || in.length < 64)
        return false;
    size_t whole = in.length - tail;
    if ((unsigned char)in.bytes[whole] < 0xC2 || !utf8_valid(in.bytes, whole))
        return false;
    bool ascii = true;
    for (size_t at = 0; at < whole && ascii; at++)
        ascii = (unsigned char)in.bytes[at] < 0x80;
    if (ascii)
        return false;
    struct buf out = buf_on(arena);
    buf_append(&out, in.bytes, whole);
    buf_string(&out, "\xEF\xBF\xBD");
    *decoded = (struct decoded){
        {out.data, out.length},
        ENCODING_UTF8, tail
    };
    return true;
}

enum result encoding_decode(struct decoded *decoded, struct arena *arena,
                            const char *bytes, size_t length)
{
    struct slice in = {bytes, length};
    while (starts(in, "\xEF\xBB\xBF", 3))
        in = without(in, 3);
    if (starts(in, "\xFF\xFE", 2) || starts(in, "\xFE\xFF", 2)) {
        *decoded = from_utf16(arena, without(in, 2), in.bytes[0] == '\xFE');
        return OK;
    }
    if (looks_utf16(in, false) || looks_utf16(in, true)) {
        *decoded = from_utf16(arena, in, looks_utf16(in, true));
        return OK;
    }
    *decoded = (struct decoded){in, ENCODING_UTF8, 0};
    if (utf8_valid(in.bytes, in.length) || cut_utf8(decoded, arena, in) ||
        from_gb18030(decoded, arena, in) || from_cp1252(decoded, arena, in))
        return OK;
    *decoded = (struct decoded){in, ENCODING_UNKNOWN, 0};
    return INVALID;
}
