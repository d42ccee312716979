/* Inside the form layer: what the two halves of reading a definition share. */
#ifndef LABD_FORM_LOADER_H
#define LABD_FORM_LOADER_H

#include "server/form/definition.h"

enum { VISIBILITY_MAX = 24 };

struct loader {
    struct arena *arena;
    const char *where;
    char *problem;
    size_t problem_size;
    json_t *problems; /* not NULL: every problem goes here, and reading goes on */
    struct field visibility[VISIBILITY_MAX]; /* the choices gathered so far */
    size_t visibility_count;
    bool in_group;
};

/* Fills the loader's problem; always INVALID. `code` is what words in a catalog are found
 * by, see form_problems(). */
MUST_USE enum result loader_refuse(struct loader *loader, const char *code,
                                   const char *path, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* INVALID is OK while all problems are gathered. */
MUST_USE enum result loader_go_on(const struct loader *loader, enum result result);
/* Only these keys (NULL-terminated) may stand in the object at `path`. */
MUST_USE enum result loader_keys(struct loader *loader, const char *path, json_t *object,
                                 const char *const *allowed);
MUST_USE enum result loader_text(struct loader *loader, const char *path, json_t *value,
                                 const char **out);
MUST_USE enum result loader_words(struct loader *loader, const char *path, json_t *value,
                                  struct words *out);
MUST_USE enum result loader_strings(struct loader *loader, const char *path,
                                    json_t *value, struct strings *out);
bool loader_name_fits(const char *name);

/* The fields of `list` into `fields`, which has room for `count` after the first `at`. */
MUST_USE enum result loader_fields(struct loader *loader, const char *path, json_t *list,
                                   struct field *fields, size_t at, size_t count);

#endif
