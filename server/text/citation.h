/* A publication document (see work.h) as a reference in one of six styles.
 *
 * No processor of CSL can be had by a C program without the runtime of another language
 * (citeproc-js wants a JavaScript engine, citeproc-py Python, citeproc-rs is no C library
 * of Debian's), so the styles are tables of our own, citation_style.c; the tests hold
 * them against citeproc-js with the official CSL styles (tests/agreement/citations.md).
 *
 * The published rules: Publication Manual of the APA, 7th edition; IEEE Reference Guide
 * (2023); GB/T 7714-2015 with its numeric entries, Chinese or English by the language of
 * the work; the ACM Reference Format; Nature's guide to authors. The plain style is the
 * lab's own list: names in full, nothing abbreviated. Titles keep the capitals that they
 * have: which words are names, no program knows. */
#ifndef LABD_TEXT_CITATION_H
#define LABD_TEXT_CITATION_H

#include "server/base/buf.h"
#include "server/base/language.h"

#include <jansson.h>

enum citation_style {
    CITATION_APA,
    CITATION_IEEE,
    CITATION_GBT7714,
    CITATION_ACM,
    CITATION_NATURE,
    CITATION_PLAIN,
    CITATION_STYLES /* how many */
};

/* As in addresses and in keys of the catalogs: "apa", "ieee", "gbt7714", ... */
extern const char *const citation_style_names[CITATION_STYLES];

/* Appends the reference. Whatever the document holds is text: in the HTML all of it is
 * escaped, and the only elements are <i>, <b> and <a href> to http and https. Missing
 * parts leave no punctuation behind. `language` decides for works whose title tells
 * nothing of theirs. */
void citation_html(struct buf *out, enum citation_style style, json_t *work,
                   enum language language);
void citation_text(struct buf *out, enum citation_style style, json_t *work,
                   enum language language);

#endif
