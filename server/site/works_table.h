/* Works as rows of a table, with headings in the words of the form. */
#ifndef LABD_SITE_WORKS_TABLE_H
#define LABD_SITE_WORKS_TABLE_H

#include "server/base/language.h"

#include <jansson.h>

json_t *works_table_headings(enum language language);
/* `origin` stands before the path of the work's page. */
json_t *works_table_row(json_t *work, enum language language, const char *origin);

#endif
