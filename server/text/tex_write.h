/* Text as the value of a BibTeX or biblatex field: what our own reader (latex.h, names.h)
 * makes the same text of again, and what TeX prints as it stands. Characters are UTF-8.
 * Braces always balance: BibTeX counts them even behind a backslash, so those of the text
 * are commands. Nothing that is written breaks a line. */
#ifndef LABD_TEXT_TEX_WRITE_H
#define LABD_TEXT_TEX_WRITE_H

#include "server/base/buf.h"

#include <jansson.h>
#include <stdbool.h>

void tex_text(struct buf *out, const char *text, size_t length);

/* Words whose capitals mean something stand in braces, or styles that write titles in
 * small letters would take them: acronyms and names within a word (FPGA, LaTeX), single
 * letters, and names where the title's other words are small. */
void tex_title(struct buf *out, const char *title);

/* Addresses and identifiers stand as they are; white space goes, braces become %7B, a
 * backslash a command. */
void tex_address(struct buf *out, const char *address);

/* "1–18" as "1--18". */
void tex_pages(struct buf *out, const char *pages);

/* [{name, family, given}] as "Lin, Xiao and {The Ferry Group}"; a part that would be
 * taken apart stands in braces, a suffix has its own place ("King, Jr., Martin"), a name
 * that is not told apart is, unless it is that of a group. `others`: "and others"
 * follows.
 */
void tex_names(struct buf *out, json_t *names, bool others);

#endif
