/* Uploads on their way to memory or disk; see spool.h. */
#include "server/http/spool.h"

#include "server/base/log.h"
#include "server/http/body.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct spool spool_on(struct arena *arena)
{
    return (struct spool){.memory = buf_on(arena), .fd = -1};
}

static enum result write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            log_error("upload.not_spooled", "reason", strerrordesc_np(errno));
            return FAILED;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return OK;
}

static enum result open_file(struct spool *spool)
{
    const char *folder = secure_getenv("TMPDIR");
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    spool->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (spool->fd < 0) {
        log_error("upload.no_spool", "folder", folder, "reason", strerrordesc_np(errno));
        return FAILED;
    }
    return write_all(spool->fd, spool->memory.data, spool->memory.length);
}

enum result spool_add(struct spool *spool, const char *bytes, size_t length)
{
    spool->length += length;
    if (spool->fd < 0 && spool->length <= BODY_SPOOL_BYTES) {
        buf_append(&spool->memory, bytes, length);
        return OK;
    }
    if (spool->fd < 0)
        TRY(open_file(spool));
    return write_all(spool->fd, bytes, length);
}

enum result spool_finish(struct spool *spool, const char **bytes)
{
    *bytes = spool->memory.data;
    if (spool->fd < 0)
        return OK;
    void *mapped = mmap(NULL, spool->length, PROT_READ, MAP_PRIVATE, spool->fd, 0);
    close(spool->fd);
    spool->fd = -1;
    if (mapped == MAP_FAILED) {
        log_error("upload.not_mapped", "reason", strerrordesc_np(errno));
        return FAILED;
    }
    spool->mapped = mapped;
    *bytes = mapped;
    return OK;
}

void spool_release(struct spool *spool)
{
    if (spool->fd >= 0)
        close(spool->fd);
    if (spool->mapped != NULL)
        munmap(spool->mapped, spool->length);
    spool->fd = -1;
    spool->mapped = NULL;
}
