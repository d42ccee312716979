/* Finding identifiers in text; see identifier.h. */
#include "server/base/identifier.h"

#include "server/base/percent.h"
#include "server/base/utf8.h"

static const struct slice none = {"", 0};

static struct slice lowered(struct arena *arena, struct slice text)
{
    char *copy = arena_copy(arena, text.bytes, text.length);
    for (size_t i = 0; i < text.length; i++)
        if (copy[i] >= 'A' && copy[i] <= 'Z')
            copy[i] = (char)(copy[i] + 32);
    return (struct slice){copy, text.length};
}

/* Behind `mark` (in small letters) where it first stands in the text; NULL if nowhere. */
static const char *behind(struct slice text, const char *mark)
{
    const char *found = memmem(text.bytes, text.length, mark, strlen(mark));
    return found == NULL ? NULL : found + strlen(mark);
}

/* An address may carry the slash and others percent-encoded. */
static struct slice percent_decoded(struct arena *arena, struct slice text)
{
    char *out = arena_alloc(arena, text.length + 1);
    size_t length;
    if (percent_decode(out, &length, text.bytes, text.length, false) != OK ||
        !utf8_valid(out, length))
        return text;
    return (struct slice){out, length};
}

/* Up to the first white space or control character, and without punctuation behind. */
static struct slice first_word(struct slice text)
{
    size_t length = 0;
    while (length < text.length && (unsigned char)text.bytes[length] > ' ' &&
           text.bytes[length] != '\x7F')
        length++;
    while (length > 0 && strchr(".,;", text.bytes[length - 1]) != NULL)
        length--;
    return (struct slice){text.bytes, length};
}

/* "10.", a registrant's number, which may have parts, a slash and more that can be kept.
 */
static bool doi_fits(struct slice doi)
{
    const char *slash = memchr(doi.bytes, '/', doi.length);
    if (doi.length < 7 || doi.length > 500 || memcmp(doi.bytes, "10.", 3) != 0 ||
        slash == NULL || slash - doi.bytes < 7 || slash + 1 == doi.bytes + doi.length)
        return false;
    for (const char *at = doi.bytes + 3; at < slash; at++)
        if (!text_digit(*at) && *at != '.')
            return false;
    return utf8_fault(doi.bytes, doi.length, false) == UTF8_FINE;
}

/* In an address, where a DOI starts: behind doi.org/, or behind a library's proxy for it
 * (doi.org.proxy.example.edu, doi-org.proxy.example.edu). */
static const char *doi_in_address(struct slice text)
{
    const char *from = behind(text, "doi.org/");
    const char *host = behind(text, "://");
    if (from != NULL || host == NULL)
        return from;
    const char *end = text.bytes + text.length;
    const char *path = memchr(host, '/', (size_t)(end - host));
    if (path == NULL || end - path < 4 || memcmp(path, "/10.", 4) != 0)
        return NULL;
    struct slice name = slice_between(host, path);
    bool proxy = behind(name, "doi.org.") != NULL || behind(name, "doi-org.") != NULL;
    return proxy ? path + 1 : NULL;
}

struct slice identifier_doi(struct arena *arena, struct slice text)
{
    struct slice doi = slice_trim(lowered(arena, slice_trim(text)));
    const char *end = doi.bytes + doi.length;
    bool address = behind(doi, "://") != NULL;
    const char *from = doi_in_address(doi);
    if (from == NULL && !address)
        from = behind(doi, "doi:");
    if (from == NULL && !address && doi.length > 3 && memcmp(doi.bytes, "doi", 3) == 0)
        from = doi.bytes + 3;
    if (from != NULL)
        doi = slice_trim(slice_between(from, end));
    if (address)
        doi = percent_decoded(arena, doi);
    doi = first_word(doi);
    if (!doi_fits(doi))
        return none;
    return (struct slice){arena_copy(arena, doi.bytes, doi.length), doi.length};
}

static size_t digits_at(struct slice text, size_t at)
{
    size_t from = at;
    while (at < text.length && text_digit(text.bytes[at]))
        at++;
    return at - from;
}

/* How long an identifier in the scheme since 2007 (1234.56789) is at the front. */
static size_t new_arxiv(struct slice text)
{
    if (digits_at(text, 0) != 4 || text.length < 9 || text.bytes[4] != '.')
        return 0;
    size_t number = digits_at(text, 5);
    return number == 4 || number == 5 ? 5 + number : 0;
}

/* In the one before (hep-th/9901001, math.gt/0309136). */
static size_t old_arxiv(struct slice text)
{
    size_t at = 0;
    while (at < text.length && at < 20 &&
           ((text.bytes[at] >= 'a' && text.bytes[at] <= 'z') || text.bytes[at] == '-' ||
            text.bytes[at] == '.'))
        at++;
    if (at < 2 || at >= text.length || text.bytes[at] != '/')
        return 0;
    return digits_at(text, at + 1) == 7 ? at + 8 : 0;
}

