/* The bytes of one uploaded file while they arrive: in memory up to BODY_SPOOL_BYTES,
 * then in a file without a name in $TMPDIR (or /tmp), which nobody else can open and
 * which goes with the process, whatever happens. */
#ifndef LABD_HTTP_SPOOL_H
#define LABD_HTTP_SPOOL_H

#include "server/base/buf.h"
#include "server/base/result.h"

struct spool {
    struct buf memory;
    int fd; /* -1: in memory */
    size_t length;
    void *mapped; /* NULL: in memory, or not finished */
};

struct spool spool_on(struct arena *arena);
/* FAILED (logged): the disk is full or there is none. */
MUST_USE enum result spool_add(struct spool *spool, const char *bytes, size_t length);
/* The bytes, read-only, until spool_release(). */
MUST_USE enum result spool_finish(struct spool *spool, const char **bytes);
void spool_release(struct spool *spool);

#endif
