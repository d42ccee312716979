/* Writes BibTeX; see bibtex_write.h. What a field may hold follows "BibTeXing" (Patashnik
 * 1988) and, for identifiers, biblatex. BibTeX counts braces even behind a backslash,
 * hence the \textbrace commands. */
#include "server/text/bibtex_write.h"

#include "server/base/document.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static void write_escaped_char(struct buf *out, char c)
{
    switch (c) {
    case '&':
    case '%':
    case '$':
    case '#':
    case '_':
        buf_char(out, '\\');
        buf_char(out, c);
        break;
    case '{':
        buf_string(out, "\\textbraceleft{}");
        break;
    case '}':
        buf_string(out, "\\textbraceright{}");
        break;
    case '\\':
        buf_string(out, "\\textbackslash{}");
        break;
    case '~':
        buf_string(out, "\\textasciitilde{}");
        break;
    case '^':
        buf_string(out, "\\textasciicircum{}");
        break;
    default:
        buf_char(out, isspace((unsigned char)c) ? ' ' : c);
    }
}

static void write_escaped(struct buf *out, const char *value, size_t length)
{
    for (size_t i = 0; i < length; i++)
        write_escaped_char(out, value[i]);
}

/* A word with a capital behind its first letter keeps its case only inside braces. */
static bool needs_case(const char *word, size_t length)
{
    for (size_t i = 1; i < length; i++)
        if (word[i] >= 'A' && word[i] <= 'Z')
            return true;
    return false;
}

static void write_title(struct buf *out, const char *title)
{
    while (*title != '\0') {
        size_t length = strcspn(title, " ");
        bool keep = needs_case(title, length);
        if (keep)
            buf_char(out, '{');
        write_escaped(out, title, length);
        if (keep)
            buf_char(out, '}');
        title += length;
        if (*title == ' ')
            buf_char(out, *title++);
    }
}

/* Part of a name; in braces where BibTeX would take it apart. */
static void write_name_part(struct buf *out, const char *part, bool whole)
{
    bool keep = whole || strchr(part, ',') != NULL || strcasestr(part, " and ") != NULL;
    if (keep)
        buf_char(out, '{');
    write_escaped(out, part, strlen(part));
    if (keep)
        buf_char(out, '}');
}

static void write_authors(struct buf *out, json_t *authors)
{
    size_t i;
    json_t *author;
    if (json_array_size(authors) == 0)
        return;
    buf_string(out, ",\n  author = {");
    json_array_foreach(authors, i, author)
    {
        const char *family = filled_of(author, "family"),
                   *given = filled_of(author, "given");
        const char *name = filled_of(author, "name");
        if (i > 0)
            buf_string(out, " and ");
        write_name_part(out,
                        family != NULL ? family
                        : name != NULL ? name
                                       : "",
                        family == NULL);
        if (family != NULL && given != NULL) {
            buf_string(out, ", ");
            write_name_part(out, given, false);
        }
    }
    buf_char(out, '}');
}

static void write_field(struct buf *out, const char *field, const char *value)
{
    if (value == NULL)
        return;
    buf_print(out, ",\n  %s = {", field);
    write_escaped(out, value, strlen(value));
    buf_char(out, '}');
}

/* Addresses and identifiers are taken as they stand; braces alone can't. */
static void write_verbatim(struct buf *out, const char *field, const char *value)
{
    if (value == NULL)
        return;
    buf_print(out, ",\n  %s = {", field);
    for (; *value != '\0'; value++)
        if (*value == '{' || *value == '}')
            buf_string(out, *value == '{' ? "%7B" : "%7D");
        else if (!isspace((unsigned char)*value))
            buf_char(out, *value);
    buf_char(out, '}');
}

