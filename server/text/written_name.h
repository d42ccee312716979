/* A name of a document, {name, family, given}, in the parts that files of bibliographies
 * have. */
#ifndef LABD_TEXT_WRITTEN_NAME_H
#define LABD_TEXT_WRITTEN_NAME_H

#include <jansson.h>
#include <stdbool.h>

struct written_name {
    const char *family; /* with its particle; of a group its name. Never NULL */
    const char *given;  /* NULL: a group, or a person with one name */
    const char *suffix; /* "Jr."; NULL: none */
};

/* As its parts say; where the name as printed says something else (somebody has mended
 * it, or typed it whole), that is taken apart, unless it looks like the name of a group.
 * On the current arena. */
struct written_name written_name(const json_t *person);

/* Would a reader of lists of names see more in this than a part of one name? */
bool written_name_divisible(const char *part);

#endif
