/* Titles as they are compared: folded words without punctuation, and what it means when
 * two titles differ in some. */
#include "server/text/same_work_private.h"

#include "server/base/buf.h"
#include "server/base/utf8.h"

#include <string.h>

static bool is_han(int32_t code)
{
    return (code >= 0x3400 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff) ||
           (code >= 0x20000 && code <= 0x3ffff);
}

/* Of folded text. Beyond ASCII all is a letter but punctuation, arrows and signs. */
static bool is_letter(int32_t code)
{
    if (code < 0x80)
        return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z');
    return code >= 0xc0 && code != 0xd7 && code != 0xf7 &&
           !(code >= 0x2000 && code <= 0x2bff) && !(code >= 0x3000 && code <= 0x303f) &&
           !(code >= 0xfe00 && code <= 0xfe6f) && code != 0xfffd && code != 0x30fb;
}

/* Left out without parting a word: 's, soft hyphen, zero width. */
static bool is_silent(int32_t code)
{
    return code == '\'' || code == 0x2019 || code == 0x2bc || code == 0xad ||
           code == '{' || code == '}' || code == '$' || code == '\\';
}

/* "<i>" and "</sub>", left of the web. */
static size_t tag_length(const char *text)
{
    static const char *const tags[] = {"i",   "b",      "em",  "sub",
                                       "sup", "strong", "scp", "p"};
    const char *at = text + 1;
    at += *at == '/';
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        size_t length = strlen(tags[i]);
        if (strncmp(at, tags[i], length) == 0 && at[length] == '>')
            return (size_t)(at - text) + length + 1;
    }
    return 0;
}

struct reading {
    struct arena *arena;
    struct title *title;
    struct buf word, squeezed;
};

static void end_word(struct reading *r)
{
    struct title *title = r->title;
    if (r->word.length == 0)
        return;
    const char *word = arena_copy(r->arena, r->word.data, r->word.length);
    r->word.length = 0;
    buf_string(&r->squeezed, word);
    if (title->count < TITLE_WORDS)
        title->words[title->count++] = word;
}

/* Here ends the title proper, if a subtitle follows. */
static void end_main(struct reading *r)
{
    end_word(r);
    if (r->title->main > 0 || r->title->count == 0 || r->title->count == TITLE_WORDS)
        return;
    r->title->main = r->title->count;
    r->title->squeezed_main = arena_copy(r->arena, r->squeezed.data, r->squeezed.length);
}

static bool parts_title(int32_t code, const char *before, const char *after)
{
    if (code == ':' || code == '?' || code == '(' || code == 0x2014 || code == '!')
        return true;
    if (code == '.' || code == ';')
        return *after == ' ';
    return (code == '-' || code == 0x2013 || code == 0x2212) && *before == ' ' &&
           (*after == ' ' || *after == '-');
}

static bool is_article(const char *word)
{
    return strcmp(word, "the") == 0 || strcmp(word, "a") == 0 || strcmp(word, "an") == 0;
}

static void drop_article(struct title *title)
{
    if (title->count < 2 || title->main == 1 || !is_article(title->words[0]))
        return;
    size_t length = strlen(title->words[0]);
    memmove(title->words, title->words + 1, --title->count * sizeof *title->words);
    title->squeezed += length;
    title->squeezed_main += length;
    title->main--;
}

struct title title_of(struct arena *arena, const char *text)
{
    struct title title = {0};
    struct reading r = {arena, &title, buf_on(arena), buf_on(arena)};
    const char *folded =
        utf8_fold(arena, text == NULL ? "" : text, text == NULL ? 0 : strlen(text));
    size_t length = strlen(folded), size;
    for (size_t at = 0; at < length; at += size) {
        int32_t code = utf8_next(folded + at, length - at, &size);
        size_t tag = code == '<' ? tag_length(folded + at) : 0;
        if (tag > 0) {
            size = tag;
        } else if (is_han(code)) {
            end_word(&r);
            buf_append(&r.word, folded + at, size);
            end_word(&r);
        } else if (is_letter(code)) {
            buf_append(&r.word, folded + at, size);
        } else if (!is_silent(code)) {
            end_word(&r);
            if (code == '&')
                buf_string(&r.word, "and");
            if (parts_title(code, at > 0 ? folded + at - 1 : "", folded + at + size))
                end_main(&r);
        }
    }
    end_word(&r);
    title.squeezed = r.squeezed.data;
    if (title.main == 0 || title.main == title.count) {
        title.main = title.count;
        title.squeezed_main = title.squeezed;
    }
    drop_article(&title);
    return title;
}

