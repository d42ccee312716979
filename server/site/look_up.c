/* A new work's form, filled in from what Crossref and others know by its identifier. */
#include "db/store/publication.h"
#include "server/base/document.h"
#include "server/form/forms.h"
#include "server/form/value.h"
#include "server/lookup/lookup.h"
#include "server/site/editing.h"
#include "server/site/flow.h"
#include "server/site/publications.h"
#include "server/site/site.h"
#include "server/text/bibliography.h"
#include "server/text/bibtex.h"

#include <string.h>

enum { WAIT_MS = 3000, TYPED_MOST = 500 };

static struct editing editing_of(const struct request *request)
{
    bool admin = request->route->audience == ADMIN;
    return (struct editing){.entity = "publication",
                            .at_once = admin,
                            .action = admin ? "/admin/publications/new"
                                            : "/my/publications/new",
                            .back = admin ? "/admin/publications" : "/my"};
}

/* The first DOI, arXiv number or PubMed number in what was typed; INVALID: there is none.
 */
static enum result read_identifier(struct lookup *lookup, struct request *request,
                                   const char *typed)
{
    struct bibliography *list;
    struct bibliography_entry entry;
    const struct bibliography_file file = {"", slice_of(typed)};
    if (strlen(typed) > TYPED_MOST)
        return INVALID;
    TRY(bibliography_open(&list, request->arena, &file, 1, &bibtex_paste_limits));
    enum result result = bibliography_next(&entry, list, request->arena);
    if (result == NOT_FOUND ||
        (result == OK && (entry.scheme == NULL || strcmp(entry.scheme, "orcid") == 0)))
        return INVALID;
    TRY(result);
    *lookup =
        (struct lookup){.scheme = entry.scheme, .value = entry.value, .most_ms = WAIT_MS};
    return OK;
}

/* What the form asks for of what was found, the lab's own questions left open. */
static json_t *values_of(const struct form *form, json_t *document)
{
    json_t *values = json_object();
    for (size_t i = 0; i < form->field_count; i++) {
        json_t *value = json_object_get(document, form->fields[i].name);
        if (value != NULL)
            json_object_set(values, form->fields[i].name, value);
    }
    return values;
}

static enum result draw(struct request *request, struct response *response,
                        const char *typed, const char *code, json_t *values)
{
    struct editing editing = editing_of(request);
    json_t *look_up = json_pack("{s:s, s:s?, s:n, s:b}", "typed", typed, "error", code,
                                "existing", "found", values != NULL && code == NULL);
    if (values != NULL) {
        json_t *works;
        TRY(publication_match(&works, request->db, values));
        json_object_set_new(
            look_up, "existing",
            json_array_size(works) > 0
                ? json_pack("{s:O, s:O?}", "slug",
                            json_object_get(json_array_get(works, 0), "slug"), "title",
                            json_object_get(values, "title"))
                : json_null());
    }
    return editing_begin(request, response, &editing, values, look_up);
}

static enum result answer(struct request *request, struct response *response,
                          const char *typed, const struct lookup *lookup)
{
    json_t *found;
    const char *error;
    int seconds;
    enum result result = lookup_find(&found, &error, &seconds, request->db, lookup);
    switch (result) {
    case OK: {
        const struct form *form = form_named(site.forms, "publication");
        return draw(
            request, response, typed, NULL,
            values_of(form, json_array_get(json_object_get(found, "documents"), 0)));
    }
    case NOT_FOUND:
    case INVALID:
        response->status = 422;
        return draw(request, response, typed, result == NOT_FOUND ? "missing" : "none",
                    NULL);
    case BUSY:
        response->status = 503;
        response_header(response, "Retry-After",
                        arena_print(request->arena, "%d", seconds));
        return draw(request, response, typed, "busy", NULL);
    case FAILED:
        if (error == NULL) /* ours, not the other side's */
            return FAILED;
        response->status = 502;
        return draw(request, response, typed, error, NULL);
    case CONFLICT:
    case DENIED:
        break;
    }
    return result;
}

enum result look_up_answer(struct request *request, struct response *response)
{
    struct lookup lookup;
    const char *typed = field(request, "identifier");
    typed = value_printable(request->arena, typed != NULL ? typed : "",
                            typed != NULL ? strlen(typed) : 0, TYPED_MOST, false);
    enum result result = read_identifier(&lookup, request, typed);
    if (result == INVALID) {
        response->status = 422;
        return draw(request, response, typed, "none", NULL);
    }
    TRY(result);
    return answer(request, response, typed, &lookup);
}
