/* See archive.h. libzip writes beside a path and renames; the folder and the path are
 * gone as soon as the file is open. */
#include "server/text/archive.h"

#include "server/base/buf.h"
#include "server/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

struct archive {
    struct arena *arena;
    zip_t *zip;
    char *folder, *path;
    enum result result; /* of the first piece that failed */
};

struct entry {
    struct archive *archive;
    archive_piece *piece;
    void *data;
    const char *bytes; /* what is left of the last piece */
    size_t length;
    zip_error_t error;
};

static enum result failed(const char *what, const char *reason)
{
    log_error("archive.failed", "step", what, "reason", reason);
    return FAILED;
}

enum result archive_open(struct archive **out, struct arena *arena)
{
    struct archive *archive = ARENA_NEW(arena, struct archive);
    const char *folder = secure_getenv("TMPDIR");
    int error = 0;
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    archive->arena = arena;
    archive->folder = arena_print(arena, "%s/labd-XXXXXX", folder);
    if (mkdtemp(archive->folder) == NULL)
        return failed("folder", strerrordesc_np(errno));
    archive->path = arena_print(arena, "%s/zip", archive->folder);
    archive->zip = zip_open(archive->path, ZIP_CREATE | ZIP_TRUNCATE, &error);
    if (archive->zip == NULL) {
        rmdir(archive->folder);
        return failed("open", archive->path);
    }
    *out = archive;
    return OK;
}

static zip_int64_t give(struct entry *entry, char *out, zip_uint64_t wanted)
{
    if (entry->length == 0) {
        enum result result = entry->piece(&entry->bytes, &entry->length, entry->data);
        if (result != OK) {
            if (entry->archive->result == OK)
                entry->archive->result = result;
            zip_error_set(&entry->error, ZIP_ER_READ, 0);
            return -1;
        }
    }
    size_t taken = entry->length < wanted ? entry->length : (size_t)wanted;
    if (taken == 0)
        return 0;
    memcpy(out, entry->bytes, taken);
    entry->bytes += taken;
    entry->length -= taken;
    return (zip_int64_t)taken;
}

static zip_int64_t source(void *user, void *data, zip_uint64_t length,
                          zip_source_cmd_t command)
{
    struct entry *entry = user;
    /* libzip asks for more commands than are of use here. */
    if (command == ZIP_SOURCE_READ)
        return give(entry, data, length);
    if (command == ZIP_SOURCE_STAT) {
        zip_stat_init(data);
        return sizeof(zip_stat_t);
    }
    if (command == ZIP_SOURCE_ERROR)
        return zip_error_to_data(&entry->error, data, length);
    if (command == ZIP_SOURCE_SUPPORTS)
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ,
                                              ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    if (command == ZIP_SOURCE_OPEN || command == ZIP_SOURCE_CLOSE ||
        command == ZIP_SOURCE_FREE)
        return 0;
    zip_error_set(&entry->error, ZIP_ER_OPNOTSUPP, 0);
    return -1;
}

enum result archive_add(struct archive *archive, const char *name, archive_piece *piece,
                        void *data)
{
    struct entry *entry = ARENA_NEW(archive->arena, struct entry);
    entry->archive = archive;
    entry->piece = piece;
    entry->data = data;
    zip_error_init(&entry->error);
    zip_source_t *from = zip_source_function(archive->zip, source, entry);
    if (from != NULL && zip_file_add(archive->zip, name, from, ZIP_FL_ENC_UTF_8) >= 0)
        return OK;
    zip_source_free(from);
    return failed("add", zip_strerror(archive->zip));
}

static void clear(struct archive *archive)
{
    unlink(archive->path);
    rmdir(archive->folder);
}

enum result archive_finish(int *fd, struct archive *archive)
{
    if (zip_close(archive->zip) != 0) {
        const char *reason = arena_string(archive->arena, zip_strerror(archive->zip));
        archive_drop(archive);
        return archive->result != OK ? archive->result : failed("write", reason);
    }
    *fd = open(archive->path, O_RDONLY | O_CLOEXEC);
    int error = errno;
    clear(archive);
    return *fd >= 0 ? OK : failed("read", strerrordesc_np(error));
}

void archive_drop(struct archive *archive)
{
    zip_discard(archive->zip);
    clear(archive);
}
