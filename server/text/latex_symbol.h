/* The tables behind latex.c. */
#ifndef LABD_TEXT_LATEX_SYMBOL_H
#define LABD_TEXT_LATEX_SYMBOL_H

#include "server/base/slice.h"

#include <stdint.h>

enum latex_command {
    LATEX_UNKNOWN,
    LATEX_SYMBOL,      /* stands for a text */
    LATEX_MATH_SYMBOL, /* the same; the space behind it counts */
    LATEX_ACCENT,      /* puts a combining mark on what follows */
    LATEX_SUPERSCRIPT, /* raises its argument */
    LATEX_SUBSCRIPT,
    LATEX_MATH,     /* its argument is mathematics */
    LATEX_ADDRESS,  /* its argument is taken as it stands */
    LATEX_FRACTION, /* two arguments with a / between */
    LATEX_QUOTE,    /* puts its argument in quotation marks */
    LATEX_DROP      /* its first argument is not text */
};

struct latex_meaning {
    const char *name;
    enum latex_command command;
    const char *text; /* of a symbol */
    int32_t mark;     /* of an accent: the combining character */
};

/* What the command `\name` means; LATEX_UNKNOWN with empty text for others. */
struct latex_meaning latex_meaning(struct slice name);

/* The HTML entity `name` (without & and ;), or numeric "#233", "#xE9": the UTF-8 of it in
 * `out` (8 bytes); returns how many, 0 when there is none such. */
size_t latex_entity(char *out, struct slice name);

/* Super- or subscript form of a character; 0 when there is none. */
int32_t latex_superscript(int32_t code);
int32_t latex_subscript(int32_t code);

#endif
