/* Are two documents of works (see work.h) one work? Pure; the store finds by the keys
 * which works to compare.
 *
 * One work: the same title, give or take case, punctuation, a typing error, a missing
 * subtitle, by the same people, and nothing that speaks against it; a preprint and what
 * became of it, up to two years apart. Different works: parts I and II, chapters of one
 * book, a paper and its erratum, reply or comment, a yearly report and the next, the
 * version in proceedings and the one in a journal, a thesis and an article of its name,
 * works with different DOIs. */
#ifndef LABD_TEXT_SAME_WORK_H
#define LABD_TEXT_SAME_WORK_H

#include "server/base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/* An array of at most SAME_WORK_KEYS integers of 64 bits, the first of which stands for
 * all that tells works of one title apart (year, venue, pages): two documents of one work
 * have one in common, nearly always; two of different works seldom. Empty without a
 * title. */
enum { SAME_WORK_KEYS = 8 };
json_t *same_work_keys(struct arena *arena, const json_t *document);

struct same_work {
    int score;   /* 0 .. 100; from 90 with `same`, from 60 with `likely` */
    bool same;   /* sure enough not to ask */
    bool likely; /* to be asked about; true when `same` */
    /* What decided, for catalogs: "identifier", "title", "preprint" (same, or likely);
     * "part", "erratum", "identifiers", "authors", "year", "kind", "place" (volume and
     * pages), "title" (different) */
    const char *reason;
};

/* Either way round. Scratch is taken from the current arena. */
struct same_work same_work_compare(const json_t *a, const json_t *b);

#endif
