/* Asking the sources; see lookup.h. */
#include "server/lookup/lookup.h"

#include "db/store/lookup.h"
#include "server/base/buf.h"
#include "server/base/config.h"
#include "server/base/document.h"
#include "server/base/identifier.h"
#include "server/base/log.h"
#include "server/base/percent.h"
#include "server/lookup/fetch.h"
#include "server/lookup/orcid.h"
#include "server/text/csl.h"

#include <time.h>

#define CSL "application/vnd.citationstyles.csl+json"
enum { GAP_MS = 350, SOURCES_MOST = 2, BUSY_SECONDS = 30, DEPTH_MOST = 32 };

struct source {
    const char *base; /* an option */
    const char *url, *accept;
};

/* Who is asked, in turn, until one knows it. */
static size_t sources_of(struct source *sources, const struct lookup *lookup)
{
    struct arena *arena = arena_current();
    const char *value = percent_text(arena, lookup->value);
    if (strcmp(lookup->scheme, "doi") == 0) {
        sources[0] = (struct source){
            config.lookup_crossref,
            arena_print(arena, "/v1/works/%s/transform/" CSL, value), CSL};
        sources[1] = (struct source){config.lookup_datacite,
                                     arena_print(arena, "/" CSL "/%s", value), CSL};
        return 2;
    }
    if (strcmp(lookup->scheme, "arxiv") == 0)
        sources[0] = (struct source){
            config.lookup_datacite,
            arena_print(arena, "/" CSL "/10.48550%%2FarXiv.%s", value), CSL};
    else if (strcmp(lookup->scheme, "pmid") == 0)
        sources[0] = (struct source){
            config.lookup_pubmed,
            arena_print(arena, "/lit/ctxp/v1/pubmed/?format=csl&id=%s", value), NULL};
    else
        sources[0] = (struct source){config.lookup_orcid,
                                     arena_print(arena, "/v3.0/%s/works", value),
                                     "application/json"};
    return 1;
}

static const char *const options[] = {"lookup_crossref", "lookup_datacite",
                                      "lookup_pubmed", "lookup_orcid"};

const char *lookup_options_fault(void)
{
    const char *const values[] = {config.lookup_crossref, config.lookup_datacite,
                                  config.lookup_pubmed, config.lookup_orcid};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const char *value = values[i];
        size_t lead = strncmp(value, "https://", 8) == 0  ? 8
                      : strncmp(value, "http://", 7) == 0 ? 7
                                                          : 0;
        if (*value != '\0' && (lead == 0 || strpbrk(value + lead, "/@?# ") != NULL))
            return arena_print(
                arena_current(),
                "%s must be http:// or https:// and a host, without a path", options[i]);
    }
    return NULL;
}

