/* What a worker rendered becomes an answer of libmicrohttpd: its fields, its coding, its
 * entity tag; or a page of the cache. */
#include "server/base/log.h"
#include "server/http/exchange.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE_EFFORT = 5, COMPRESS_LEAST = 1024, FIELDS_MAX = RESPONSE_HEADERS_MAX + 8 };

struct fields {
    struct field list[FIELDS_MAX];
    int count;
};

static void add(struct fields *fields, const char *name, const char *value)
{
    if (fields->count < FIELDS_MAX - 1)
        fields->list[fields->count++] = (struct field){name, value};
}

static const char *given(const struct response *response, const char *name)
{
    for (int i = 0; i < response->header_count; i++)
        if (strcasecmp(response->headers[i].name, name) == 0)
            return response->headers[i].value;
    return NULL;
}

/* Responses whose coding depends on the request say so. */
static void add_vary(struct fields *fields, const struct response *response)
{
    const char *vary = given(response, "Vary");
    if (vary == NULL)
        add(fields, "Vary", "Accept-Encoding");
    else
        add(fields, "Vary", arena_print(response->arena, "%s, Accept-Encoding", vary));
}

static bool may_carry_content(int status)
{
    return status >= 200 && status != 204 && status != 205 && status != 304;
}

static void collect(struct fields *fields, const struct response *response, bool coded,
                    const char *cache_control)
{
    if (may_carry_content(response->status) && given(response, "Content-Type") == NULL)
        add(fields, "Content-Type", response->type);
    if (given(response, "Cache-Control") == NULL)
        add(fields, "Cache-Control", cache_control);
    if (coded)
        add_vary(fields, response);
    for (int i = 0; i < response->header_count; i++)
        if (!coded || strcasecmp(response->headers[i].name, "Vary") != 0)
            add(fields, response->headers[i].name, response->headers[i].value);
}

#define FOR_EVERYONE "public, max-age=0, must-revalidate"

/* The same for everyone who asks, whether the cache is there to keep it or not. */
static bool for_everyone(const struct response *response)
{
    return response->status == 200 && response->cacheable &&
           given(response, "Set-Cookie") == NULL;
}

/* A page for the cache; NULL: it is not one. */
static struct ready *make_page(const struct exchange *exchange,
                               const struct response *response)
{
    if (exchange->flight == NULL || !for_everyone(response) || response->close ||
        given(response, "ETag") != NULL)
        return NULL;
    struct fields fields = {0};
    collect(&fields, response, true, FOR_EVERYONE);
    return ready_new(response->version, response->body.data, response->body.length,
                     fields.list, PAGE_EFFORT);
}

/* Compressing what holds secrets beside what a stranger may choose would leak them by
 * its length (BREACH): private answers stay as they are. */
static bool compressible(const struct response *response)
{
    const char *cache_control = given(response, "Cache-Control");
    bool open = for_everyone(response) ||
                (cache_control != NULL && strstr(cache_control, "public") != NULL);
    return open && response->status == 200 && response->body.length > COMPRESS_LEAST &&
           coding_is_text(response->type);
}

static enum coding compress(const struct exchange *exchange, struct response *response)
{
    enum coding coding =
        coding_choose(request_header(&exchange->request, "Accept-Encoding"));
    size_t length = 0;
    char *packed = NULL;
    if (coding != IDENTITY)
        packed = coding_compress(coding, 1, response->body.data, response->body.length,
                                 &length);
    if (packed == NULL)
        return IDENTITY;
    response->body = buf_on(response->arena);
    buf_append(&response->body, packed, length);
    free(packed);
    return coding;
}

/* A file of any length, from the disk as it is sent. */
static struct MHD_Response *answer_of_file(const struct response *response)
{
    struct stat about;
    struct MHD_Response *answer = NULL;
    if (fstat(response->file, &about) == 0)
        answer = MHD_create_response_from_fd64((uint64_t)about.st_size, response->file);
    if (answer == NULL)
        close(response->file);
    return answer;
}

static void make_own(struct exchange *exchange, struct response *response)
{
    struct fields fields = {0};
    char etag[ETAG_SIZE];
    const char *wanted = request_header(&exchange->request, "If-None-Match");
    const char *own = given(response, "ETag"); /* it names one version in one coding */
    bool coded = own == NULL && compressible(response);
    collect(&fields, response, coded,
            for_everyone(response) ? FOR_EVERYONE : "private, no-store");
    bool get =
        exchange->request.method == GET && response->status == 200 && !response->has_file;
    if (get && own != NULL && etag_matches(wanted, own))
        response->status = 304;
    /* A page that nobody may store, nobody can ask for again on a condition. */
    bool tagged = given(response, "Cache-Control") != NULL || for_everyone(response);
    if (get && own == NULL && tagged && coding_is_text(response->type)) {
        enum coding coding = IDENTITY;
        struct buf plain = response->body;
        if (coded)
            coding = compress(exchange, response);
        etag_make(etag, response->version, plain.data, plain.length, coding);
        add(&fields, "ETag", etag);
        if (coding != IDENTITY)
            add(&fields, "Content-Encoding", coding_names[coding]);
        if (etag_matches(wanted, etag))
            response->status = 304;
    }
    if (!may_carry_content(response->status))
        response->body.length = 0;
    /* The body is on the request's arena, which outlives the answer. */
    exchange->answer =
        response->has_file
            ? answer_of_file(response)
            : MHD_create_response_from_buffer(response->body.length, response->body.data,
                                              MHD_RESPMEM_PERSISTENT);
    exchange->status = response->status;
    if (exchange->answer == NULL)
        return;
    ready_fields(exchange->answer, fields.list);
    if (response->close || exchange->close || exchange->daemon->draining)
        MHD_add_response_header(exchange->answer, "Connection", "close");
}

void answer_make(struct exchange *exchange, struct response *response)
{
    struct ready *ready = make_page(exchange, response);
    if (exchange->flight != NULL)
        page_cache_land(exchange->daemon->options.pages, exchange->flight, ready,
                        response->tables, response->status >= 500);
    exchange->flight = NULL;
    exchange->ready = ready;
    if (ready == NULL)
        make_own(exchange, response);
}

struct MHD_Response *answer_bare(int status, bool close)
{
    char text[64];
    snprintf(text, sizeof text, "%d %s\n", status, reason_phrase(status));
    struct MHD_Response *answer =
        MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_COPY);
    if (answer == NULL)
        return NULL;
    const struct field fields[] = {
        {"Content-Type",                       "text/plain"       },
        {"Cache-Control",                      "private, no-store"},
        {status == 503 ? "Retry-After" : NULL, "1"                },
        {NULL,                                 NULL               }
    };
    ready_fields(answer, fields);
    if (close)
        MHD_add_response_header(answer, "Connection", "close");
    return answer;
}
