/* Filling a document key by key; see draft.h. */
#include "server/text/draft.h"

#include "server/base/buf.h"
#include "server/base/identifier.h"
#include "server/base/utf8.h"
#include "server/text/plain.h"
#include "server/text/work.h"
#include "server/text/work_date.h"

static const struct slice nothing = {"", 0};

struct draft draft_begin(struct arena *arena, const char *kind)
{
    return (struct draft){.arena = arena, .document = work_blank(), .kind = kind};
}

bool draft_has(const struct draft *draft, const char *key)
{
    return !json_is_null(json_object_get(draft->document, key));
}

static json_t *text_or_null(struct slice text)
{
    return text.length > 0 ? json_stringn_nocheck(text.bytes, text.length) : json_null();
}

void draft_put(struct draft *draft, const char *key, struct slice text)
{
    if (draft_has(draft, key))
        return;
    struct slice plain = plain_text(draft->arena, text);
    if (plain.length > 0)
        json_object_set_new_nocheck(draft->document, key, text_or_null(plain));
}

static bool digits(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!text_digit(text.bytes[i]))
            return false;
    return text.length > 0;
}

/* Where "a-b" or "a–b" is divided, as the size of the dash; 0 when it is not one range.
 */
static size_t range_of(struct slice *first, struct slice *last, struct slice text)
{
    static const char *const dashes[] = {"--", "\xE2\x80\x93", "\xE2\x80\x94", "-"};
    for (size_t i = 0; i < sizeof dashes / sizeof dashes[0]; i++) {
        size_t length = strlen(dashes[i]);
        const char *at = memmem(text.bytes, text.length, dashes[i], length);
        if (at == NULL)
            continue;
        const char *end = text.bytes + text.length;
        *first = slice_trim(slice_between(text.bytes, at));
        *last = slice_trim(slice_between(at + length, end));
        bool more = memmem(last->bytes, last->length, "-", 1) != NULL ||
                    memmem(last->bytes, last->length, dashes[i], length) != NULL;
        return more || first->length == 0 || last->length == 0 ? 0 : length;
    }
    return 0;
}

void draft_pages(struct draft *draft, struct slice first, struct slice last)
{
    first = plain_text(draft->arena, first);
    last = plain_text(draft->arena, last);
    struct slice from = first;
    struct slice to = last;
    if (last.length == 0 && range_of(&from, &to, first) == 0) {
        draft_put(draft, "pages", first);
        return;
    }
    if (last.length > 0 && range_of(&from, &to, first) > 0) {
        draft_put(draft, "pages", first); /* SP has the whole range already */
        return;
    }
    struct buf pages = buf_on(draft->arena);
    buf_append(&pages, from.bytes, from.length);
    bool same = from.length == to.length && memcmp(from.bytes, to.bytes, to.length) == 0;
    if (!same && from.length > 0)
        buf_string(&pages, "\xE2\x80\x93");
    if (digits(from) && digits(to) && to.length < from.length && last.length == 0)
        buf_append(&pages, from.bytes, from.length - to.length); /* 6913-7 */
    if (!same)
        buf_append(&pages, to.bytes, to.length);
    draft_put(draft, "pages", (struct slice){pages.data, pages.length});
}

static int number_in(const struct draft *draft, const char *key)
{
    return (int)json_integer_value(json_object_get(draft->document, key));
}

static void put_number(struct draft *draft, const char *key, int number)
{
    json_object_set_new(draft->document, key,
                        number > 0 ? json_integer(number) : json_null());
}

void draft_day(struct draft *draft, int year, int month, int day)
{
    if (year < 1000 || year > 2999)
        return;
    char text[3][16];
    snprintf(text[0], sizeof text[0], "%d", year);
    snprintf(text[1], sizeof text[1], "%d", month < 0 ? 0 : month);
    snprintf(text[2], sizeof text[2], "%d", day < 0 ? 0 : day);
    struct work_date date =
        work_date(nothing, slice_of(text[0]), slice_of(text[1]), slice_of(text[2]));
    int before = number_in(draft, "year");
    bool more = date.month != 0 && number_in(draft, "month") == 0;
    more = more || (date.day != 0 && date.month == number_in(draft, "month") &&
                    number_in(draft, "day") == 0);
    if (before != 0 && (before != date.year || !more))
        return;
    put_number(draft, "year", date.year);
    put_number(draft, "month", date.month);
    put_number(draft, "day", date.day);
}

/* Up to the next / or - or the end; `*text` goes behind it. */
static struct slice piece_of(struct slice *text)
{
    size_t at = 0;
    while (at < text->length && text->bytes[at] != '/' && text->bytes[at] != '-')
        at++;
    struct slice piece = {text->bytes, at};
    size_t taken = at < text->length ? at + 1 : at;
    text->bytes += taken;
    text->length -= taken;
    return slice_trim(piece);
}

/* "20160419" */
static bool compact(struct slice *parts, struct slice text)
{
    if (text.length != 8 || !digits(text))
        return false;
    parts[0] = (struct slice){text.bytes, 4};
    parts[1] = (struct slice){text.bytes + 4, 2};
    parts[2] = (struct slice){text.bytes + 6, 2};
    return true;
}

/* 2016年6月9日 as 2016/6/9/ */
static struct slice without_units(struct arena *arena, struct slice text)
{
    static const char *const units[] = {"年", "月", "日"};
    struct buf out = buf_on(arena);
    if (!utf8_has_han(text.bytes, text.length))
        return text;
    for (size_t i = 0; i < text.length; i++) {
        bool unit = false;
        for (size_t u = 0; u < 3; u++)
            unit = unit ||
                   (text.length - i >= 3 && memcmp(text.bytes + i, units[u], 3) == 0);
        buf_char(&out, unit ? '/' : text.bytes[i]);
        i += unit ? 2 : 0;
    }
    return (struct slice){out.data, out.length};
}

