/* Whole files into memory. */
#ifndef LABD_BASE_FILE_H
#define LABD_BASE_FILE_H

#include "server/base/buf.h"

/* Appends all bytes of a file. NULL, or the reason why it can't be read, in words; also
 * when it holds more than `most` bytes. */
const char *file_read(struct buf *out, const char *path, size_t most);
/* Likewise from where the stream stands; leaves it open. */
const char *file_read_stream(struct buf *out, FILE *stream, size_t most);

#endif
