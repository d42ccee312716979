/* Uploads of document fields, and the documents themselves; see documents.h. */
#include "server/site/documents.h"

#include "db/store/file.h"
#include "server/form/submission.h"
#include "server/form/value.h"
#include "server/guard/token.h"
#include "server/http/coding.h"
#include "server/http/spool.h"
#include "server/site/flow.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char upload_end[] = ".upload";
enum { DOCUMENT_BYTES_MOST = 32 * 1024 * 1024, NAME_MOST = 80 };

/* Where a PDF's head and end are looked for (ISO 32000-1, annex H, notes 13 and 18). */
enum { HEAD_BYTES = 1024, END_BYTES = 4096 };

/* NULL: it is one. */
static const char *fault_of(const struct upload *upload)
{
    size_t head = upload->length < HEAD_BYTES ? upload->length : HEAD_BYTES;
    size_t end = upload->length < END_BYTES ? upload->length : END_BYTES;
    if (upload->length > DOCUMENT_BYTES_MOST)
        return "document_too_large";
    if (memmem(upload->data, head, "%PDF-", 5) == NULL)
        return "document_not_pdf";
    if (memmem(upload->data + upload->length - end, end, "%%EOF", 5) == NULL)
        return "document_truncated";
    return NULL;
}

/* "Lin's paper (final).pdf" as Lin-s-paper-final.pdf. */
static const char *plain_name(struct arena *arena, const char *name)
{
    struct buf out = buf_on(arena);
    const char *dot = strrchr(name, '.');
    size_t length = dot != NULL ? (size_t)(dot - name) : strlen(name);
    for (size_t i = 0; i < length && out.length < NAME_MOST; i++) {
        bool plain = (name[i] >= '0' && name[i] <= '9') ||
                     (name[i] >= 'a' && name[i] <= 'z') ||
                     (name[i] >= 'A' && name[i] <= 'Z') || name[i] == '_' ||
                     (name[i] == '.' && out.length > 0);
        if (plain)
            buf_char(&out, name[i]);
        else if (out.length > 0 && out.data[out.length - 1] != '-')
            buf_char(&out, '-');
    }
    while (out.length > 0 && strchr("-.", out.data[out.length - 1]) != NULL)
        out.data[--out.length] = '\0';
    return out.length > 0 ? arena_print(arena, "%s.pdf", out.data) : "file.pdf";
}

static enum result store(const char **token, struct request *request,
                         const struct upload *upload)
{
    *token = arena_print(request->arena, "file-%s", token_new(request->arena));
    return file_add_document(
        request->db,
        &(struct document){.token = *token,
                           .name = plain_name(request->arena, upload->filename),
                           .type = "application/pdf",
                           .account = account_id(request),
                           .bytes = upload->data,
                           .length = upload->length});
}

/* Is `name` (without ".upload") that of a document field which this audience fills in? */
static bool asked_for(const struct form *form, enum form_audience audience,
                      const char *name)
{
    struct arena *arena = arena_current();
    const char *dot = strchr(name, '.');
    size_t digits = dot != NULL ? strspn(dot + 1, "0123456789") : 0;
    if (dot == NULL || digits == 0 || dot[1 + digits] != '.')
        return false;
    const struct field *group = field_named(
        form->fields, form->field_count, arena_copy(arena, name, (size_t)(dot - name)));
    const struct field *field =
        group == NULL || (group->admin && audience != FOR_ADMIN)
            ? NULL
            : field_named(group->fields, group->field_count, dot + digits + 2);
    return field != NULL && field->type == FIELD_DOCUMENT;
}

static enum result take(json_t *errors, struct request *request, const char *name,
                        const struct upload *upload)
{
    const char *token, *code = fault_of(upload);
    struct arena *arena = request->arena;
    if (code == NULL) {
        enum result result = store(&token, request, upload);
        if (result != OK && result != BUSY)
            return result;
        code = result == BUSY ? "document_busy" : NULL;
    }
    if (code != NULL) {
        json_array_append_new(errors,
                              json_pack("{s:s, s:s}", "field", name, "code", code));
        return OK;
    }
    json_object_set_new(request->fields, name, json_pack("[s]", token));
    const char *shown =
        arena_print(arena, "%.*s.name", (int)(strrchr(name, '.') - name), name);
    const char *given = field(request, shown);
    if (given == NULL || *given == '\0')
        json_object_set_new(
            request->fields, shown,
            json_pack("[s]", value_printable(arena, upload->filename,
                                             strlen(upload->filename), 200, false)));
    return OK;
}

