/* A form that people fill in a section at a time. */
#ifndef LABD_FORM_SECTION_H
#define LABD_FORM_SECTION_H

#include "server/form/submission.h"

/* One section as a form of its own, for form_page() and form_read_fields(), on the
 * current arena. `document` has the answers of the other sections: a field that one of
 * them keeps away is not there. What must hold between sections is for the whole form to
 * judge. */
const struct form *form_section(const struct form *form, size_t number, json_t *document);

/* The section of a field (the top-level name of an error's path), or of the field that
 * the choice of who sees it belongs to; -1: none. */
int form_section_of(const struct form *form, const char *path);

/* Does the field stand there to be answered by them? */
bool form_asks(const struct field *field, json_t *document, enum form_audience audience);

/* The document that a section makes of what it reads: `submission` without faults, and
 * with each faulty answer as it was typed, so that nothing is lost; what can't be stored
 * stays as it was in `before`. */
json_t *form_draft(const struct form *section, const struct submission *submission,
                   json_t *before);

/* As form_read_document(), of a document that form_draft() may have made: numbers, dates
 * and choices may be texts as they were typed. Keys that the form does not have are left
 * out. */
MUST_USE enum result form_read_draft(struct submission *out, const struct form *form,
                                     json_t *document, enum form_audience audience);

#endif
