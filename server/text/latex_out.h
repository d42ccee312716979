/* The growing result of a LaTeX conversion. For latex.c. */
#ifndef LABD_TEXT_LATEX_OUT_H
#define LABD_TEXT_LATEX_OUT_H

#include "server/base/buf.h"
#include "server/base/slice.h"

#include <stdint.h>

enum { LATEX_MARKS = 4 };

enum latex_script { SCRIPT_NONE, SCRIPT_UP, SCRIPT_DOWN };

struct latex_out {
    struct buf buf;
    bool gap;                   /* white space was seen and is not written yet */
    bool stray;                 /* something non-ASCII was written */
    int32_t marks[LATEX_MARKS]; /* accents waiting for their letter, outermost first */
    size_t mark_count;
};

/* One character with the accents that wait for it; white space, control and invisible
 * characters are dealt with here. */
void latex_put(struct latex_out *out, int32_t code);
void latex_put_text(struct latex_out *out, const char *text);
void latex_put_space(struct latex_out *out);
void latex_put_mark(struct latex_out *out, int32_t mark);
/* An accent met the end of its group: it stands for itself (\~{} is a tilde). */
void latex_drop_marks(struct latex_out *out);

/* Where something that may become a script starts: call before, then latex_script() with
 * what it returned when all of it is written. Unchanged if a character has no such form.
 */
size_t latex_script_start(struct latex_out *out);
void latex_script(struct latex_out *out, size_t start, enum latex_script script);

/* The finished text, NFC. */
struct slice latex_finish(struct latex_out *out);

#endif