static void sleep_ms(int ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

/* A look-up under way. */
struct asking {
    struct db *db;
    const struct lookup *lookup;
    json_t *kept; /* lookup_read(), or NULL */
    const char **error;
    int *seconds;
};

/* What the answer says; OK with *body. */
static enum result judge(struct slice *body, struct asking *asking,
                         const struct source *source, const struct fetched *fetched)
{
    switch (fetched->status) {
    case 200:
        *body = fetched->body;
        return OK;
    case 304:
        *body = (struct slice){NULL, 0};
        return OK;
    case 400: /* some say so of a number that they do not have */
    case 404:
    case 410:
        return NOT_FOUND;
    case 429:
    case 503:
        *asking->seconds = fetched->retry_after > 0 ? fetched->retry_after : BUSY_SECONDS;
        TRY(lookup_take_pause(asking->db, source->base, *asking->seconds));
        return BUSY;
    default:
        log_info("lookup.status", "url", source->url, "status",
                 arena_print(arena_current(), "%d", fetched->status));
        *asking->error = "status";
        return FAILED;
    }
}

static enum result ask(struct slice *body, const char **etag, struct asking *asking,
                       const struct source *source)
{
    struct fetched fetched;
    int wait_ms;
    const char *contact;
    if (*source->base == '\0') {
        *asking->error = "off";
        return FAILED;
    }
    enum result result = lookup_take_turn(&wait_ms, asking->db, source->base, GAP_MS,
                                          asking->lookup->most_ms);
    if (result == BUSY)
        *asking->seconds = BUSY_SECONDS;
    TRY(result);
    TRY(lookup_lab_contact(&contact, asking->db));
    sleep_ms(wait_ms);
    const struct fetch fetch = {
        .url = arena_print(arena_current(), "%s%s", source->base, source->url),
        .accept = source->accept,
        .etag =
            asking->kept != NULL && json_is_object(json_object_get(asking->kept, "body"))
                ? text_of(asking->kept, "etag")
                : NULL,
        .private = fetch_is_private(source->base),
        .contact = contact,
        .stopping = asking->lookup->stopping,
        .data = asking->lookup->data};
    if (fetch_get(&fetched, &fetch) != OK) {
        log_info("lookup.failed", "url", source->url, "reason", fetched.error);
        *asking->error = fetched.error;
        return FAILED;
    }
    *etag = fetched.etag;
    return judge(body, asking, source, &fetched);
}

static json_t *parse(struct slice body)
{
    json_t *item = json_loadb(body.bytes, body.length, 0, NULL);
    return json_is_object(item) ? item : NULL;
}

/* Asks until one knows it, and keeps what was said. */
static enum result ask_all(json_t **item, struct asking *asking)
{
    const struct lookup *lookup = asking->lookup;
    struct source sources[SOURCES_MOST];
    size_t count = sources_of(sources, lookup);
    enum result result = NOT_FOUND;
    bool failed = false;
    for (size_t i = 0; i < count && result == NOT_FOUND; i++) {
        struct slice body;
        const char *etag = NULL;
        result = ask(&body, &etag, asking, &sources[i]);
        if (result != OK) {
            failed |= result == FAILED;
            if (result == FAILED && i + 1 < count)
                result = NOT_FOUND; /* perhaps the next one knows */
            continue;
        }
        if (body.bytes == NULL) { /* 304 */
            *item = json_object_get(asking->kept, "body");
            return lookup_unchanged(asking->db, lookup->scheme, lookup->value);
        }
        *item = parse(body);
        if (*item == NULL) {
            *asking->error = "broken";
            return FAILED;
        }
        return lookup_write(asking->db, lookup->scheme, lookup->value,
                            json_dumps(*item, JSON_COMPACT), etag);
    }
    if (result == NOT_FOUND && failed)
        return FAILED;
    if (result == NOT_FOUND)
        TRY(lookup_write(asking->db, lookup->scheme, lookup->value, NULL, NULL));
    return result;
}

/* A name that the source did not give is the one that was asked for. */
static void add_identifier(json_t *document, const struct lookup *lookup)
{
    size_t index;
    json_t *row, *identifiers = json_object_get(document, "identifiers");
    json_array_foreach(identifiers, index, row)
    {
        if (strcmp(text_at(row, "scheme", ""), lookup->scheme) == 0)
            return;
    }
    json_array_append_new(identifiers, json_pack("{s:s, s:s}", "scheme", lookup->scheme,
                                                 "value", lookup->value));
}

static enum result read_item(json_t **found, const char **error, json_t *item,
                             const struct lookup *lookup)
{
    struct arena *arena = arena_current();
    if (strcmp(lookup->scheme, "orcid") == 0) {
        *found = orcid_works(arena, item);
        return OK;
    }
    json_t *document = csl_document(arena, item);
    if (document == NULL || filled_of(document, "title") == NULL) {
        *error = "broken";
        return FAILED;
    }
    add_identifier(document, lookup);
    *found = json_pack("{s:[o], s:[]}", "documents", document, "identifiers");
    return OK;
}

static bool sound(const struct lookup *lookup)
{
    struct slice found;
    struct slice value = slice_of(lookup->value);
    if (strcmp(lookup->scheme, "orcid") == 0)
        return orcid_fits(lookup->value);
    return identifier_of(&found, arena_current(), lookup->scheme, value) &&
           found.length == value.length &&
           memcmp(found.bytes, value.bytes, value.length) == 0;
}

enum result lookup_find(json_t **found, const char **error, int *seconds, struct db *db,
                        const struct lookup *lookup)
{
    struct asking asking = {
        .db = db, .lookup = lookup, .error = error, .seconds = seconds};
    json_t *item = NULL;
    *error = NULL;
    *seconds = 0;
    if (!sound(lookup))
        return INVALID;
    enum result kept = lookup_read(&asking.kept, db, lookup->scheme, lookup->value);
    if (kept != OK && kept != NOT_FOUND)
        return kept;
    if (kept == NOT_FOUND)
        asking.kept = NULL;
    json_t *body = json_object_get(asking.kept, "body");
    if (asking.kept != NULL && truth_at(asking.kept, "fresh")) {
        if (!json_is_object(body))
            return NOT_FOUND;
        return read_item(found, error, body, lookup);
    }
    enum result result = ask_all(&item, &asking);
    if (result != OK && result != NOT_FOUND && json_is_object(body)) {
        item = body; /* what was known is better than nothing */
        result = OK;
    }
    TRY(result);
    return read_item(found, error, item, lookup);
}