static bool among(const char *word, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

/* Tells one part, year or version from another. */
static bool is_number(const char *word)
{
    static const char *const numbers[] = {
        "first",  "second", "third",  "fourth", "fifth",  "one",    "two",
        "three",  "four",   "five",   "part",   "parts",  "volume", "vol",
        "上",     "下",     "中",     "一",     "二",     "三",     "四",
        "五",     "六",     "七",     "八",     "九",     "十",     "续",
        "再",     "next",   "more",   "sequel", "teil",   "partie", "revisited",
        "spring", "summer", "autumn", "fall",   "winter", NULL};
    size_t length = strlen(word);
    if (length == 1 && *word != 'a') /* part b, x and y */
        return true;
    for (const char *c = word; *c != '\0'; c++)
        if (*c >= '0' && *c <= '9')
            return true;
    return (length <= 6 && strspn(word, "ivxl") == length) || among(word, numbers);
}

static bool is_marker(const char *word)
{
    static const char *const markers[] = {"erratum",
                                          "errata",
                                          "corrigendum",
                                          "corrigenda",
                                          "correction",
                                          "corrections",
                                          "corrected",
                                          "retraction",
                                          "retracted",
                                          "reply",
                                          "response",
                                          "rejoinder",
                                          "comment",
                                          "comments",
                                          "commentary",
                                          "discussion",
                                          "rebuttal",
                                          "addendum",
                                          "addenda",
                                          "preface",
                                          "foreword",
                                          "editorial",
                                          "introduction",
                                          "review",
                                          "reviewed",
                                          "abstract",
                                          "poster",
                                          "demo",
                                          "demonstration",
                                          "supplement",
                                          "supplementary",
                                          "supplemental",
                                          "appendix",
                                          "index",
                                          "withdrawn",
                                          "withdrawal",
                                          "slides",
                                          "tutorial",
                                          "keynote",
                                          "remarks",
                                          "note",
                                          "notes",
                                          "solutions",
                                          "manual",
                                          "更",
                                          "勘",
                                          "评",
                                          "答",
                                          "序",
                                          NULL};
    return among(word, markers);
}

static bool is_little(const char *word)
{
    static const char *const little[] = {"a",   "an",  "the", "of", "in",  "on",   "for",
                                         "and", "to",  "by",  "at", "as",  "with", "from",
                                         "et",  "und", "de",  "la", "der", NULL};
    return among(word, little);
}

/* Of titles that many works share. */
static const char *const generic[] = {"editorial",
                                      "preface",
                                      "foreword",
                                      "introduction",
                                      "editors",
                                      "editor",
                                      "index",
                                      "contents",
                                      "annual",
                                      "yearly",
                                      "report",
                                      "proceedings",
                                      "review",
                                      "abstracts",
                                      "news",
                                      "letter",
                                      "letters",
                                      "obituary",
                                      "conclusion",
                                      "conclusions",
                                      "summary",
                                      "program",
                                      "programme",
                                      "announcement",
                                      "guest",
                                      "message",
                                      "chair",
                                      "chairs",
                                      "cover",
                                      "calendar",
                                      "minutes",
                                      "from",
                                      "the",
                                      "and",
                                      "of",
                                      "to",
                                      "a",
                                      "issue",
                                      "special",
                                      "table",
                                      "books",
                                      "book",
                                      "reviews",
                                      "notes",
                                      "note",
                                      "bibliography",
                                      "appendix",
                                      "references",
                                      "conference",
                                      "workshop",
                                      "journal",
                                      "newsletter",
                                      "symposium",
                                      "international",
                                      "president",
                                      "treasurer",
                                      "questions",
                                      "answers",
                                      "advertisements",
                                      "back",
                                      "front",
                                      "matter",
                                      "about",
                                      "authors",
                                      "author",
                                      "activities",
                                      "progress",
                                      "status",
                                      "overview",
                                      "background",
                                      "discussion",
                                      "abstract",
                                      "yearbook",
                                      "handbook",
                                      "年",
                                      "度",
                                      "报",
                                      "告",
                                      "前",
                                      "言",
                                      "序",
                                      "编",
                                      "者",
                                      "按",
                                      "目",
                                      "录",
                                      "绪",
                                      "论",
                                      NULL};

bool title_generic(const struct title *title)
{
    for (size_t i = 0; i < title->count; i++)
        if (!among(title->words[i], generic) && !is_number(title->words[i]))
            return false;
    return true;
}

enum { WORD_MOST = 40 };

/* Edits between words, an exchange of neighbours being one; WORD_MOST: too long. */
static size_t edits(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    size_t rows[3][WORD_MOST + 1];
    if (n > WORD_MOST || m > WORD_MOST)
        return WORD_MOST;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = rows[i % 3], *up = rows[(i + 2) % 3], *upper = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = up[j - 1] + (a[i - 1] != b[j - 1]);
            best = up[j] + 1 < best ? up[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                upper[j - 2] + 1 < best)
                best = upper[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[n % 3][m];
}

/* The first letters make another word of it: inter-, intra-, micro-, macro-, photon,
 * phonon. */
bool word_mistyped(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), least = n < m ? n : m;
    if (least < 5 || strncmp(a, b, 4) != 0)
        return false;
    for (const char *c = a; *c != '\0'; c++)
        if (*c < 'a' || *c > 'z')
            return false;
    return edits(a, b) <= (least >= 9 ? 2 : 1);
}

/* The words in which two titles differ, in order. */
struct difference {
    const char *a[TITLE_WORDS], *b[TITLE_WORDS];
    size_t a_count, b_count, common;
};

static void differ(struct difference *d, const struct title *a, const struct title *b)
{
    unsigned char longest[TITLE_WORDS + 1][TITLE_WORDS + 1] = {0};
    for (size_t i = a->count; i-- > 0;)
        for (size_t j = b->count; j-- > 0;) {
            unsigned char down = longest[i + 1][j], right = longest[i][j + 1];
            longest[i][j] = strcmp(a->words[i], b->words[j]) == 0
                                ? (unsigned char)(longest[i + 1][j + 1] + 1)
                            : down > right ? down
                                           : right;
        }
    size_t i = 0, j = 0;
    d->common = longest[0][0];
    while (i < a->count || j < b->count) {
        if (i < a->count && j < b->count && strcmp(a->words[i], b->words[j]) == 0) {
            i++;
            j++;
        } else if (j == b->count ||
                   (i < a->count && longest[i + 1][j] >= longest[i][j + 1])) {
            d->a[d->a_count++] = a->words[i++];
        } else {
            d->b[d->b_count++] = b->words[j++];
        }
    }
}

static bool any(const char *const *words, size_t count, bool (*is)(const char *word))
{
    for (size_t i = 0; i < count; i++)
        if (is(words[i]))
            return true;
    return false;
}

static bool same_together(const char *const *a, size_t a_count, const char *const *b,
                          size_t b_count)
{
    char left[256] = "", right[256] = "";
    size_t n = 0, m = 0;
    for (size_t i = 0; i < a_count && n + 64 < sizeof left; i++)
        n += (size_t)snprintf(left + n, 64, "%s", a[i]);
    for (size_t i = 0; i < b_count && m + 64 < sizeof right; i++)
        m += (size_t)snprintf(right + m, 64, "%s", b[i]);
    return n > 0 && strcmp(left, right) == 0;
}

/* All differences are typing errors, little words, or spaces. */
static bool near(const struct difference *d)
{
    size_t i = 0, j = 0, slips = 0;
    if (same_together(d->a, d->a_count, d->b, d->b_count))
        return true;
    while (i < d->a_count || j < d->b_count) {
        if (i < d->a_count && j < d->b_count && word_mistyped(d->a[i], d->b[j])) {
            i++;
            j++;
        } else if (i < d->a_count && is_little(d->a[i])) {
            i++;
        } else if (j < d->b_count && is_little(d->b[j])) {
            j++;
        } else {
            return false;
        }
        if (++slips > 3)
            return false;
    }
    return d->common >= 2 * slips;
}

/* Is `a` what stands before the subtitle of `b`, or cut off within it? */
static bool begins(const struct title *a, const struct title *b)
{
    size_t length = strlen(a->squeezed);
    if (a->count >= b->count || a->count < 2 || length < 12)
        return false;
    if (strcmp(a->squeezed, b->squeezed_main) == 0)
        return true;
    return a->count >= 5 && strncmp(a->squeezed, b->squeezed, length) == 0;
}

enum title_likeness title_compare(int *shared, const struct title *a,
                                  const struct title *b)
{
    struct difference d = {.a_count = 0};
    size_t least = a->count < b->count ? a->count : b->count;
    size_t most = a->count < b->count ? b->count : a->count;
    *shared = 0;
    if (least == 0)
        return TITLE_OTHER;
    if (strcmp(a->squeezed, b->squeezed) == 0) {
        *shared = 100;
        return TITLE_EXACT;
    }
    differ(&d, a, b);
    *shared = (int)(100 * d.common / least);
    bool sub = begins(a, b) || begins(b, a);
    if (near(&d))
        return TITLE_NEAR;
    if (!sub && 4 * d.common < 3 * least)
        return TITLE_OTHER;
    if (any(d.a, d.a_count, is_marker) || any(d.b, d.b_count, is_marker))
        return TITLE_ERRATUM;
    /* Of a subtitle, which may well have a number, how it begins. */
    if (any(d.a, sub && d.a_count > 2 ? 2 : d.a_count, is_number) ||
        any(d.b, sub && d.b_count > 2 ? 2 : d.b_count, is_number))
        return TITLE_PART;
    if (sub)
        return TITLE_SUB;
    return 4 * d.common >= 3 * most ? TITLE_FAR : TITLE_OTHER;
}
