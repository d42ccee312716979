/* Inside the form layer: one walk over a definition that reads every kind of input. */
#ifndef LABD_FORM_READER_H
#define LABD_FORM_READER_H

#include "server/form/submission.h"

enum source { FROM_FIELDS, FROM_DOCUMENT, FROM_ROW };

struct reader {
    const struct form *form;
    enum source source;
    enum form_audience audience;
    bool partial;
    bool typed; /* a document may hold texts as they were typed */
    struct arena *arena;
    json_t *errors;
};

/* On the current arena. */
struct reader reader_for(const struct form *form, enum source source,
                         enum form_audience audience);

/* What a field is when nothing was said: null, false, [] or its default. */
json_t *reader_empty(const struct field *field);

/* May this input carry the field? */
bool reader_accepts(const struct reader *reader, const struct field *field);

/* Adds an error at prefix + name; the result takes further parameters. */
json_t *reader_error(struct reader *reader, const char *prefix, const char *name,
                     const char *code);

/* One value that is neither group nor record: the normalised JSON value, or NULL when an
 * error was added. `input` may be NULL (absent); `scope` holds what was read before it.
 */
json_t *reader_leaf(struct reader *reader, const struct field *field, const char *prefix,
                    json_t *input, json_t *scope);

/* The whole of typed input: fills document and errors. */
MUST_USE enum result reader_run(struct submission *out, struct reader *reader,
                                json_t *typed);

#endif
