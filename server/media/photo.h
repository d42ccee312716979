/* An uploaded photo becomes the sizes that pages show, in a process of its own
 * (labd-photo, beside labd; server/media/child/photo.c) with limits of memory and time.
 * The output is made from pixels alone: nothing of the upload's metadata or trailing
 * bytes is in it. */
#ifndef LABD_MEDIA_PHOTO_H
#define LABD_MEDIA_PHOTO_H

#include "server/base/arena.h"
#include "server/base/result.h"

#include <stdbool.h>
#include <stddef.h>

enum { PHOTO_PARTS = 6, PHOTO_BYTES_MOST = 10 * 1024 * 1024 };

/* The part of the upright picture to show, as fractions of it; its middle square is
 * taken. */
struct photo_crop {
    double x, y, width, height;
};
extern const struct photo_crop photo_whole;

struct photo {
    int width, height; /* of the upright picture, pixels */
    struct {
        const char *name; /* "640.webp", "640.jpg", "240.webp", ..., "96.jpg" */
        const char *type;
        const char *bytes;
        size_t length;
    } parts[PHOTO_PARTS];
    size_t count;
    const char *error; /* when INVALID: a code, whose words are "error.photo_CODE" */
};

/* INVALID, with `error`:
 *   not_image        no picture that is known
 *   heic avif gif    these, which other programs can save as JPEG
 *   format           another picture that is not taken
 *   animated         more than one picture
 *   truncated        its end is missing
 *   damaged          it can't be read, or only beyond the limits
 *   too_large        more than PHOTO_BYTES_MOST
 *   too_many_pixels  more than 40 million
 *   too_small        a side, or the crop's, is shorter than 96 pixels
 * BUSY: others keep the machine busy. FAILED (logged): labd-photo can't be run. */
MUST_USE enum result photo_make(struct photo *photo, struct arena *arena,
                                const char *bytes, size_t length,
                                const struct photo_crop *crop);

/* Can labd-photo be run? *path (on the current arena) is where it must be. */
bool photo_ready(const char **path);

#endif
