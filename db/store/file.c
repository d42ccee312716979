/* Uploaded files; see file.h. Bytes travel as hexadecimal text: parameters and results
 * are text, and a part is some tens of kilobytes. */
#include "db/store/file.h"

#include "db/connection.h"
#include "db/store/file.sql.h"
#include "db/store/join.h"
#include "server/base/arena.h"

#include <string.h>

static json_t *hex_of(const char *bytes, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    char *text = arena_alloc(arena_current(), 2 * length + 1);
    for (size_t i = 0; i < length; i++) {
        text[2 * i] = digits[(unsigned char)bytes[i] >> 4];
        text[2 * i + 1] = digits[(unsigned char)bytes[i] & 15];
    }
    return json_stringn_nocheck(text, 2 * length);
}

static unsigned nibble(char digit)
{
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

enum result file_add(struct db *db, const struct file *file)
{
    json_t *parts = json_array(), *rows;
    for (size_t i = 0; i < file->count; i++)
        json_array_append_new(
            parts, json_pack("{s:s, s:s, s:o}", "name", file->parts[i].name, "type",
                             file->parts[i].type, "bytes",
                             hex_of(file->parts[i].bytes, file->parts[i].length)));
    TRY(db_rows(&rows, db, &file_insert, file->token, ID(file->account), NUM(file->width),
                NUM(file->height), json_dumps(parts, JSON_COMPACT)));
    return json_array_size(rows) == file->count ? OK : BUSY;
}

struct adding {
    const struct document *document;
};

static enum result add_document(struct db *db, void *data)
{
    const struct document *document = ((struct adding *)data)->document;
    json_t *row;
    enum result result =
        db_row(&row, db, &file_insert_document, document->token, ID(document->account),
               document->name, document->type, NUM((int64_t)document->length));
    TRY(result == NOT_FOUND ? BUSY : result);
    for (size_t at = 0, number = 0; at < document->length; number++) {
        size_t length = document->length - at;
        struct arena *outer = arena_current(), *chunk = arena_new();
        if (length > FILE_CHUNK_BYTES)
            length = FILE_CHUNK_BYTES;
        arena_enter(chunk);
        result = db_run(NULL, db, &file_insert_chunk, NUM(integer_at(row, "id")),
                        NUM((int64_t)number),
                        json_string_value(hex_of(document->bytes + at, length)));
        arena_enter(outer);
        arena_free(chunk);
        TRY(result);
        at += length;
    }
    return OK;
}

enum result file_add_document(struct db *db, const struct document *document)
{
    return db_join(db, add_document, &(struct adding){document});
}

enum result file_document(struct document *document, struct db *db, const char *token,
                          int64_t viewer)
{
    json_t *row;
    TRY(db_row(&row, db, &file_document_seen, token, ID(viewer)));
    *document = (struct document){.token = token,
                                  .name = text_at(row, "name", ""),
                                  .type = text_at(row, "type", ""),
                                  .length = (size_t)integer_at(row, "size"),
                                  .id = integer_at(row, "id"),
                                  .everyone = truth_at(row, "everyone")};
    return OK;
}

static struct slice bytes_of(const char *hex)
{
    size_t length = strlen(hex) / 2;
    char *bytes = arena_alloc(arena_current(), length + 1);
    for (size_t i = 0; i < length; i++)
        bytes[i] = (char)(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
    return (struct slice){bytes, length};
}

enum result file_document_chunk(struct slice *bytes, struct db *db,
                                const struct document *document, int number)
{
    json_t *row;
    TRY(db_row(&row, db, &file_chunk, NUM(document->id), NUM(number)));
    *bytes = bytes_of(text_at(row, "bytes", ""));
    return OK;
}

enum result file_part_read(struct file_part *part, bool *everyone, struct db *db,
                           const char *token, const char *name, int64_t viewer)
{
    json_t *row;
    TRY(db_row(&row, db, &file_part_seen, token, name, ID(viewer)));
    struct slice bytes = bytes_of(text_at(row, "bytes", ""));
    *part = (struct file_part){name, text_at(row, "type", ""), bytes.bytes, bytes.length};
    *everyone = truth_at(row, "everyone");
    return OK;
}

enum result file_sweep(struct db *db)
{
    return db_run(NULL, db, &file_sweep_unused);
}
