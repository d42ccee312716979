/* The inner loops of the BibTeX parser; see bibtex_scan.h. Each looks at a byte once; the
 * looks back and ahead at an @ are bounded by the @ before it and by fixed lengths. */
#include "server/text/bibtex_scan.h"

enum { TYPE_LENGTH = 32, KEY_LENGTH = 256 };

/* Bytes that a scan over a value must look at: braces 1, quotation mark 2, @ 4. */
static const unsigned char marks[256] = {['{'] = 1, ['}'] = 1, ['"'] = 2, ['@'] = 4};

const char *bibtex_skip_space(const struct bibtex_scan *scan, const char *at)
{
    while (at < scan->end && text_space(*at))
        at++;
    return at;
}

static bool first_on_line(const struct bibtex_scan *scan, const char *at)
{
    while (at > scan->start && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == scan->start || at[-1] == '\n' || at[-1] == '\r';
}

bool bibtex_entry_starts(const struct bibtex_scan *scan, const char *at)
{
    if (!first_on_line(scan, at))
        return false;
    const char *type = ++at;
    while (at < scan->end && text_letter(*at) && at - type <= TYPE_LENGTH)
        at++;
    struct slice word = slice_between(type, at);
    if (word.length == 0 || word.length > TYPE_LENGTH)
        return false;
    while (at < scan->end && (*at == ' ' || *at == '\t'))
        at++;
    if (at >= scan->end || (*at != '{' && *at != '('))
        return false;
    if (slice_like(word, "comment") || slice_like(word, "preamble"))
        return false;
    char after_key = slice_like(word, "string") ? '=' : ',';
    const char *key = ++at;
    while (at < scan->end && at - key <= KEY_LENGTH) {
        if (*at == after_key)
            return true;
        if (strchr("{}\"\n\r@=,", *at) != NULL) /* NUL too */
            return false;
        at++;
    }
    return false;
}

const char *bibtex_skip_braces(struct bibtex_scan *scan, const char *at)
{
    const char *end = scan->end;
    size_t depth = 1;
    while (true) {
        while (at < end && (marks[(unsigned char)*at] & 5) == 0)
            at++;
        if (at >= end || (*at == '@' && bibtex_entry_starts(scan, at)))
            break;
        if (*at == '{') {
            if (++depth > scan->depth)
                scan->depth = depth;
        } else if (*at == '}' && --depth == 0) {
            return at + 1;
        }
        at++;
    }
    scan->stop = at;
    return NULL;
}

const char *bibtex_skip_quotes(struct bibtex_scan *scan, const char *at)
{
    const char *end = scan->end;
    size_t depth = 0;
    while (true) {
        while (at < end && marks[(unsigned char)*at] == 0)
            at++;
        if (at >= end || (*at == '@' && bibtex_entry_starts(scan, at)))
            break;
        if (*at == '{') {
            if (++depth > scan->depth)
                scan->depth = depth;
        } else if (*at == '}') {
            depth -= depth > 0;
        } else if (*at == '"' && depth == 0) {
            return at + 1;
        }
        at++;
    }
    scan->stop = at;
    return NULL;
}

const char *bibtex_skip_comment(struct bibtex_scan *scan, const char *at, char closer,
                                bool entries_end_it)
{
    char opener = closer == ')' ? '(' : '{';
    size_t depth = 1;
    for (; at < scan->end; at++) {
        if (*at == opener)
            depth++;
        else if (*at == closer && --depth == 0)
            return at + 1;
        else if (*at == '@' && entries_end_it && bibtex_entry_starts(scan, at))
            break;
    }
    scan->stop = at;
    return NULL;
}
