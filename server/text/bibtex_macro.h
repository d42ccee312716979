/* The @string table of a BibTeX file: names (any case) to texts. For bibtex.c, and for
 * bibliography_bibtex.c, which also finds entries by their keys in such a table. */
#ifndef LABD_TEXT_BIBTEX_MACRO_H
#define LABD_TEXT_BIBTEX_MACRO_H

#include "server/base/arena.h"
#include "server/base/slice.h"

#include <stdint.h>

struct bibtex_macro {
    struct slice name; /* .bytes NULL: a free place */
    struct slice text;
    void *thing;   /* what else the name stands for */
    bool standard; /* one of the twelve months, as every style has them */
};

struct bibtex_macros {
    struct bibtex_macro *places;
    size_t capacity; /* a power of two */
    size_t count;
    uint64_t seed; /* so that nobody can choose names that collide */
};

struct bibtex_macros bibtex_macros_empty(struct arena *arena);
/* With the twelve months of the standard styles in it. */
struct bibtex_macros bibtex_macros_new(struct arena *arena);
/* Neither name nor text is copied. A second definition replaces the first. */
void bibtex_macro_define(struct bibtex_macros *macros, struct arena *arena,
                         struct slice name, struct slice text);
/* NULL when it is not defined. */
struct bibtex_macro *bibtex_macro_find(const struct bibtex_macros *macros,
                                       struct slice name);

#endif