/* "1–18" or "1-18" as BibTeX's "1--18". */
static void write_pages(struct buf *out, const char *pages)
{
    if (pages == NULL)
        return;
    buf_string(out, ",\n  pages = {");
    while (*pages != '\0') {
        size_t dashes = strspn(pages, "-");
        bool en_dash = strncmp(pages, "\xE2\x80\x93", 3) == 0;
        if (dashes > 0 || en_dash) {
            buf_string(out, "--");
            pages += en_dash ? 3 : dashes;
        } else {
            write_escaped_char(out, *pages++);
        }
    }
    buf_char(out, '}');
}

static void write_identifiers(struct buf *out, json_t *identifiers)
{
    size_t i;
    json_t *identifier;
    json_array_foreach(identifiers, i, identifier)
    {
        const char *scheme = filled_of(identifier, "scheme"),
                   *value = filled_of(identifier, "value");
        if (scheme == NULL || value == NULL)
            continue;
        bool arxiv = strcmp(scheme, "arxiv") == 0;
        write_verbatim(out, arxiv ? "eprint" : scheme, value);
        if (arxiv)
            buf_string(out, ",\n  eprinttype = {arxiv}");
    }
}

struct entry_type {
    const char *kind, *type, *venue; /* the field that the venue goes to */
};

static const struct entry_type types[] = {
    {"article",    "article",       "journal"     },
    {"conference", "inproceedings", "booktitle"   },
    {"book",       "book",          "series"      },
    {"chapter",    "incollection",  "booktitle"   },
    {"thesis",     "phdthesis",     "school"      },
    {"report",     "techreport",    "institution" },
    {NULL,         "misc",          "howpublished"},
};

static const struct entry_type *type_of(json_t *work)
{
    const char *kind = filled_of(work, "kind");
    const struct entry_type *type = types;
    while (type->kind != NULL && (kind == NULL || strcmp(kind, type->kind) != 0))
        type++;
    return type;
}

static bool is_word(const char *word, const char *allowed)
{
    if (word == NULL)
        return false;
    for (; *word != '\0'; word++)
        if (!isalnum((unsigned char)*word) && strchr(allowed, *word) == NULL)
            return false;
    return true;
}

/* The type and the key of the entry it came from stand, where they can. */
static void write_head(struct buf *out, json_t *work, const struct entry_type *type)
{
    const char *given = filled_of(work, "bibtex_type"),
               *key = filled_of(work, "bibtex_key");
    const char *slug = filled_of(work, "slug");
    bool thesis = given != NULL && strcasecmp(given, "mastersthesis") == 0 &&
                  strcmp(type->type, "phdthesis") == 0;
    buf_print(out, "@%s{%s", thesis ? "mastersthesis" : type->type,
              is_word(key, "-_:.+/") ? key
              : slug != NULL         ? slug
                                     : "work");
}

void bibtex_write(struct buf *out, json_t *work)
{
    static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                         "jul", "aug", "sep", "oct", "nov", "dec"};
    const struct entry_type *type = type_of(work);
    const char *title = filled_of(work, "title");
    json_int_t year = json_integer_value(json_object_get(work, "year"));
    json_int_t month = json_integer_value(json_object_get(work, "month"));
    write_head(out, work, type);
    write_authors(out, json_object_get(work, "authors"));
    if (title != NULL) {
        buf_string(out, ",\n  title = {");
        write_title(out, title);
        buf_char(out, '}');
    }
    write_field(out, type->venue, filled_of(work, "venue"));
    if (year > 0)
        buf_print(out, ",\n  year = {%lld}", (long long)year);
    if (month >= 1 && month <= 12)
        buf_print(out, ",\n  month = %s", months[month - 1]);
    write_field(out, "volume", filled_of(work, "volume"));
    write_field(out, "number", filled_of(work, "issue"));
    write_pages(out, filled_of(work, "pages"));
    write_field(out, "publisher", filled_of(work, "publisher"));
    write_identifiers(out, json_object_get(work, "identifiers"));
    write_verbatim(out, "url", filled_of(work, "url"));
    write_field(out, "note", filled_of(work, "note"));
    buf_string(out, "\n}\n");
}
