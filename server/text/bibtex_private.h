/* The state of the BibTeX parser. For bibtex.c and bibtex_value.c. */
#ifndef LABD_TEXT_BIBTEX_PRIVATE_H
#define LABD_TEXT_BIBTEX_PRIVATE_H

#include "server/text/bibtex.h"
#include "server/text/bibtex_macro.h"
#include "server/text/bibtex_scan.h"

struct bibtex {
    struct bibtex_scan scan;
    const char *at;
    const struct bibtex_limits *limits;
    struct arena *arena;
    struct bibtex_macros macros;
    const struct bibtex_macros *shared; /* of other files; may be NULL */
    struct bibtex_field *fields;        /* limits->fields of them */
    size_t macro_bytes, entries;
    const char *counted; /* lines are counted up to here ... */
    size_t line;         /* ... and this is the line there */
    bool comment_unclosed;
    /* Of the entry being read: */
    struct bibtex_entry *entry;
    char closer;
    uint64_t names_seen; /* a bit a hash of a field name */
};

static inline char bibtex_peek(const struct bibtex *b)
{
    return b->at < b->scan.end ? *b->at : '\0';
}

static inline void bibtex_space(struct bibtex *b)
{
    b->at = bibtex_skip_space(&b->scan, b->at);
}

/* LF, CR and CRLF each end a line. */
size_t bibtex_line_ends(const char *from, const char *to, const char *end);

void bibtex_refuse(struct bibtex *b, enum bibtex_problem problem, const char *at);
void bibtex_remark(struct bibtex *b, enum bibtex_problem problem, struct slice where);

/* A word between delimiters: a field's name, a macro, a number. */
struct slice bibtex_word(struct bibtex *b);

/* Pieces joined by #; a single one is not copied. False when the entry ends in it. */
bool bibtex_read_value(struct bibtex *b, struct slice *value);

#endif
