/* One field of a definition as a form of its own, templates/forms/question.json: what an
 * organiser types in the builder, and the field that comes of it. */
#ifndef LABD_FORM_QUESTION_H
#define LABD_FORM_QUESTION_H

#include "server/form/definition.h"

/* Whether fields of a type have an attribute of question.json: "choices", "min",
 * "pattern", ... Those that all have ("label_en", "required", "name") are true. */
bool question_has(enum field_type type, const char *attribute);

/* The values of question.json for a field. */
json_t *question_values(json_t *field);

/* What was typed, as a field: `before` (or NULL for a new one) with what `values` says in
 * place of it; what question.json does not speak of stays, unless the type does not have
 * it. `type` is a type's name. Choices without a value get one of their own, which is no
 * key of `taken` (or NULL). With `words_only` nothing but label, hint and required
 * changes: a question of the profile. */
json_t *question_field(json_t *before, const char *type, json_t *values, json_t *taken,
                       bool words_only);

/* Shown only if `ruler` has one of `values` (an array of strings); without a ruler or
 * values: always. */
void question_show_if(json_t *field, const char *ruler, json_t *values);

#endif
