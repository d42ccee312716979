/* Reading whole files, with an end to what is read; see file.h. */
#include "server/base/file.h"

#include <errno.h>
#include <string.h>

const char *file_read_stream(struct buf *out, FILE *stream, size_t most)
{
    enum { STEP = 1 << 16 };
    size_t read = 0;
    for (size_t got = STEP; got == STEP && read <= most; read += got) {
        buf_reserve(out, STEP);
        got = fread(out->data + out->length, 1, STEP, stream);
        out->length += got;
        out->data[out->length] = '\0';
    }
    if (ferror(stream))
        return strerrordesc_np(errno);
    return read > most ? strerrordesc_np(EFBIG) : NULL;
}

const char *file_read(struct buf *out, const char *path, size_t most)
{
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return strerrordesc_np(errno);
    const char *wrong = file_read_stream(out, stream, most);
    (void)fclose(stream); /* it was only read */
    return wrong;
}
