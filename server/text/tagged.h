/* Files that are lines of a tag and a value, split into records: RIS (Research
 * Information Systems, and what Scopus, Zotero, EndNote, CNKI make of it), Web of
 * Science's .ciw, RefWorks, EndNote's .enw and its forebear refer (%A), NoteExpress
 * ({Author}:), MEDLINE as PubMed gives it.
 *
 * A line without a tag continues the value before it; a record without its end ends where
 * the next begins; lines before the first record (a provider's head) are passed over, and
 * so are those between records. Nothing but what is damaged is lost, and each damage is
 * told with its line. */
#ifndef LABD_TEXT_TAGGED_H
#define LABD_TEXT_TAGGED_H

#include "server/base/arena.h"
#include "server/base/result.h"
#include "server/base/slice.h"
#include "server/text/bibliography_reader.h"

enum tagged_dialect {
    TAGGED_RIS,      /* "TY  - JOUR" ... "ER  - " */
    TAGGED_WOS,      /* "PT J" ... "ER" */
    TAGGED_ENDNOTE,  /* "%0 Journal Article" ..., a blank line behind */
    TAGGED_EXPRESS,  /* "{Reference Type}: Journal Article", the same */
    TAGGED_REFWORKS, /* "RT Journal Article" ..., a blank line behind */
    TAGGED_MEDLINE,  /* "PMID- 123" ..., a blank line behind */
};

struct tagged_field {
    char tag[5]; /* "AU", "%A" as "A", "FAU"; in capitals but for EndNote's */
    size_t line;
    struct slice value; /* continued lines with it, white space as it stands; trimmed */
};

struct tagged_record {
    const struct tagged_field *fields;
    size_t count;
    size_t line;
    struct slice source;
    bool headless;       /* its first tag is not the one that begins a record */
    bool unfinished;     /* its end is missing (RIS and .ciw) */
    size_t end_line;     /* where that was noticed */
    const char *refused; /* a code, or NULL */
    const char *reason;
};

struct tagged;

/* Which dialect the file is in, of those that `dialects` (a bit each) allows; the first
 * one when none is seen. */
enum tagged_dialect tagged_dialect(struct slice text, unsigned dialects);

/* `text` outlives the reader. */
struct tagged *tagged_open(struct arena *arena, struct slice text,
                           enum tagged_dialect dialect,
                           const struct bibtex_limits *limits);

/* The next record, its fields on `arena`; NOT_FOUND at the end. */
MUST_USE enum result tagged_next(struct tagged_record *record, struct tagged *tagged,
                                 struct arena *arena);

/* The first value of a tag that is not blank; empty if none. */
struct slice tagged_value(const struct tagged_record *record, const char *tag);

enum { TAGGED_FIELDS = 40000, TAGGED_BYTES = 4 << 20 }; /* of one record */

/* Into a bibliography's entry: line, source, what is damaged. False: it is refused. */
bool tagged_entry(struct bibliography_entry *entry, const struct tagged_record *record);

#endif
