/* The files of ../shared/corpus (or LABD_CORPUS), for tests that read them. */
#ifndef LABD_TESTS_SUPPORT_CORPUS_H
#define LABD_TESTS_SUPPORT_CORPUS_H

#include "server/base/arena.h"
#include "server/base/slice.h"

/* The folder; the calling test is skipped when there is none. */
const char *corpus_folder(void);

/* A file of it, a NUL behind; the test fails when it can't be read. */
struct slice corpus_read(struct arena *arena, const char *name);

/* The names (relative to the corpus) of all files below `folder`, sorted. */
size_t corpus_list(const char ***names, struct arena *arena, const char *folder);

#endif
