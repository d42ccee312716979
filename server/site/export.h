/* Answers and people as files: which columns there are, and writing them. */
#ifndef LABD_SITE_EXPORT_H
#define LABD_SITE_EXPORT_H

#include "server/form/definition.h"
#include "server/http/router.h"
#include "server/site/board_filter.h"
#include "server/text/sheet.h"

/* export.c */
handler export_show, export_write;
/* export_people.c */
handler export_people_show, export_people_write;

/* The page on which columns and format are chosen, of these people (`ids` NULL: of the
 * filter's). `error`: a code, export.error.CODE, or NULL. */
MUST_USE enum result export_draw(struct request *request, struct response *response,
                                 const struct board_filter *filter, const char *error);

/* export_columns.c */

struct export_column {
    const char *group; /* "person", "state", "answer" */
    const char *key;   /* in a row of the board, or the field's name */
    const char *label; /* in the page's language */
    const struct field *field;
    bool chosen;
};

/* All that can be exported of a collection: the fields of its form versions by name, the
 * newest version's first. *count of them live on the request's arena. */
MUST_USE enum result export_columns(struct export_column **columns, size_t *count,
                                    struct request *request, int64_t collection);
/* Chosen are those named by the body's fields "column" as GROUP.KEY; how many. */
size_t export_choose(struct export_column *columns, size_t count,
                     const struct request *request);

/* How cells are written: choices by their words in a language, or by their values. */
struct export_style {
    enum language language;
    bool values;
};

/* A value as a cell of a table (sheet.h). */
json_t *export_cell(const struct export_style *style, const struct export_column *column,
                    json_t *value);

/* export_file.c */

struct sheet_words export_words(const struct request *request, const char *title);
/* The answer is the file, which is closed with it, under a name of any script (RFC 6266,
 * RFC 8187); `plain` is for readers that know ASCII alone. */
void export_send(struct response *response, int fd, enum sheet_format format,
                 const char *plain, const char *name);

#endif
