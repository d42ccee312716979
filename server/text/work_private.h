/* A document being made of a BibTeX entry. For work*.c. */
#ifndef LABD_TEXT_WORK_PRIVATE_H
#define LABD_TEXT_WORK_PRIVATE_H

#include "server/text/work.h"

struct work {
    struct arena *arena;
    const struct bibtex_entry *entry;
    json_t *document;
    const char *kind;
    struct slice arxiv;
};

enum { FALLBACKS = 8 };
#define NAMES(...) ((const char *const[FALLBACKS]){__VA_ARGS__})

/* The first of some fields that is there, still LaTeX. `names` may end early with NULL.
 */
struct slice work_first(const struct work *w, const char *const names[FALLBACKS]);
/* Does the text contain `word`, in any case? */
bool work_says(struct slice text, const char *word);
bool work_is(const struct work *w, const char *kind);
/* Null for an empty text. */
json_t *work_text(struct slice text);
void work_put(struct work *w, const char *key, struct slice text);

/* work_kind.c: kind and arXiv number (`w->kind`, `w->arxiv`), genre. */
void work_put_kind(struct work *w);
void work_put_genre(struct work *w);

/* work_links.c: url, identifiers, links. */
void work_put_links(struct work *w);

/* work_marks.c: equal and corresponding authors of `author+an`. */
void work_put_marks(struct work *w);

#endif
