/* Answers prepared once for many requests; see ready.h. */
#include "server/http/ready.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool names(const struct field *fields, const char *name)
{
    for (; fields->name != NULL; fields++)
        if (strcasecmp(fields->name, name) == 0)
            return true;
    return false;
}

void ready_fields(struct MHD_Response *response, const struct field *fields)
{
    for (const struct field *field = security_fields(); field->name != NULL; field++)
        if (!names(fields, field->name))
            MHD_add_response_header(response, field->name, field->value);
    for (; fields->name != NULL; fields++)
        MHD_add_response_header(response, fields->name, fields->value);
}

/* The fields that a 304 repeats (RFC 9110 15.4.5), without those about the content. */
static void repeat_fields(struct MHD_Response *response, const struct field *fields)
{
    static const struct field none = {NULL, NULL};
    ready_fields(response, &none);
    for (; fields->name != NULL; fields++)
        if (strcasecmp(fields->name, "Cache-Control") == 0 ||
            strcasecmp(fields->name, "Vary") == 0)
            MHD_add_response_header(response, fields->name, fields->value);
}

/* Takes `bytes`, which is malloc'd. */
static bool add_coding(struct ready *ready, enum coding coding, char *bytes,
                       size_t length, const struct field *fields, const char *etag)
{
    struct MHD_Response *full =
        MHD_create_response_from_buffer(length, bytes, MHD_RESPMEM_MUST_FREE);
    struct MHD_Response *not_modified =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    ready->codings[coding].full = full;
    ready->codings[coding].not_modified = not_modified;
    ready->codings[coding].length = length;
    memcpy(ready->codings[coding].etag, etag, ETAG_SIZE);
    if (full == NULL || not_modified == NULL)
        return false;
    ready_fields(full, fields);
    repeat_fields(not_modified, fields);
    MHD_add_response_header(full, "ETag", etag);
    MHD_add_response_header(not_modified, "ETag", etag);
    if (coding != IDENTITY)
        MHD_add_response_header(full, "Content-Encoding", coding_names[coding]);
    ready->bytes += length + 3072; /* about what the two keep beside the body */
    return true;
}

struct ready *ready_new(int version, const char *bytes, size_t length,
                        const struct field *fields, int effort)
{
    char etag[ETAG_SIZE];
    struct ready *ready = calloc(1, sizeof *ready);
    char *copy = malloc(length + 1);
    if (ready == NULL || copy == NULL) {
        free(ready);
        free(copy);
        return NULL;
    }
    memcpy(copy, bytes, length);
    ready->references = 1;
    ready->bytes = sizeof *ready;
    etag_make(etag, version, bytes, length, IDENTITY);
    bool good = add_coding(ready, IDENTITY, copy, length, fields, etag);
    for (int i = GZIP; good && effort > 0 && i < CODING_COUNT; i++) {
        size_t size = 0;
        char *packed = coding_compress((enum coding)i, effort, bytes, length, &size);
        if (packed == NULL)
            continue;
        etag_make(etag, version, bytes, length, (enum coding)i);
        good = add_coding(ready, (enum coding)i, packed, size, fields, etag);
    }
    if (good)
        return ready;
    ready_release(ready);
    return NULL;
}

struct ready *ready_hold(struct ready *ready)
{
    atomic_fetch_add(&ready->references, 1);
    return ready;
}

void ready_release(struct ready *ready)
{
    if (ready == NULL || atomic_fetch_sub(&ready->references, 1) > 1)
        return;
    for (int i = 0; i < CODING_COUNT; i++) {
        if (ready->codings[i].full != NULL)
            MHD_destroy_response(ready->codings[i].full);
        if (ready->codings[i].not_modified != NULL)
            MHD_destroy_response(ready->codings[i].not_modified);
    }
    free(ready);
}

struct MHD_Response *ready_choose(const struct ready *ready, const char *accept_encoding,
                                  const char *if_none_match, int *status)
{
    enum coding coding = coding_choose(accept_encoding);
    if (ready->codings[coding].full == NULL)
        coding = IDENTITY;
    bool same = etag_matches(if_none_match, ready->codings[coding].etag);
    *status = same ? 304 : 200;
    return same ? ready->codings[coding].not_modified : ready->codings[coding].full;
}
