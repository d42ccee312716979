/* Telling bibliography formats apart. The first line that says something decides, for
 * exports begin with their first entry; after a preface (a comment, front matter, a
 * header of the exporting program) the first line that only one format can have. */
#include "server/base/identifier.h"
#include "server/text/bibliography.h"

enum { LOOKED_AT = 1 << 20, TOKEN = 300 };

const char *bibliography_format_name(enum bibliography_format format)
{
    static const char *const names[] = {
        [BIBLIOGRAPHY_UNKNOWN] = "unknown",
        [BIBLIOGRAPHY_BIBTEX] = "bibtex",
        [BIBLIOGRAPHY_RIS] = "ris",
        [BIBLIOGRAPHY_CSL_JSON] = "csl-json",
        [BIBLIOGRAPHY_ENDNOTE] = "endnote",
        [BIBLIOGRAPHY_NBIB] = "nbib",
        [BIBLIOGRAPHY_IDENTIFIERS] = "identifiers",
    };
    return names[format];
}

static bool capital_or_digit(char c)
{
    return (c >= 'A' && c <= 'Z') || text_digit(c);
}

/* "TY  - JOUR": a tag of two characters, blanks, a hyphen. Tags of three or four, padded
 * to four, are MEDLINE's: "PMID- 1", "TI  - A title" is in both. */
static size_t tag_length(struct slice line)
{
    size_t at = 0;
    while (at < line.length && at < 5 && capital_or_digit(line.bytes[at]))
        at++;
    if (at == 0 && line.length > 3 && memcmp(line.bytes, "ty ", 3) == 0)
        at = 2;
    size_t tag = at;
    while (at < line.length && at < tag + 3 && line.bytes[at] == ' ')
        at++;
    bool hyphen = at < line.length && line.bytes[at] == '-' &&
                  (at + 1 == line.length || text_space(line.bytes[at + 1]));
    return hyphen && tag >= 2 && tag <= 4 ? tag : 0;
}

static bool bibtex_line(struct slice line)
{
    size_t at = 1;
    if (line.length < 3 || line.bytes[0] != '@')
        return false;
    while (at < line.length && (text_letter(line.bytes[at]) || line.bytes[at] == ' '))
        at++;
    return at > 1 && at < line.length && (line.bytes[at] == '{' || line.bytes[at] == '(');
}

