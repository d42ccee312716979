/* BibTeX and biblatex files as bibliography.c reads them. */
#ifndef LABD_TEXT_BIBLIOGRAPHY_BIBTEX_H
#define LABD_TEXT_BIBLIOGRAPHY_BIBTEX_H

#include "server/text/bibliography_reader.h"

extern const struct bibliography_reader bibtex_reader;

#endif