enum result documents_take(json_t **errors, struct request *request,
                           const struct form *form, enum form_audience audience)
{
    const size_t end = sizeof upload_end - 1;
    *errors = json_array();
    for (const struct upload *upload = request->uploads; upload != NULL;
         upload = upload->next) {
        size_t length = strlen(upload->name);
        if (length <= end || strcmp(upload->name + length - end, upload_end) != 0)
            continue;
        const char *name = arena_copy(request->arena, upload->name, length - end);
        if (!asked_for(form, audience, name))
            continue; /* the form refuses the field */
        json_object_del(request->fields, upload->name);
        if (upload->length > 0)
            TRY(take(*errors, request, name, upload));
    }
    return OK;
}

/* The bytes first..last of a document of `length`; RFC 9110 section 14. */
struct span {
    size_t first, last;
    bool part; /* 206 */
};

/* INVALID: no byte of what is asked for is there. Whatever else is not one range that is
 * understood means the whole. */
static enum result span_of(struct span *span, const char *range, size_t length)
{
    *span = (struct span){0, length - 1, false};
    if (range == NULL || strncasecmp(range, "bytes=", 6) != 0 || strchr(range, ','))
        return OK;
    const char *from = range + 6, *dash = strchr(from, '-');
    size_t digits = strspn(from, "0123456789");
    if (dash == NULL || dash != from + digits ||
        dash[1 + strspn(dash + 1, "0123456789")] != '\0')
        return OK;
    if (digits == 0 && dash[1] == '\0')
        return OK;
    /* What is too long for a number is beyond any length, and so is its greatest value.
     */
    unsigned long long first = strtoull(from, NULL, 10);
    unsigned long long last = dash[1] != '\0' ? strtoull(dash + 1, NULL, 10) : ULLONG_MAX;
    if (digits == 0) { /* the last bytes */
        if (last == 0)
            return INVALID;
        first = last < length ? length - last : 0;
        last = length - 1;
    }
    if (first > last)
        return OK;
    if (first >= length)
        return INVALID;
    *span = (struct span){first, last < length ? last : length - 1, true};
    return OK;
}

/* Chunk by chunk, each on an arena of its own. */
static enum result send(struct response *response, struct db *db,
                        const struct document *document, const struct span *span)
{
    struct spool spool = spool_on(response->arena);
    for (size_t at = span->first; at <= span->last;) {
        struct slice bytes;
        struct arena *chunk = arena_new();
        size_t skip = at % FILE_CHUNK_BYTES;
        arena_enter(chunk);
        enum result result =
            file_document_chunk(&bytes, db, document, (int)(at / FILE_CHUNK_BYTES));
        if (result == OK && bytes.length <= skip)
            result = FAILED;
        size_t length = result == OK ? bytes.length - skip : 0;
        if (length > span->last + 1 - at)
            length = span->last + 1 - at;
        if (result == OK)
            result = spool_add(&spool, bytes.bytes + skip, length);
        arena_enter(response->arena);
        arena_free(chunk);
        if (result != OK) {
            spool_release(&spool);
            return result == NOT_FOUND ? FAILED : result;
        }
        at += length;
    }
    response->body = spool.memory;
    response->has_file = spool.fd >= 0;
    response->file = spool.fd;
    return OK;
}

static void describe(struct response *response, const struct document *document,
                     const char *etag)
{
    response->type = document->type;
    response_header(response, "Cache-Control",
                    document->everyone ? "public, max-age=0, must-revalidate"
                                       : "private, no-cache");
    response_header(response, "ETag", etag);
    response_header(response, "Accept-Ranges", "bytes");
    response_header(
        response, "Content-Disposition",
        arena_print(response->arena, "inline; filename=\"%s\"", document->name));
    response_header(response, "X-Robots-Tag", document->everyone ? "all" : "noindex");
}

enum result documents_show(struct request *request, struct response *response)
{
    struct document document;
    struct span span;
    const char *token = param(request, "token");
    if (!value_document(token))
        return NOT_FOUND;
    TRY(file_document(&document, request->db, token, account_id(request)));
    if (document.length == 0)
        return NOT_FOUND;
    /* The bytes of a token never change. */
    const char *etag = arena_print(request->arena, "\"%s\"", token + strlen("file-"));
    const char *same = request_header(request, "If-Range");
    bool whole = same != NULL && strcmp(same, etag) != 0;
    describe(response, &document, etag);
    if (etag_matches(request_header(request, "If-None-Match"), etag)) {
        response->status = 304;
        return OK;
    }
    if (span_of(&span, whole ? NULL : request_header(request, "Range"),
                document.length) != OK) {
        response->status = 416;
        response->type = "text/plain; charset=utf-8";
        response_header(response, "Content-Range",
                        arena_print(request->arena, "bytes */%zu", document.length));
        return OK;
    }
    if (span.part) {
        response->status = 206;
        response_header(response, "Content-Range",
                        arena_print(request->arena, "bytes %zu-%zu/%zu", span.first,
                                    span.last, document.length));
    }
    return send(response, request->db, &document, &span);
}
