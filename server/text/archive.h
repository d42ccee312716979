/* A zip archive (libzip), made into a file without a name: entries are asked for their
 * bytes piece by piece while it is written, so none is ever held whole. */
#ifndef LABD_TEXT_ARCHIVE_H
#define LABD_TEXT_ARCHIVE_H

#include "server/base/arena.h"
#include "server/base/result.h"

#include <stddef.h>

struct archive;

/* The next piece of an entry: *length 0 at its end. The bytes stay until the next call.
 */
typedef enum result archive_piece(const char **bytes, size_t *length, void *data);

/* FAILED (logged): there is no place for the file. */
MUST_USE enum result archive_open(struct archive **archive, struct arena *arena);
/* `name` is UTF-8; `data` stays valid until archive_finish(). */
MUST_USE enum result archive_add(struct archive *archive, const char *name,
                                 archive_piece *piece, void *data);
/* Writes it: *fd is the open file, at its beginning. Whatever a piece failed with is
 * returned. The archive is gone in any case. */
MUST_USE enum result archive_finish(int *fd, struct archive *archive);
void archive_drop(struct archive *archive);

#endif
