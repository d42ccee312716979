/* A copy of all that is held of an account: a zip of JSON files and the files themselves.
 * Rows are fetched some at a time while the archive is written, so that the memory is the
 * same for a little and a lot. */
#include "server/site/my_data.h"

#include "db/store/change.h"
#include "db/store/export.h"
#include "db/store/file.h"
#include "db/store/personal.h"
#include "server/site/flow.h"
#include "server/text/archive.h"

#include <unistd.h>

/* One entry being written. Its arena holds the piece that is on its way. */
struct part {
    struct db *db;
    struct arena *arena;
    int64_t account, person, after;
    enum personal_part rows;
    const char *token, *name; /* of a file */
    bool begun, ended;
};

struct copy {
    struct request *request;
    struct arena *arena;
    struct archive *archive;
    int fd;
};

static const char *pretty(json_t *value)
{
    return json_dumps(value, JSON_INDENT(2) | JSON_ENCODE_ANY);
}

/* The next rows, as part of a JSON array. */
static enum result rows_text(struct buf *out, struct part *part)
{
    json_t *rows, *row;
    size_t index;
    TRY(personal_rows(&rows, part->db, part->rows, part->account, part->after));
    if (!part->begun)
        buf_string(out, "[");
    json_array_foreach(rows, index, row)
    {
        part->after = integer_at(row, "id");
        buf_print(out, "%s\n%s", part->begun || index > 0 ? "," : "", pretty(row));
    }
    part->ended = json_array_size(rows) == 0;
    if (part->ended)
        buf_string(out, "\n]\n");
    part->begun = true;
    return OK;
}

static enum result rows_piece(const char **bytes, size_t *length, void *data)
{
    struct part *part = data;
    *length = 0;
    if (part->ended)
        return OK;
    arena_reset(part->arena);
    struct arena *before = arena_enter(part->arena);
    struct buf out = buf_on(part->arena);
    enum result result = rows_text(&out, part);
    *bytes = out.data;
    *length = out.length;
    arena_enter(before);
    return result;
}

static enum result whole_text(struct buf *out, struct part *part)
{
    json_t *value, *rows;
    if (part->person != 0) {
        TRY(entity_current(&value, part->db, "person", part->person));
    } else {
        TRY(personal_rows(&rows, part->db, PERSONAL_ACCOUNT, part->account, 0));
        value = json_array_get(rows, 0);
    }
    buf_print(out, "%s\n", pretty(value));
    return OK;
}

/* One document: the account, or the person. */
static enum result whole_piece(const char **bytes, size_t *length, void *data)
{
    struct part *part = data;
    *length = 0;
    if (part->ended)
        return OK;
    part->ended = true;
    arena_reset(part->arena);
    struct arena *before = arena_enter(part->arena);
    struct buf out = buf_on(part->arena);
    enum result result = whole_text(&out, part);
    *bytes = out.data;
    *length = out.length;
    arena_enter(before);
    return result;
}

static enum result file_piece(const char **bytes, size_t *length, void *data)
{
    struct part *part = data;
    struct file_part file;
    bool everyone;
    *length = 0;
    if (part->ended)
        return OK;
    part->ended = true;
    arena_reset(part->arena);
    struct arena *before = arena_enter(part->arena);
    enum result result = file_part_read(&file, &everyone, part->db, part->token,
                                        part->name, part->account);
    arena_enter(before);
    if (result != OK)
        return result == NOT_FOUND ? OK : result;
    *bytes = file.bytes;
    *length = file.length;
    return OK;
}

static struct part *new_part(const struct copy *copy)
{
    struct part *part = ARENA_NEW(copy->request->arena, struct part);
    part->db = copy->request->db;
    part->arena = copy->arena;
    part->account = account_id(copy->request);
    return part;
}

static enum result add_rows(struct copy *copy)
{
    static const struct {
        const char *name;
        enum personal_part rows;
    } lists[] = {
        {"history.json", PERSONAL_HISTORY},
        {"changes.json", PERSONAL_CHANGES},
        {"answers.json", PERSONAL_ANSWERS},
        {"mails.json",   PERSONAL_MAILS  },
        {"events.json",  PERSONAL_EVENTS }
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct part *part = new_part(copy);
        part->rows = lists[i].rows;
        TRY(archive_add(copy->archive, lists[i].name, rows_piece, part));
    }
    return OK;
}

static enum result add_files(struct copy *copy)
{
    json_t *files, *file;
    size_t index;
    struct arena *arena = copy->request->arena;
    TRY(personal_rows(&files, copy->request->db, PERSONAL_FILES,
                      account_id(copy->request), 0));
    json_array_foreach(files, index, file)
    {
        struct part *part = new_part(copy);
        part->token = text_at(file, "token", "");
        part->name = text_at(file, "name", "");
        TRY(archive_add(copy->archive,
                        arena_print(arena, "files/%s/%s", part->token, part->name),
                        file_piece, part));
    }
    return OK;
}

static enum result add_all(struct copy *copy)
{
    struct part *account = new_part(copy), *person = new_part(copy);
    TRY(archive_add(copy->archive, "account.json", whole_piece, account));
    person->person = integer_at(copy->request->account, "person_id");
    if (person->person != 0)
        TRY(archive_add(copy->archive, "person.json", whole_piece, person));
    TRY(add_rows(copy));
    return add_files(copy);
}

static enum result make_copy(struct db *db, void *data)
{
    struct copy *copy = data;
    (void)db;
    TRY(archive_open(&copy->archive, copy->request->arena));
    enum result added = add_all(copy);
    if (added == OK)
        return archive_finish(&copy->fd, copy->archive);
    archive_drop(copy->archive);
    return added;
}

enum result my_data_export(struct request *request, struct response *response)
{
    struct copy copy = {.request = request, .arena = arena_new(), .fd = -1};
    enum result made = export_run(request->db, make_copy, &copy);
    arena_free(copy.arena);
    if (made != OK) {
        if (copy.fd >= 0)
            close(copy.fd);
        return made;
    }
    response->has_file = true;
    response->file = copy.fd;
    response->type = "application/zip";
    response_header(response, "Content-Disposition",
                    "attachment; filename=\"labd-my-data.zip\"");
    response_header(response, "Cache-Control", "private, no-store");
    return OK;
}
