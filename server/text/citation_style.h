/* How a style of citation writes: its names, its terms, and a template for each kind of
 * work. For citation*.c.
 *
 * A template is text with
 *   {name}    a value (citation_value.c); {name!} one without which its group fails
 *   <...>     a group: left out when values stand in it and all are empty
 *   <a|b>     the first alternative that is not left out; one of mere text always stands
 *   _ and *   begin and end italics, bold
 * Punctuation between parts (. , ; :) is the template's, and citation.c joins it: what
 * would stand doubled, or at the beginning of a line or bracket, is left out. */
#ifndef LABD_TEXT_CITATION_STYLE_H
#define LABD_TEXT_CITATION_STYLE_H

#include "server/text/citation.h"

#include <stdbool.h>

/* How a list of names is written. */
struct citation_names {
    bool family_first; /* Lin, X. */
    bool initials;
    bool capitals;         /* of the family name: LIN X */
    const char *separator; /* between family and given, when family_first */
    const char *dot;       /* after an initial, with the space to the next: ". " */
    const char *hyphen;    /* between initials of J.-P. */
    const char *two;       /* between the names of two */
    const char *last;      /* before the last of more than two */
    size_t most;           /* of more than these, only `first` are named */
    size_t first;
    bool ellipsis;      /* then … and the last one; else the term for others */
    const char *others; /* with what stands before it; \1 begins and ends italics */
};

enum citation_kind {
    CITE_ARTICLE,
    CITE_CONFERENCE,
    CITE_BOOK,
    CITE_CHAPTER,
    CITE_THESIS,
    CITE_REPORT,
    CITE_PREPRINT,
    CITE_SOFTWARE,
    CITE_DATASET,
    CITE_OTHER,
    CITE_KINDS
};

struct citation_rules {
    struct citation_names authors, editors;
    const char *editor_of[2];  /* "Ed.", "Eds." */
    const char *as_authors[2]; /* behind editors who stand for authors: " (Ed.)" */
    const char *months[12];    /* short */
    const char *range;         /* between pages */
    bool ended;                /* with a full stop even behind a link */
    const char *templates[CITE_KINDS];
};

extern const struct citation_rules citation_rules[CITATION_STYLES];

#endif
