/* Lists of persons as bibliographies write them: BibTeX's `author` and `editor` fields.
 *
 * The rules are BibTeX's (Patashnik, "BibTeXing", 1988, section 4): names are separated
 * by `and` outside braces; "First von Last", "von Last, First", "von Last, Jr, First";
 * the von part are the words whose first letter is small; what stands in braces is one
 * word. Beyond them: biblatex's "given=..., family=..." form; Chinese names without a
 * comma (林晓, 欧阳博); lists separated by ; ； 、 or, where each piece is a whole name,
 * by commas; "et al." and 等 for others; marks behind a name (Lin*, Lin†). */
#ifndef LABD_TEXT_NAMES_H
#define LABD_TEXT_NAMES_H

#include "server/base/arena.h"
#include "server/base/slice.h"

/* Parts in the words of CSL, as text (see latex.h). An institution has a family alone. */
struct name {
    struct slice given, particle, family, suffix;
    bool star;   /* an asterisk stood at it: equal contribution by custom */
    bool dagger; /* a dagger or an envelope: corresponding author by custom */
};

enum { NAMES_MOST = 20000 }; /* further ones count as others */

struct names {
    struct name *list;
    size_t count;
    bool others; /* the list ends in "and others" */
};

/* From LaTeX source; the result lives on the arena. */
struct names names_parse(struct arena *arena, struct slice source);

/* From parts that a format gives as plain text (RIS, CSL-JSON): marks become flags, a
 * Chinese name without a given one is divided. No family: there was no name. */
struct name name_of_parts(struct slice given, struct slice particle, struct slice family,
                          struct slice suffix);

/* "Ludwig van Beethoven Jr.", 林晓. */
struct slice name_display(struct arena *arena, const struct name *name);

/* "van Beethoven": particle and family. */
struct slice name_family(struct arena *arena, const struct name *name);

#endif
