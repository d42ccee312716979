/* All form definitions of an installation: HOME/templates/forms, each file replaced by
 * the theme's one of the same name. In development a changed file is read again; one with
 * a mistake is logged and the last good definitions stay. Safe from any thread. */
#ifndef LABD_FORM_FORMS_H
#define LABD_FORM_FORMS_H

#include "server/form/definition.h"

struct forms;

/* `theme` is "" or NULL when there is none. On INVALID `problem` says which file and why.
 */
MUST_USE enum result forms_open(struct forms **forms, const char *home, const char *theme,
                                bool development, char *problem, size_t problem_size);
void forms_close(struct forms *forms);

/* The form, or NULL. It stays valid until forms_close(). */
const struct form *form_named(struct forms *forms, const char *name);
/* Its definition as written, a new document on the current arena; NULL: no such form. */
json_t *form_definition(struct forms *forms, const char *name);

#endif
