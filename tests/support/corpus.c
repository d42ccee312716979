/* Reading the corpus; see corpus.h. */
#include "tests/support/corpus.h"

#include <criterion/criterion.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *corpus_folder(void)
{
    const char *folder = getenv("LABD_CORPUS");
    if (folder == NULL)
        folder = "../shared/corpus";
    if (access(folder, R_OK) != 0)
        cr_skip_test("no corpus at %s", folder);
    return folder;
}

struct slice corpus_read(struct arena *arena, const char *name)
{
    const char *path =
        name[0] == '/' ? name : arena_print(arena, "%s/%s", corpus_folder(), name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *bytes = arena_alloc(arena, length + 1);
    cr_assert_eq(fread(bytes, 1, length, file), length, "%s", path);
    bytes[length] = '\0';
    fclose(file);
    return (struct slice){bytes, length};
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

size_t corpus_list(const char ***names, struct arena *arena, const char *folder)
{
    char *roots[] = {arena_print(arena, "%s/%s", corpus_folder(), folder), NULL};
    size_t prefix = strlen(corpus_folder()) + 1;
    enum { MOST = 4096 };
    *names = ARENA_ARRAY(arena, const char *, MOST);
    size_t count = 0;
    FTS *walk = fts_open(roots, FTS_LOGICAL, by_name);
    cr_assert_not_null(walk);
    for (FTSENT *item = fts_read(walk); item != NULL; item = fts_read(walk))
        if (item->fts_info == FTS_F && count < MOST)
            (*names)[count++] = arena_string(arena, item->fts_path + prefix);
    fts_close(walk);
    cr_assert_gt(count, 0, "%s is empty", folder);
    return count;
}
