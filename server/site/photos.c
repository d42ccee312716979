/* Uploads of photo fields, and the photos themselves; see photos.h. */
#include "server/site/photos.h"

#include "db/store/account.h"
#include "db/store/file.h"
#include "server/base/document.h"
#include "server/form/value.h"
#include "server/guard/token.h"
#include "server/media/photo.h"
#include "server/site/documents.h"
#include "server/site/flow.h"

#include <stdio.h>
#include <string.h>

static const char *named(const struct field *photo, const char *part)
{
    return arena_print(arena_current(), "%s.%s", photo->name, part);
}

/* What nobody asked for in the right shape is the whole picture. */
static struct photo_crop crop_of(const struct request *request, const struct field *photo)
{
    struct photo_crop crop;
    const char *text = field(request, named(photo, "crop"));
    bool fine = text && strlen(text) < 100 &&
                sscanf(text, "%lf %lf %lf %lf", &crop.x, &crop.y, &crop.width,
                       &crop.height) == 4 &&
                crop.x >= 0 && crop.y >= 0 && crop.width > 0 && crop.height > 0 &&
                crop.x + crop.width <= 1.001 && crop.y + crop.height <= 1.001;
    return fine ? crop : photo_whole;
}

/* A hostile picture costs seconds, also when nothing comes of it. */
static enum result too_many(bool *many, struct request *request)
{
    enum { MOST = 60, SECONDS = 15 * 60 };
    int count, seconds_left;
    const char *key =
        arena_print(request->arena, "photo:%lld", (long long)account_id(request));
    TRY(rate_hit(&count, &seconds_left, request->db, key, SECONDS));
    *many = count > MOST;
    return OK;
}

/* *token of the stored photo, or *code of what is wrong. */
static enum result store(const char **token, const char **code, struct request *request,
                         const struct field *photo, const struct upload *upload)
{
    struct photo made;
    struct photo_crop crop = crop_of(request, photo);
    struct file_part parts[PHOTO_PARTS];
    bool many;
    TRY(too_many(&many, request));
    enum result result =
        many ? BUSY
             : photo_make(&made, request->arena, upload->data, upload->length, &crop);
    if (result == OK) {
        for (size_t i = 0; i < made.count; i++)
            parts[i] = (struct file_part){made.parts[i].name, made.parts[i].type,
                                          made.parts[i].bytes, made.parts[i].length};
        *token = arena_print(request->arena, "photo-%s", token_new(request->arena));
        result = file_add(request->db, &(struct file){.token = *token,
                                                      .account = account_id(request),
                                                      .width = made.width,
                                                      .height = made.height,
                                                      .parts = parts,
                                                      .count = made.count});
    }
    if (result == INVALID)
        *code = arena_print(request->arena, "photo_%s", made.error);
    if (result == BUSY)
        *code = "photo_busy";
    if (result == FAILED && made.count == 0) /* nothing else of the form is lost for it */
        *code = "photo_failed";
    return *code ? OK : result;
}

/* The fields of one photo become one: a token, or nothing. */
static enum result take(const char **code, struct request *request,
                        const struct field *photo)
{
    static const char *const parts[] = {"kept", "remove", "crop"};
    const struct upload *upload = request_upload(request, photo->name);
    json_t *sent = json_object_get(request->fields, photo->name);
    const char *token = field(request, named(photo, "kept"));
    bool there = token || sent;
    if (field(request, named(photo, "remove")))
        token = NULL;
    if (upload && upload->length > 0)
        TRY(store(&token, code, request, photo, upload));
    else if (!token && json_is_string(json_array_get(sent, 0)))
        token = json_string_value(json_array_get(sent, 0));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        json_object_del(request->fields, named(photo, parts[i]));
    json_object_del(request->fields, photo->name);
    if (there)
        json_object_set_new(request->fields, photo->name,
                            json_pack("[s]", token ? token : ""));
    return OK;
}

/* An upload that failed is what is wrong with the field, not that it is empty. */
static void add_error(struct submission *submission, const char *name, const char *code)
{
    for (size_t i = json_array_size(submission->errors); i-- > 0;)
        if (strcmp(text_at(json_array_get(submission->errors, i), "field", ""), name) ==
            0)
            json_array_remove(submission->errors, i);
    form_error(submission, name, code);
}

enum result photos_read(struct submission *submission, struct request *request,
                        const struct form *form, enum form_audience audience)
{
    if (!request->fields)
        request->fields = json_object();
    const char **codes = ARENA_ARRAY(request->arena, const char *, form->field_count);
    for (size_t i = 0; i < form->field_count; i++) {
        const struct field *field = &form->fields[i];
        codes[i] = NULL;
        if (field->type == FIELD_PHOTO && (!field->admin || audience == FOR_ADMIN))
            TRY(take(&codes[i], request, field));
    }
    json_t *refused, *error;
    size_t index;
    TRY(documents_take(&refused, request, form, audience));
    enum result result = form_read_fields(submission, form, request->fields, audience);
    for (size_t i = 0; i < form->field_count; i++)
        if (codes[i]) {
            add_error(submission, form->fields[i].name, codes[i]);
            result = INVALID;
        }
    json_array_foreach(refused, index, error)
    {
        add_error(submission, text_at(error, "field", ""), text_at(error, "code", ""));
        result = INVALID;
    }
    return result;
}

enum result photos_show(struct request *request, struct response *response)
{
    struct file_part part;
    bool everyone;
    const char *token = param(request, "token"), *name = param(request, "name");
    if (!value_photo(token))
        return NOT_FOUND;
    TRY(file_part_read(&part, &everyone, request->db, token, name, account_id(request)));
    response->type = part.type;
    /* The bytes of a token never change, but who may see them does. */
    response_header(response, "Cache-Control",
                    everyone ? "public, max-age=86400, immutable" : "private, no-cache");
    response_header(response, "ETag", arena_print(request->arena, "\"%s\"", name));
    buf_append(&response->body, part.bytes, part.length);
    return OK;
}
