/* What the parts of the citation writer share.
 *
 * Between them a reference is text with marks, which values never hold (their control
 * characters become spaces): */
#ifndef LABD_TEXT_CITATION_PRIVATE_H
#define LABD_TEXT_CITATION_PRIVATE_H

#include "server/text/citation_style.h"

enum citation_mark {
    MARK_ITALIC = 1,   /* begins and ends */
    MARK_BOLD = 2,     /* the same */
    MARK_LINK = 3,     /* its address follows, */
    MARK_LINKED = 4,   /* then its text, */
    MARK_LINK_END = 5, /* and its end */
    MARK_VALUE = 6,    /* what follows is a value, */
    MARK_TEXT = 7      /* and from here again the template's */
};

struct citing {
    struct arena *arena;
    const struct citation_rules *rules;
    json_t *work;
    bool chinese; /* is the work */
    bool gbt;
    bool part;          /* of a volume that is named */
    bool editors_taken; /* they stand for the authors */
};

/* The value of a name in a template; NULL when there is none. `decoration` is set for one
 * that does not make a group stand ("pp."). */
const char *citation_value(struct citing *citing, const char *name, size_t length,
                           bool *decoration);

/* A list of authors or editors. */
const char *citation_people(const struct citing *citing, const json_t *people,
                            const struct citation_names *form, bool others);

/* Text of a document with its control characters as spaces. */
const char *citation_clean(struct arena *arena, const char *text);

#endif