/* "RT Journal Article": RefWorks, and what CNKI and Wanfang make of it. */
static bool refworks_line(struct slice line)
{
    static const char *const types[] = {
        "Journal", "Dissertation", "Conference", "Book",     "Generic",     "Thesis",
        "Report",  "Patent",       "Newspaper",  "Magazine", "Unpublished", "Web"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (line.length >= 3 + strlen(types[i]) && memcmp(line.bytes, "RT ", 3) == 0 &&
            strncasecmp(line.bytes + 3, types[i], strlen(types[i])) == 0)
            return true;
    return false;
}

static enum bibliography_format format_of_line(struct slice line)
{
    size_t tag = tag_length(line);
    if (bibtex_line(line))
        return BIBLIOGRAPHY_BIBTEX;
    if (tag == 4 && memcmp(line.bytes, "PMID", 4) == 0)
        return BIBLIOGRAPHY_NBIB;
    if (tag == 2 && (strncasecmp(line.bytes, "TY", 2) == 0 ||
                     (line.length > 5 && memcmp(line.bytes + 2, "  - ", 4) == 0)))
        return BIBLIOGRAPHY_RIS;
    if (line.length == 4 && memcmp(line.bytes, "PT ", 3) == 0) /* Web of Science */
        return BIBLIOGRAPHY_RIS;
    if (refworks_line(line))
        return BIBLIOGRAPHY_RIS;
    if (line.length > 17 && memcmp(line.bytes, "{Reference Type}:", 17) == 0)
        return BIBLIOGRAPHY_ENDNOTE; /* NoteExpress */
    if (line.length >= 3 && line.bytes[0] == '%' && line.bytes[2] == ' ' &&
        strchr("0AT", line.bytes[1]) != NULL && line.bytes[1] != '\0')
        return BIBLIOGRAPHY_ENDNOTE;
    return BIBLIOGRAPHY_UNKNOWN;
}

/* The next line that is not blank, trimmed; false at the end. */
static bool next_line(struct slice *line, struct slice *rest)
{
    while (rest->length > 0) {
        size_t length = 0;
        while (length < rest->length && rest->bytes[length] != '\n' &&
               rest->bytes[length] != '\r')
            length++;
        *line = slice_trim((struct slice){rest->bytes, length});
        length += length < rest->length;
        rest->bytes += length;
        rest->length -= length;
        if (line->length > 0)
            return true;
    }
    return false;
}

/* [ or { and then something that JSON allows there. */
static bool looks_json(struct slice text)
{
    text = slice_trim(text);
    if (text.length < 2 || (text.bytes[0] != '[' && text.bytes[0] != '{'))
        return false;
    struct slice inside = slice_trim((struct slice){text.bytes + 1, text.length - 1});
    return inside.length > 0 &&
           strchr(text.bytes[0] == '[' ? "{]" : "\"}", inside.bytes[0]) != NULL;
}

static bool identifier_token(struct arena *arena, struct slice token)
{
    size_t digits = 0;
    for (size_t i = 0; i < token.length; i++)
        digits += text_digit(token.bytes[i]);
    bool orcid = token.length >= 19 && token.bytes[token.length - 5] == '-' &&
                 token.bytes[token.length - 10] == '-' && digits >= 15;
    return orcid || identifier_doi(arena, token).length > 0 ||
           identifier_arxiv(arena, token).length > 0 ||
           identifier_pmid(arena, token).length > 0;
}

/* Is there an identifier in one of the first lines? */
static bool looks_identifiers(struct slice text)
{
    struct arena *arena = arena_new();
    struct slice line;
    bool found = false;
    for (int lines = 0; lines < 50 && !found && next_line(&line, &text); lines++)
        while (line.length > 0 && !found) {
            size_t length = 0;
            while (length < line.length && !text_space(line.bytes[length]) &&
                   strchr(",;", line.bytes[length]) == NULL)
                length++;
            found = length <= TOKEN &&
                    identifier_token(arena, (struct slice){line.bytes, length});
            length += length < line.length;
            line.bytes += length;
            line.length -= length;
        }
    arena_free(arena);
    return found;
}

static enum bibliography_format format_of_name(const char *name)
{
    static const struct {
        const char *ending;
        enum bibliography_format format;
    } endings[] = {
        {".bib",      BIBLIOGRAPHY_BIBTEX  },
        {".bibtex",   BIBLIOGRAPHY_BIBTEX  },
        {".biblatex", BIBLIOGRAPHY_BIBTEX  },
        {".ris",      BIBLIOGRAPHY_RIS     },
        {".ciw",      BIBLIOGRAPHY_RIS     },
        {".json",     BIBLIOGRAPHY_CSL_JSON},
        {".enw",      BIBLIOGRAPHY_ENDNOTE },
        {".net",      BIBLIOGRAPHY_ENDNOTE },
        {".nbib",     BIBLIOGRAPHY_NBIB    },
    };
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t ending = strlen(endings[i].ending);
        if (length > ending && strcasecmp(name + length - ending, endings[i].ending) == 0)
            return endings[i].format;
    }
    return BIBLIOGRAPHY_UNKNOWN;
}

/* One that starts behind other text on its line. */
static bool has_bibtex(struct slice text)
{
    struct arena *arena = arena_new();
    struct bibtex *parser;
    struct bibtex_entry entry;
    bool found = bibtex_open(&parser, arena, text, &bibtex_paste_limits) == OK &&
                 bibtex_next(&entry, parser) == OK;
    arena_free(arena);
    return found;
}

enum bibliography_format bibliography_sniff(const char *name, struct slice text)
{
    text.length = text.length < LOOKED_AT ? text.length : LOOKED_AT;
    struct slice line;
    struct slice rest = text;
    enum bibliography_format format = BIBLIOGRAPHY_UNKNOWN;
    if (looks_json(rest))
        return BIBLIOGRAPHY_CSL_JSON;
    while (format == BIBLIOGRAPHY_UNKNOWN && next_line(&line, &rest))
        format = format_of_line(line);
    if (format == BIBLIOGRAPHY_UNKNOWN)
        format = format_of_name(name);
    if (format == BIBLIOGRAPHY_UNKNOWN && has_bibtex(text))
        format = BIBLIOGRAPHY_BIBTEX;
    if (format == BIBLIOGRAPHY_UNKNOWN && looks_identifiers(text))
        format = BIBLIOGRAPHY_IDENTIFIERS;
    return format;
}
