/* Editing a definition that is being written, as a JSON document: each function changes
 * it in place and returns true, or returns false and leaves it as it was. Nothing needs
 * to be whole; form_problems() says what is missing before it can be published.
 *
 * A field's path is its name, "links.url" for one within a group. Sections are numbered
 * from 0. */
#ifndef LABD_FORM_EDIT_H
#define LABD_FORM_EDIT_H

#include "server/form/definition.h"

struct edit_place {
    json_t *field;
    json_t *list; /* that it stands in */
    size_t index, section;
    const char *group; /* or NULL */
};

bool edit_find(struct edit_place *place, json_t *definition, const char *path);

/* Up (-1) or down (1) among its neighbours. */
bool edit_move(json_t *definition, const char *path, int by);
/* To another place: before what has that number there without it; more is the end. Not
 * for fields of groups. */
bool edit_place(json_t *definition, const char *path, size_t section, size_t position);
/* A copy behind it, with a name of its own: *made is its path. */
bool edit_copy(const char **made, json_t *definition, const char *path, json_t *taken);
/* Takes it away, also from the rule that one of several is needed. */
bool edit_remove(json_t *definition, const char *path);
/* Puts a field back that `before`, an earlier state, has and `definition` has not: behind
 * the same neighbour if that is there, in the same section, else at the end. */
bool edit_restore(json_t *definition, json_t *before, const char *path);
/* In place of the field at `path`; a new name is followed by what refers to it. */
bool edit_set(json_t *definition, const char *path, json_t *field);
/* At the end of a section, or of the group of that name. */
bool edit_add(json_t *definition, size_t section, const char *group, json_t *field);

/* `section` at the end of all, or in place of that number's title and hint. */
bool edit_add_section(json_t *definition, json_t *section);
bool edit_set_section(json_t *definition, size_t number, json_t *section);
bool edit_move_section(json_t *definition, size_t number, int by);
/* Its fields go to the section before, or after; the last one stays. */
bool edit_remove_section(json_t *definition, size_t number);

/* A name for a new field, from the words of its label: "favourite_food", or from its type
 * where those give none; `prefix` before it. It is nobody's in the definition, nor a key
 * of `taken` (or NULL), nor reserved. With `group`: among that group's fields. */
const char *edit_name(json_t *definition, json_t *taken, const char *group,
                      const char *prefix, const char *label, const char *type);

/* A copy that form_load() takes, to show what there is so far: words that are missing are
 * lent from the other language, attributes that can't be are left out, fields too. NULL:
 * nothing can be shown yet. */
json_t *edit_drawable(json_t *definition);

#endif
