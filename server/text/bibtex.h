/* BibTeX and biblatex files, read in one pass.
 *
 * The input is well-formed UTF-8 (see encoding.h) and stays with the caller; entries and
 * fields point into it. Nothing is kept of an entry once the next is asked for, so a
 * file of any length is read in constant memory beyond its @string macros and `#`
 * concatenations, which live on the arena.
 *
 * What one person's BibTeX accepts, another's refuses; the rule here is that one entry
 * costs itself alone. An entry whose end is missing is given up where a line starts a new
 * `@type{key,`; an entry beyond a limit is refused and skipped; smaller mistakes (a
 * missing comma, text that is no field, an undefined macro) leave the entry whole with a
 * remark. Everything is reported with its line.
 *
 * Sources: "BibTeXing" (Patashnik 1988), bibtex.web 0.99d. Unlike BibTeX, a balanced
 * @comment hides what is in it, `%` hides the rest of a line between fields, and an entry
 * with a `%` right before its @ is no entry. */
#ifndef LABD_TEXT_BIBTEX_H
#define LABD_TEXT_BIBTEX_H

#include "server/base/arena.h"
#include "server/base/result.h"
#include "server/base/slice.h"

#include <stdint.h>

struct bibtex_limits {
    size_t file_bytes;
    size_t entries;
    size_t fields;      /* in an entry */
    size_t depth;       /* of braces in a value */
    size_t value_bytes; /* of a value after expansion */
    size_t macros;      /* @string definitions */
    size_t macro_bytes; /* what macros may add to values in the whole file, definitions
                           included: the bound on any expansion */
};

extern const struct bibtex_limits bibtex_import_limits; /* an administrator's file */
extern const struct bibtex_limits bibtex_paste_limits;  /* a text field on a page */

enum bibtex_problem {
    BIBTEX_SOUND,
    /* The entry is refused. */
    BIBTEX_UNCLOSED,
    BIBTEX_TOO_DEEP,
    BIBTEX_TOO_LONG,
    BIBTEX_TOO_MUCH_EXPANSION,
    BIBTEX_TOO_MANY_FIELDS,
    BIBTEX_TOO_MANY_MACROS,
    BIBTEX_TOO_MANY_ENTRIES, /* the rest of the file is not read */
    /* The entry stands. */
    BIBTEX_UNDEFINED_MACRO, /* the value is the macro's name */
    BIBTEX_REPEATED_FIELD,  /* the first one counts */
    BIBTEX_MISSING_COMMA,
    BIBTEX_MISSING_KEY,
    BIBTEX_MISSING_VALUE, /* taken as empty */
    BIBTEX_NOT_A_FIELD,   /* text between fields, skipped */
    BIBTEX_SURPLUS_BRACE, /* the entry seemed to end early; its fields were found */
    BIBTEX_WRONG_CLOSER,  /* opened by a brace, closed by a parenthesis, or the reverse */
};

/* "unclosed", "undefined_macro", ...: a word for catalogs; and one English clause. */
const char *bibtex_problem_code(enum bibtex_problem problem);
const char *bibtex_problem_text(enum bibtex_problem problem);

struct bibtex_remark {
    enum bibtex_problem problem;
    size_t line;
    struct slice where; /* the word in question; may be empty */
};

struct bibtex_field {
    struct slice name;
    struct slice
        value; /* without delimiters, macros expanded; white space as it stands */
};

enum { BIBTEX_REMARKS = 8 };

struct bibtex_entry {
    struct slice type;   /* as written, without the @ */
    struct slice key;    /* may be empty */
    struct slice source; /* the whole entry, from the @ */
    size_t line;         /* of the @, from 1 */
    enum bibtex_problem refused;
    size_t refused_line; /* where that was noticed */
    const struct bibtex_field *fields;
    size_t field_count;
    bool expanded; /* a macro was used: the source alone does not say what the entry does
                    */
    struct bibtex_remark remarks[BIBTEX_REMARKS];
    size_t remark_count; /* of all that were found; only the first are kept */
};

struct bibtex;
struct bibtex_macros; /* bibtex_macro.h */

/* INVALID: the text is longer than limits->file_bytes. `limits` must outlive the parser;
 * there is nothing to close. */
MUST_USE enum result bibtex_open(struct bibtex **parser, struct arena *arena,
                                 struct slice text, const struct bibtex_limits *limits);

/* Macros known beside the file's own, which go before them; must outlive the parser. */
void bibtex_share(struct bibtex *parser, const struct bibtex_macros *macros);
/* The macros defined so far. */
const struct bibtex_macros *bibtex_defined(const struct bibtex *parser);

/* The next entry, valid until the next call; NOT_FOUND at the end. @string, @preamble and
 * @comment are given only when they are refused or have remarks (bibtex_is_entry tells).
 * A refused entry has its type, key, source and line; its fields are not to be used. */
MUST_USE enum result bibtex_next(struct bibtex_entry *entry, struct bibtex *parser);

/* False for a @string, @preamble or @comment. */
bool bibtex_is_entry(const struct bibtex_entry *entry);

/* The value of the first field of that name (any case) that is not blank, trimmed; else
 * an empty slice. */
struct slice bibtex_value(const struct bibtex_entry *entry, const char *name);

#endif
