/* What a format's reader gives to bibliography.c; its table there names each. One file a
 * reader: bibliography_bibtex.c, ris.c, ... */
#ifndef LABD_TEXT_BIBLIOGRAPHY_READER_H
#define LABD_TEXT_BIBLIOGRAPHY_READER_H

#include "server/text/bibliography.h"

struct bibliography_reader {
    /* `text` is well-formed UTF-8 without a mark in front, may hold NUL, and outlives the
     * reader. The state lives on `arena`. */
    enum result (*open)(void **state, struct arena *arena, struct slice text,
                        const struct bibtex_limits *limits);
    /* NOT_FOUND at the end. The entry comes zeroed but for `file`, `key` "" and `remarks`
     * []. `arena` is the current one, of this entry alone. */
    enum result (*next)(struct bibliography_entry *entry, void *state,
                        struct arena *arena);
};

extern const struct bibliography_reader ris_reader;         /* ris.c */
extern const struct bibliography_reader csl_reader;         /* csl.c */
extern const struct bibliography_reader endnote_reader;     /* endnote.c */
extern const struct bibliography_reader nbib_reader;        /* nbib.c */
extern const struct bibliography_reader identifiers_reader; /* identifiers.c */

/* A remark of an entry that stands; `word` (cut when long) may be empty. */
void bibliography_remark(struct bibliography_entry *entry, size_t line, const char *code,
                         struct slice word, const char *reason);

#endif
