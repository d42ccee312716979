/* Abbreviations of journals that files use as @string macros without defining them, since
 * the style or the class does: those of BibTeX's standard styles (plain.bst), of
 * astronomy (AASTeX; NASA ADS exports them) and the frequent ones of IEEE (IEEEtran). For
 * bibtex_value.c. */
#ifndef LABD_TEXT_BIBTEX_JOURNALS_H
#define LABD_TEXT_BIBTEX_JOURNALS_H

#include "server/base/slice.h"

/* The name of a journal for `word` in any case; empty when it is no such word. */
struct slice bibtex_journal(struct slice word);

#endif
