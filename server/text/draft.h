/* A document (work.h) as readers of databases' formats fill it: RIS, EndNote, MEDLINE,
 * CSL-JSON. The first value of a key counts; blank ones do not. Texts are made by
 * plain_text(). */
#ifndef LABD_TEXT_DRAFT_H
#define LABD_TEXT_DRAFT_H

#include "server/base/arena.h"
#include "server/base/slice.h"
#include "server/text/names.h"

#include <jansson.h>

struct draft {
    struct arena *arena; /* the thread's current one */
    json_t *document;
    const char *kind;
};

struct draft draft_begin(struct arena *arena, const char *kind);

void draft_put(struct draft *draft, const char *key, struct slice text);
bool draft_has(const struct draft *draft, const char *key);

/* "1" and "10", "1-10" and "", "6913-7" as MEDLINE shortens it: an en dash between. */
void draft_pages(struct draft *draft, struct slice first, struct slice last);

/* A date of any writing: "2019/05/17", "1991///", "2015/october", "2012 Jan 23",
 * "20160419", "2014-06". The date that says more of
 * one year wins over one that was put before. */
void draft_date(struct draft *draft, struct slice date);
void draft_day(struct draft *draft, int year, int month, int day); /* 0: not known */

/* To "authors" or "editors". */
void draft_name(struct draft *draft, const char *list, struct name name);
/* A name that its source does not divide: an institution; a Chinese person's, when it
 * begins with a frequent family name, is divided all the same. */
void draft_whole_name(struct draft *draft, const char *list, struct slice text);
/* "Family, Given", "Family, Given, Suffix", "Family, Suffix, Given"; without a comma, or
 * with one behind it, an institution; a Chinese name; when it looks like one, "Given
 * Family" or "Family GF". Several with commas between are taken apart. */
void draft_person(struct draft *draft, const char *list, struct slice text);

/* The first of its scheme, found in `text` by the rules of identifier.h. */
void draft_identifier(struct draft *draft, const char *scheme, struct slice text);

/* An address of the web; `kind` "pdf", "other", ... An address at doi.org gives the DOI
 * only. */
void draft_url(struct draft *draft, struct slice text);
void draft_link(struct draft *draft, const char *kind, struct slice text);

/* What follows from all of it: an article that only arXiv has is a preprint. */
json_t *draft_finish(struct draft *draft);

#endif
