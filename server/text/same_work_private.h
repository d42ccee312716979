/* The pieces of same_work.c: titles and names as they are compared. */
#ifndef LABD_TEXT_SAME_WORK_PRIVATE_H
#define LABD_TEXT_SAME_WORK_PRIVATE_H

#include "server/base/arena.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { TITLE_WORDS = 64 }; /* the rest of a longer title counts in `squeezed` alone */

struct title {
    const char *words[TITLE_WORDS]; /* folded; a Han character is a word */
    size_t count, main;             /* words, and those before the subtitle */
    const char *squeezed;           /* all of it, without an article before it */
    const char *squeezed_main;
};

struct title title_of(struct arena *arena, const char *text);

enum title_likeness {
    TITLE_OTHER,
    TITLE_PART,    /* differs in a number */
    TITLE_ERRATUM, /* one is about the other: erratum, reply, ... */
    TITLE_FAR,     /* most words */
    TITLE_SUB,     /* one lacks the subtitle */
    TITLE_NEAR,    /* but for typing errors and little words */
    TITLE_EXACT,
};
/* *shared: 0 .. 100, of the words of the shorter. */
enum title_likeness title_compare(int *shared, const struct title *a,
                                  const struct title *b);
/* "Editorial", "Annual report 2019": many works have it. */
bool title_generic(const struct title *title);

/* Within a distance that typing errors explain; words of ASCII letters alone. */
bool word_mistyped(const char *a, const char *b);

enum authors_likeness { AUTHORS_OTHER, AUTHORS_WEAK, AUTHORS_UNKNOWN, AUTHORS_GOOD };
enum authors_likeness authors_compare(struct arena *arena, const json_t *a,
                                      const json_t *b);
/* The family name of the first, as keys have it; "" without one. */
const char *authors_first(struct arena *arena, const json_t *document);

enum venue_likeness { VENUE_OTHER, VENUE_UNKNOWN, VENUE_SAME };
enum venue_likeness venue_compare(struct arena *arena, const char *a, const char *b);

#endif
