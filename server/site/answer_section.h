/* One section of a form, as it is drawn and as it comes back. The page carries, beside
 * the values, what each of them was when it was drawn: so a value that was not touched
 * takes what another window or person wrote meanwhile, and only what two have altered is
 * a conflict. */
#ifndef LABD_SITE_ANSWER_SECTION_H
#define LABD_SITE_ANSWER_SECTION_H

#include "server/site/answering.h"

struct answer_section {
    size_t index;
    const struct form *form; /* form_section() */
    struct submission read;  /* of this section alone */
    json_t *document;        /* the whole, with what was typed here */
    json_t *typed;           /* the fields of this section as they came, for drawing */
    const char *seen;        /* the hidden field as it came */
    json_t *conflicts;       /* names of fields that were altered here and elsewhere */
    bool overtaken;          /* something of this section was altered elsewhere */
};

/* By number (from 1) in the path, or else in the field "-section". NOT_FOUND. */
MUST_USE enum result answer_section_find(struct answer_section *section,
                                         const struct answering *answering,
                                         const char *number);
/* What each value of the section is, for the hidden field "-seen". */
json_t *answer_section_seen(const struct answer_section *section, json_t *document);
/* Reads the request's fields: all of `section` is filled. */
MUST_USE enum result answer_section_read(struct answer_section *section,
                                         const struct answering *answering,
                                         struct request *request);

#endif
