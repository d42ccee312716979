/* BibTeX and biblatex files as bibliography.c reads them: with what all files of one
 * import say to each other. Before the first entry is given, the files are gone through
 * for macros and for who refers to whom, and again for those who are referred to. */
#ifndef LABD_TEXT_BIBLIOGRAPHY_BIBTEX_H
#define LABD_TEXT_BIBLIOGRAPHY_BIBTEX_H

#include "server/text/bibliography.h"

struct bibtex_files;

/* The texts must outlive it. */
struct bibtex_files *bibtex_files_new(struct arena *arena, const struct slice *texts,
                                      size_t count, const struct bibtex_limits *limits);

/* The first entry of text `which` is next. */
MUST_USE enum result bibtex_files_open(struct bibtex_files *files, size_t which);

/* As bibliography_next(); NOT_FOUND at the end of the text. @xdata are passed over. */
MUST_USE enum result bibtex_files_next(struct bibliography_entry *entry,
                                       struct bibtex_files *files, struct arena *arena);

#endif