struct slice identifier_arxiv(struct arena *arena, struct slice text)
{
    static const char *const fronts[] = {"arxiv.org/abs/", "arxiv.org/pdf/",
                                         "arxiv:", "arxiv.", "abs/"};
    struct slice whole = lowered(arena, slice_trim(text));
    struct slice id = whole;
    for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
        const char *from = behind(whole, fronts[i]);
        if (from == NULL || (i == 3 && strncmp(from, "org", 3) == 0))
            continue;
        id = slice_trim(slice_between(from, whole.bytes + whole.length));
        break;
    }
    size_t length = new_arxiv(id);
    if (length == 0)
        length = old_arxiv(id);
    char next = length < id.length ? id.bytes[length] : '\0';
    if (length == 0 || text_digit(next) || (text_letter(next) && next != 'v'))
        return none;
    return (struct slice){arena_copy(arena, id.bytes, length), length};
}

static bool isbn_checks(const char *digits, size_t length)
{
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = digits[i] == 'X' ? 10 : (unsigned)(digits[i] - '0');
        if (digit == 10 && (length == 13 || i != 9))
            return false;
        sum += length == 13 ? digit * (i % 2 == 0 ? 1 : 3) : digit * (10 - (unsigned)i);
    }
    return length == 13 ? sum % 10 == 0 : sum % 11 == 0;
}

struct slice identifier_isbn(struct arena *arena, struct slice text)
{
    char digits[14];
    size_t count = 0;
    for (size_t i = 0; i <= text.length; i++) {
        char c = i < text.length ? text.bytes[i] : '\0';
        if (text_digit(c) || ((c == 'X' || c == 'x') && count == 9)) {
            if (count < sizeof digits)
                digits[count++] = c == 'x' ? 'X' : c;
        } else if (c != '-' || count == 0) {
            if ((count == 10 || count == 13) && isbn_checks(digits, count))
                return (struct slice){arena_copy(arena, digits, count), count};
            if (c != ' ')
                count = 0;
        }
    }
    return none;
}

struct slice identifier_pmid(struct arena *arena, struct slice text)
{
    struct slice whole = lowered(arena, slice_trim(text));
    const char *end = whole.bytes + whole.length;
    const char *from = behind(whole, "pubmed.ncbi.nlm.nih.gov/");
    if (from == NULL)
        from = behind(whole, "pmid:");
    struct slice digits = from == NULL ? whole : slice_trim(slice_between(from, end));
    size_t length = digits_at(digits, 0);
    bool alone = length == digits.length ||
                 (length + 1 == digits.length && digits.bytes[length] == '/');
    if (length == 0 || length > 8 || digits.bytes[0] == '0' || !alone)
        return none;
    return (struct slice){arena_copy(arena, digits.bytes, length), length};
}

/* The sixteen characters at `at`, hyphens between each four of them. */
static bool orcid_at(const char *at)
{
    unsigned total = 0;
    for (size_t i = 0; i < 18; i++) {
        bool hyphen = i % 5 == 4;
        if (hyphen ? at[i] != '-' : !text_digit(at[i]))
            return false;
        if (!hyphen)
            total = (total + (unsigned)(at[i] - '0')) * 2;
    }
    unsigned check = (12 - total % 11) % 11;
    return at[18] == (check == 10 ? 'X' : (char)('0' + check));
}

struct slice identifier_orcid(struct arena *arena, struct slice text)
{
    struct slice whole = lowered(arena, slice_trim(text));
    const char *end = whole.bytes + whole.length;
    const char *from = behind(whole, "orcid.org/");
    if (from == NULL)
        from = behind(whole, "orcid:");
    struct slice id = from == NULL ? whole : slice_trim(slice_between(from, end));
    if (id.length == 20 && id.bytes[19] == '/')
        id.length = 19;
    if (id.length != 19)
        return none;
    char *copy = arena_copy(arena, id.bytes, id.length);
    copy[18] = copy[18] == 'x' ? 'X' : copy[18];
    return orcid_at(copy) ? (struct slice){copy, 19} : none;
}

bool identifier_of(struct slice *found, struct arena *arena, const char *scheme,
                   struct slice text)
{
    static const struct {
        const char *name;
        struct slice (*find)(struct arena *arena, struct slice text);
    } schemes[] = {
        {"doi",   identifier_doi  },
        {"arxiv", identifier_arxiv},
        {"isbn",  identifier_isbn },
        {"pmid",  identifier_pmid },
    };
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        if (strcmp(schemes[i].name, scheme) != 0)
            continue;
        *found = schemes[i].find(arena, text);
        return true;
    }
    return false;
}
