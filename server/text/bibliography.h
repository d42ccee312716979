/* Files of works in any known format, read as one import.
 *
 * Each file's encoding is undone (encoding.h) and its format found, by its content before
 * its name. Entries come one by one, file by file, as documents in the shape of work.h.
 * What BibTeX files say to each other holds across all files of the import: @string
 * macros, `crossref` and `xdata` (biblatex's rules, see bibliography_inherit.h).
 *
 * One entry costs itself alone and one file itself alone: what cannot be read is given
 * with its line and reason, or stands in bibliography_files(). Files are read in constant
 * memory beyond macros and the parents of others. */
#ifndef LABD_TEXT_BIBLIOGRAPHY_H
#define LABD_TEXT_BIBLIOGRAPHY_H

#include "server/text/bibtex.h"

#include <jansson.h>

enum bibliography_format {
    BIBLIOGRAPHY_UNKNOWN,
    BIBLIOGRAPHY_BIBTEX, /* biblatex too */
    BIBLIOGRAPHY_RIS,
    BIBLIOGRAPHY_CSL_JSON,
    BIBLIOGRAPHY_ENDNOTE,     /* .enw, refer: lines that start with %T */
    BIBLIOGRAPHY_NBIB,        /* MEDLINE, as PubMed exports it */
    BIBLIOGRAPHY_IDENTIFIERS, /* DOIs, arXiv numbers, PMIDs, ORCIDs, one a line or mixed
                               */
};

/* "bibtex", "ris", "csl-json", "endnote", "nbib", "identifiers", "unknown". */
const char *bibliography_format_name(enum bibliography_format format);

/* Of well-formed UTF-8. `name` may be "". */
enum bibliography_format bibliography_sniff(const char *name, struct slice text);

struct bibliography_file {
    const char *name;
    struct slice bytes;
};

struct bibliography_entry {
    size_t file;         /* index of the file */
    size_t line;         /* from 1 */
    const char *key;     /* BibTeX key, RIS ID, CSL id; may be "" */
    json_t *document;    /* NULL: refused, or an identifier to look up */
    const char *refused; /* a code ("unclosed", ...) or NULL */
    size_t refused_line; /* 0 when it stands */
    const char *reason;  /* an English clause, with the code */
    json_t *remarks;     /* [{line, code, word, reason}] of an entry that stands; word may
                            be null. Never NULL. */
    const char *scheme;  /* of an identifier list: "doi", "arxiv", "pmid", "orcid"; */
    const char *value;   /* else both NULL */
    struct slice source; /* the entry as it stands in the decoded file */
};

struct bibliography;

/* The files' bytes, names and `limits` must outlive the bibliography, which lives on
 * `arena`; there is nothing to close. limits->file_bytes and ->entries hold for all files
 * together. INVALID: they are too long in all. */
MUST_USE enum result bibliography_open(struct bibliography **b, struct arena *arena,
                                       const struct bibliography_file *files,
                                       size_t count, const struct bibtex_limits *limits);

/* The next entry; all of it but the source lives on `entry_arena`, which may be reset
 * before the next call. NOT_FOUND at the end. Problems outside entries (an unfinished
 * @string, an undefined macro in one) come as entries with neither document nor scheme:
 * `refused` set, key "". */
MUST_USE enum result bibliography_next(struct bibliography_entry *entry,
                                       struct bibliography *b, struct arena *entry_arena);

/* [{name, format, encoding, entries, refused}] on the current arena, after the end:
 * `refused` is null or a code: "encoding" (no text we know), "format" (no format we
 * know). `entries` counts what bibliography_next() gave of the file, refused ones too. */
json_t *bibliography_files(const struct bibliography *b);

#endif
