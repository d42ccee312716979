/* The key by which a work is cited from a file of ours: ASCII, free of what BibTeX, TeX
 * and RIS give a meaning, the same in each file whatever else is in it. */
#ifndef LABD_TEXT_WORK_KEY_H
#define LABD_TEXT_WORK_KEY_H

#include "server/base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/* The work's `bibtex_key` where that is fit for it; with a suffix made from its slug when
 * `key_shared` is true, which says that other works have it too. Else its slug, whose
 * other letters than ASCII's give way to a suffix (李-2024-方法 is "2024-5kq1z0"). Never
 * empty. */
const char *work_key(struct arena *arena, json_t *work);

/* Is it one that work_key() leaves as it is? */
bool work_key_sound(const char *key);

#endif
