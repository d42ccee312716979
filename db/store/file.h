/* Files that people uploaded, in the database: each a few ready parts ("240.webp") under
 * an unguessable token, which is their name in documents ("photo": TOKEN) and URLs.
 *
 * A file that no change ever named is swept a week after its upload; from the first
 * change on it stays, so that earlier versions can be shown and restored. */
#ifndef LABD_DB_STORE_FILE_H
#define LABD_DB_STORE_FILE_H

#include "server/base/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct db;

struct file_part {
    const char *name; /* "240.webp" */
    const char *type; /* "image/webp" */
    const char *bytes;
    size_t length;
};

struct file {
    const char *token; /* value_photo() of server/form/value.h holds */
    int64_t account;   /* whose it is */
    int width, height; /* of what was uploaded, pixels */
    const struct file_part *parts;
    size_t count;
};

/* BUSY: the account has uploaded too many that it did not use. */
MUST_USE enum result file_add(struct db *db, const struct file *file);

/* A part as `viewer` (an account; 0: a visitor) may see it; *everyone: visitors too.
 * NOT_FOUND: there is none, or not for this viewer. The bytes are the current arena's. */
MUST_USE enum result file_part_read(struct file_part *part, bool *everyone, struct db *db,
                                    const char *token, const char *name, int64_t viewer);

/* Drops what was uploaded and never used. */
MUST_USE enum result file_sweep(struct db *db);

#endif
