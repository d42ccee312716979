/* What an entry takes from others: from those its `xdata` names all fields as they are,
 * from the one its `crossref` names what biblatex's rules say (biblatex 3.20 manual,
 * 2.4.1 and appendix B: a @proceedings' title is the booktitle of its @inproceedings),
 * and what they took themselves. Its own fields go first.
 *
 * Unlike there: identifiers, addresses, files and abstracts of the whole are not those of
 * the part; BibTeX's pairs (an @incollection in a @book) are known too. A chain counts to
 * the eighth; what is left out of a circle is so, too. */
#ifndef LABD_TEXT_BIBLIOGRAPHY_INHERIT_H
#define LABD_TEXT_BIBLIOGRAPHY_INHERIT_H

#include "server/text/bibtex.h"
#include "server/text/bibtex_macro.h"

struct heritage {
    struct bibtex_macros entries; /* by key; thing: struct ancestor, or NULL */
    size_t left;                  /* bytes that may still be inherited in all */
};

struct ancestor {
    struct slice type;
    const struct bibtex_field *fields;
    size_t count;
};

/* The next of the keys in "a, b", which `rest` is then without; false when there is none.
 */
bool heritage_next_key(struct slice *key, struct slice *rest);

/* Calls `found` with each key that the entry refers to. */
void heritage_keys(const struct bibtex_field *fields, size_t count,
                   void (*found)(struct slice key, void *data), void *data);

/* Gives the entry the fields of its ancestors too; `*inherited` tells if there were any.
 * INVALID: `left` does not suffice. The fields live on the arena. */
MUST_USE enum result heritage_take(struct bibtex_entry *entry, bool *inherited,
                                   struct heritage *heritage, struct arena *arena);

#endif