void draft_date(struct draft *draft, struct slice text)
{
    text = without_units(draft->arena, text);
    struct slice parts[3] = {nothing, nothing, nothing};
    struct slice rest = slice_trim(text);
    if (!compact(parts, rest)) {
        struct slice year = piece_of(&rest);
        if (year.length == 4 && digits(year)) {
            parts[0] = year;
            parts[1] = piece_of(&rest);
            parts[2] = piece_of(&rest);
        } else { /* "2012 Jan 23", "May 17, 2019", "c1999", "5/17/2019" */
            struct slice whole = slice_trim(text);
            parts[0] = whole;
            bool year_first = whole.length > 4 && digits((struct slice){whole.bytes, 4});
            parts[1] =
                year_first ? (struct slice){whole.bytes + 4, whole.length - 4} : whole;
        }
    }
    struct work_date date = work_date(nothing, parts[0], parts[1], parts[2]);
    draft_day(draft, date.year, date.month, date.day);
}

static bool says(struct slice text, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= text.length; i++)
        if (strncasecmp(text.bytes + i, word, length) == 0)
            return true;
    return false;
}

void draft_identifier(struct draft *draft, const char *scheme, struct slice text)
{
    json_t *list = json_object_get(draft->document, "identifiers");
    json_t *known;
    size_t i;
    json_array_foreach(
        list, i, known) if (strcmp(json_string_value(json_object_get(known, "scheme")),
                                   scheme) == 0) return;
    struct slice value = nothing;
    if (text.length == 0 || text.length > 2000 ||
        !identifier_of(&value, draft->arena, scheme, plain_text(draft->arena, text)) ||
        value.length == 0)
        return;
    json_t *identifier = json_object();
    json_object_set_new(identifier, "scheme", json_string(scheme));
    json_object_set_new(identifier, "value", text_or_null(value));
    json_array_append_new(list, identifier);
}

/* The first address in `text`, up to white space; empty when it is none of the web. */
static struct slice web_address(struct draft *draft, struct slice text)
{
    text = slice_trim(text);
    if (text.length > 2 && memcmp(text.bytes, "//", 2) == 0)
        text = slice_of(
            arena_print(draft->arena, "https:%.*s", (int)text.length, text.bytes));
    if (text.length > 5 && strncasecmp(text.bytes, "www.", 4) == 0)
        text = slice_of(
            arena_print(draft->arena, "http://%.*s", (int)text.length, text.bytes));
    size_t length = 0;
    while (length < text.length && (unsigned char)text.bytes[length] > ' ' &&
           text.bytes[length] != '\x7F')
        length++;
    while (length > 0 && strchr(";,<>\"", text.bytes[length - 1]) != NULL)
        length--;
    bool web = (length > 7 && strncasecmp(text.bytes, "http://", 7) == 0) ||
               (length > 8 && strncasecmp(text.bytes, "https://", 8) == 0);
    struct slice url = plain_text(draft->arena, (struct slice){text.bytes, length});
    return web && url.length <= 2000 ? url : nothing;
}

void draft_url(struct draft *draft, struct slice text)
{
    struct slice url = web_address(draft, text);
    if (url.length == 0)
        return;
    if (says(url, "doi.org") || says(url, "doi-org"))
        draft_identifier(draft, "doi", url);
    if (says(url, "arxiv.org/"))
        draft_identifier(draft, "arxiv", url);
    draft_put(draft, "url", url);
}

void draft_link(struct draft *draft, const char *kind, struct slice text)
{
    struct slice url = web_address(draft, text);
    json_t *links = json_object_get(draft->document, "links");
    json_t *known;
    size_t i;
    json_array_foreach(
        links, i,
        known) if (slice_is(url,
                            json_string_value(json_object_get(known, "url")))) return;
    if (url.length == 0 || json_array_size(links) >= 20)
        return;
    json_t *link = json_object();
    json_object_set_new(link, "kind", json_string(kind));
    json_object_set_new(link, "url", text_or_null(url));
    json_array_append_new(links, link);
}

static struct slice text_of(const struct draft *draft, const char *key)
{
    const char *text = json_string_value(json_object_get(draft->document, key));
    return text == NULL ? nothing : slice_of(text);
}

json_t *draft_finish(struct draft *draft)
{
    json_t *identifiers = json_object_get(draft->document, "identifiers");
    json_t *identifier;
    size_t i;
    json_array_foreach(
        identifiers, i,
        identifier) if (says(slice_of(json_string_value(json_object_get(identifier,
                                                                        "value"))),
                             "/arxiv."))
        draft_identifier(
            draft, "arxiv",
            slice_of(json_string_value(json_object_get(identifier, "value"))));
    struct slice venue = text_of(draft, "venue");
    bool archive = says(venue, "arxiv") || slice_like(venue, "corr") ||
                   slice_like(text_of(draft, "publisher"), "arxiv");
    if (archive &&
        (strcmp(draft->kind, "article") == 0 || strcmp(draft->kind, "other") == 0 ||
         strcmp(draft->kind, "report") == 0))
        draft->kind = "preprint";
    if (archive && says(venue, "arxiv:"))
        draft_identifier(draft, "arxiv", venue);
    if (archive && strcmp(draft->kind, "preprint") == 0)
        draft_put(draft, "venue", text_of(draft, "publisher"));
    json_object_set_new(draft->document, "kind", json_string(draft->kind));
    return draft->document;
}
