/* Archives are read back by libzip, entry by entry; a piece that fails is no archive. */
#include "server/text/archive.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

struct counted {
    int left;
    enum result end;
    char piece[1000];
};

static enum result next(const char **bytes, size_t *length, void *data)
{
    struct counted *counted = data;
    *length = 0;
    if (counted->left == 0)
        return counted->end;
    memset(counted->piece, 'a' + counted->left % 26, sizeof counted->piece);
    counted->left--;
    *bytes = counted->piece;
    *length = sizeof counted->piece;
    return OK;
}

static zip_uint64_t size_of(zip_t *zip, const char *name)
{
    zip_stat_t stat;
    cr_assert_eq(zip_stat(zip, name, 0, &stat), 0, "%s", name);
    return stat.size;
}

Test(archive, entries_are_written_piece_by_piece)
{
    struct arena *arena = arena_new();
    struct archive *archive;
    struct counted large = {.left = 5000}, none = {0};
    int fd, error;
    cr_assert_eq(archive_open(&archive, arena), OK);
    cr_assert_eq(archive_add(archive, "large.txt", next, &large), OK);
    cr_assert_eq(archive_add(archive, "空/none.txt", next, &none), OK);
    cr_assert_eq(archive_finish(&fd, archive), OK);
    zip_t *zip = zip_fdopen(fd, ZIP_CHECKCONS, &error);
    cr_assert_not_null(zip);
    cr_assert_eq(size_of(zip, "large.txt"), 5000 * 1000);
    cr_assert_eq(size_of(zip, "空/none.txt"), 0);
    zip_file_t *file = zip_fopen(zip, "large.txt", 0);
    char first[2];
    cr_assert_eq(zip_fread(file, first, 2), 2);
    cr_assert_eq(first[0], 'a' + 5000 % 26);
    zip_fclose(file);
    zip_close(zip);
    arena_free(arena);
}

Test(archive, a_piece_that_fails_is_told_and_leaves_nothing)
{
    struct arena *arena = arena_new();
    struct archive *archive;
    struct counted broken = {.left = 3, .end = BUSY};
    int fd = -1;
    char folder[] = "/tmp/archive-test-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
    cr_assert_eq(archive_open(&archive, arena), OK);
    cr_assert_eq(archive_add(archive, "broken", next, &broken), OK);
    cr_assert_eq(archive_finish(&fd, archive), BUSY);
    cr_assert_eq(fd, -1);
    cr_assert_eq(rmdir(folder), 0, "nothing is left in it");
    arena_free(arena);
}
