/* A publication as a document, the shape in which forms, changes and stores know it:
 *
 *   kind        "article", "conference", "book", "chapter", "thesis", "report",
 *               "preprint", "software", "dataset" or "other"
 *   title, venue, series, volume, issue, pages, edition, publisher, place, genre,
 *   language, abstract, note, award, url
 *               text, or null
 *   number      of a report or patent, an article's number; text, or null
 *   year, month, day
 *               integer, or null
 *   authors     [{name, family, given, equal, corresponding}]: name as one reads it,
 *               family with its particle; null for a part that is not there
 *   others      true when the list of authors ends in "and others"
 *   editors     [{name, family, given}]
 *   identifiers [{scheme, value}], at most one of each of "doi", "arxiv", "isbn" (of
 *               books alone: chapters share it), "pmid"; see identifier.h
 *   links       [{kind, url}]: kind "pdf", "preprint", "code", "slides", "video", "data",
 *               "poster", "website" or "other"
 *   bibtex, bibtex_key, bibtex_type
 *               the entry as written (NUL bytes left out), its key and its type; null
 *               when it did not come from BibTeX
 *
 * Every key is always there, and `others` beside those of the form. Texts are as
 * latex_text() makes them. Lengths are the form's to judge. */
#ifndef LABD_TEXT_WORK_H
#define LABD_TEXT_WORK_H

#include "server/text/bibtex.h"

#include <jansson.h>

/* Every key: null, false or an empty list; the kind is "other". On the current arena. */
json_t *work_blank(void);

/* `arena` must be the thread's current one (arena_enter), where jansson allocates. The
 * entry must not be a refused one. */
json_t *work_document(struct arena *arena, const struct bibtex_entry *entry);

#endif
