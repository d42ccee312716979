/* What came back: fields of an HTML form, a JSON or BibTeX document or a row of CSV
 * becomes one normalised document, or a list of errors.
 *
 * Normalised: well-formed, NFC, CRLF and CR as LF, ends trimmed, "" as null, dates and
 * identifiers in their one form. Every key that the audience may see is present (null,
 * false or [] when empty), except hidden fields that were not sent and, in a partial
 * document, whatever was not sent. A field whose show_if fails is null whatever was sent.
 * Unknown fields are errors, those of another audience too. */
#ifndef LABD_FORM_SUBMISSION_H
#define LABD_FORM_SUBMISSION_H

#include "server/form/definition.h"

struct submission {
    json_t *document; /* complete only when there are no errors */
    json_t *errors; /* [{"field": "authors.0.name", "code": "too_long", "max": 200}]; the
                       words are "error.CODE" of the catalogs; see page.h */
    json_t *typed;  /* the same shape as the document, but each value as it was sent, for
                       drawing the form again */
};

/* All three return OK or INVALID (there are errors); memory is the current arena's. */

/* An HTML form: {"name": ["value", ...]} with flat names ("authors.0.name",
 * "visibility.email"). Rows may be sparse: they are counted anew; rows without any
 * content are dropped. A file is {"filename", "size"} in place of a value.
 *
 * The action "redraw" asks for the form as it was posted, to go on with; nothing may be
 * written then. It is INVALID without errors, whatever the fields hold, so that every
 * handler that draws a form again when it is INVALID knows it. */
MUST_USE enum result form_read_fields(struct submission *out, const struct form *form,
                                      json_t *fields, enum form_audience audience);

/* A document of its own shape, with JSON's types: "7" is no integer, nor is 7.0. Partial
 * (PATCH): absent keys are left alone; merge it with form_merge(), then read the whole.
 */
MUST_USE enum result form_read_document(struct submission *out, const struct form *form,
                                        json_t *document, enum form_audience audience,
                                        bool partial);

/* Which field each column of a CSV file fills. A heading means a field when it equals its
 * name, a label or one of its "columns", folded and without punctuation. */
struct columns {
    const struct form *form;
    const struct field **fields; /* one a column; NULL: not known, or taken already */
    size_t count, known;
    json_t *unknown;  /* headings that mean no field, in order */
    json_t *repeated; /* headings of a field that an earlier column fills */
};

/* `headings` is an array of strings. To find the heading row below a title, take the
 * first of the leading rows with the largest `known`. */
struct columns form_columns(const struct form *form, json_t *headings,
                            enum form_audience audience);

/* The same with the names of the fields, "" for none. */
struct columns form_columns_named(const struct form *form, json_t *names,
                                  enum form_audience audience);

/* A row: an array of strings, which may be shorter or longer than the headings (content
 * beyond them is an error). Choices are read by any of their words, dates also as Excel's
 * day numbers. */
MUST_USE enum result form_read_row(struct submission *out, const struct columns *columns,
                                   json_t *cells, enum form_audience audience);

/* Has the field its place in the document (or row) `scope`, as far as that tells? A
 * document without a key for what its show_if names does not tell: then it has. */
bool form_shows(const struct field *field, json_t *scope);

/* Adds an error that only the store can find ("taken", "person", ...). `field` is
 * NULL for the form as a whole. */
void form_error(struct submission *submission, const char *field, const char *code);

/* A copy of `document` without what the errors name: optional fields, and rows of groups
 * that stay long enough. An import can then take the rest and report what it left out.
 * NULL when one of the errors is about something that can't be missing. */
json_t *form_without_faults(const struct form *form, json_t *document, json_t *errors);

/* A new whole document: `document`, and what it has no keys for from `base` (what the
 * audience may not see, what a partial document left out). Rows of a group take such keys
 * from the base row whose first field is equal. */
json_t *form_merge(const struct form *form, json_t *base, json_t *document);

/* Is the action "redraw"? */
bool form_redraws(json_t *fields);

/* The buttons that work without JavaScript: "add:links", "remove:links.2", "up:links.2",
 * "down:links.2"; and "redraw". Changes
 * `fields` (as for form_read_fields) and returns true when `action` is one of them; the
 * page is then drawn again from `typed`, without errors. A page always has an empty row
 * at the end of a group, so that adding is only drawing again. */
bool form_apply_action(const struct form *form, json_t *fields, const char *action,
                       enum form_audience audience);

#endif
