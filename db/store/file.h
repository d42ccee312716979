/* Files that people uploaded, in the database, under an unguessable token, which is their
 * name in documents ("photo": TOKEN) and URLs: photos as a few ready parts ("240.webp"),
 * documents as they are.
 *
 * A file that no change ever named is swept a week after its upload; from the first
 * change on it stays, so that earlier versions can be shown and restored. */
#ifndef LABD_DB_STORE_FILE_H
#define LABD_DB_STORE_FILE_H

#include "server/base/result.h"
#include "server/base/slice.h"

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

/* A file of a work, kept in chunks of FILE_CHUNK_BYTES. */
enum { FILE_CHUNK_BYTES = 256 * 1024 };

struct document {
    const char *token; /* value_document() holds */
    const char *name;  /* letters, digits, . _ - only */
    const char *type;  /* "application/pdf" */
    int64_t account;   /* whose it is */
    const char *bytes; /* when it is added */
    size_t length;
    int64_t id;    /* when it is read */
    bool everyone; /* visitors may see it */
};

/* BUSY: as for file_add(). */
MUST_USE enum result file_add_document(struct db *db, const struct document *document);

/* All but token, account and bytes, as `viewer` (0: a visitor) may see it; NOT_FOUND:
 * there is none, or not for this viewer. */
MUST_USE enum result file_document(struct document *document, struct db *db,
                                   const char *token, int64_t viewer);
/* Chunk `number`, from 0; the bytes are the current arena's. */
MUST_USE enum result file_document_chunk(struct slice *bytes, struct db *db,
                                         const struct document *document, int number);

/* Drops what was uploaded and never used. */
MUST_USE enum result file_sweep(struct db *db);

#endif
