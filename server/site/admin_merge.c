/* /admin/merge: two works become one, field by field; /admin/merges: what was merged, and
 * undoing it. */
#include "db/store/change.h"
#include "db/store/merge.h"
#include "server/form/forms.h"
#include "server/site/admin_works.h"
#include "server/site/flow.h"
#include "server/site/site.h"
#include "server/site/values.h"

#include <string.h>

enum { PAGE_ROWS = 50 };

struct drawn {
    const char *into, *from; /* slugs; NULL: none given */
    json_t *choices;         /* that were made, or NULL */
    json_t *errors;          /* of the store, or NULL */
    const char *trouble;     /* code, or NULL */
};

static enum result draw_empty(struct request *request, struct response *response,
                              const struct drawn *drawn)
{
    json_t *document = json_object();
    json_object_set_new(document, "pair", json_null());
    json_object_set_new(document, "into", json_string(drawn->into ? drawn->into : ""));
    json_object_set_new(document, "from", json_string(drawn->from ? drawn->from : ""));
    json_object_set_new(document, "trouble",
                        drawn->trouble ? json_string(drawn->trouble) : json_null());
    return flow_page(request, response, "admin/merge.html", document);
}

/* `texts`: the value of either, as a person reads it. */
static json_t *options_of(const char *key, const char *chosen, const char *const *texts)
{
    static const char *const values[] = {"into", "from", "both", NULL};
    json_t *options = json_array();
    for (size_t i = 0; values[i] != NULL; i++)
        if (i < 2 || merge_joins(key))
            json_array_append_new(
                options,
                json_pack("{s:s, s:s, s:s, s:b, s:b}", "value", values[i], "field", key,
                          "text", i < 2 ? texts[i] : "", "joins", (int)(i == 2), "chosen",
                          (int)(strcmp(values[i], chosen) == 0)));
    return options;
}

/* A row for each field that differs, in the order of the form. */
static json_t *rows_of(const struct request *request, json_t *into, json_t *from,
                       json_t *chosen)
{
    const struct form *form = form_named(site.forms, "publication");
    json_t *rows = json_array(), *choices = merge_choices(into, from);
    for (size_t i = 0; i < form->field_count; i++) {
        const struct field *field = &form->fields[i];
        const char *choice = text_of(choices, field->name);
        if (choice == NULL)
            continue;
        choice = text_at(chosen, field->name, choice);
        const char *label = field_label(request, form, field->name);
        const char *const texts[] = {
            value_text(request, field, json_object_get(into, field->name)),
            value_text(request, field, json_object_get(from, field->name))};
        json_array_append_new(rows, json_pack("{s:s, s:o}", "label", label, "options",
                                              options_of(field->name, choice, texts)));
    }
    return rows;
}

static json_t *side(json_t *current)
{
    json_t *document = json_object_get(current, "document");
    return json_pack(
        "{s:O, s:O, s:O?, s:O?, s:O?}", "slug", json_object_get(current, "slug"),
        "version", json_object_get(current, "version"), "title",
        json_object_get(document, "title"), "year", json_object_get(document, "year"),
        "kind", json_object_get(document, "kind"));
}

static enum result read_side(json_t **current, struct request *request, const char *slug)
{
    const char *leads;
    enum result found = entity_by_slug(current, request->db, "publication", slug);
    if (found != NOT_FOUND)
        return found;
    found = merge_leads_to(&leads, request->db, slug);
    return found == OK ? entity_by_slug(current, request->db, "publication", leads)
                       : found;
}

static enum result draw(struct request *request, struct response *response,
                        struct drawn *drawn)
{
    json_t *into, *from;
    if (drawn->into == NULL && drawn->from == NULL)
        return draw_empty(request, response, drawn);
    enum result found = read_side(&into, request, drawn->into ? drawn->into : "");
    if (found == OK)
        found = read_side(&from, request, drawn->from ? drawn->from : "");
    if (found == NOT_FOUND ||
        (found == OK && integer_at(into, "id") == integer_at(from, "id"))) {
        bool late = found == OK && drawn->trouble != NULL;
        drawn->trouble = late ? "merged" : found == OK ? "same" : "unknown";
        response->status = late ? 409 : found == OK ? 422 : 404;
        return draw_empty(request, response, drawn);
    }
    TRY(found);
    json_t *rows = rows_of(request, json_object_get(into, "document"),
                           json_object_get(from, "document"), drawn->choices);
    json_t *pair = json_pack("{s:o, s:o}", "into", side(into), "from", side(from));
    json_t *document = json_object();
    json_object_set_new(document, "pair", pair);
    json_object_set_new(document, "rows", rows);
    json_object_set_new(document, "any_rows", json_boolean(json_array_size(rows) > 0));
    json_object_set(document, "errors", drawn->errors ? drawn->errors : json_array());
    json_object_set_new(document, "any_errors",
                        json_boolean(json_array_size(drawn->errors) > 0));
    json_object_set_new(document, "trouble",
                        drawn->trouble ? json_string(drawn->trouble) : json_null());
    return flow_page(request, response, "admin/merge.html", document);
}

/* What of a work's address is its slug: the whole address may be pasted. */
static const char *slug_in(const char *address)
{
    const char *last = address != NULL ? strrchr(address, '/') : NULL;
    const char *slug = last != NULL ? last + 1 : address;
    return slug != NULL && *slug != '\0' ? slug : NULL;
}

enum result admin_merge_show(struct request *request, struct response *response)
{
    struct drawn drawn = {.into = slug_in(query_argument(request, "into")),
                          .from = slug_in(query_argument(request, "from"))};
    return draw(request, response, &drawn);
}

/* {"key": "into" | "from" | "both"} of the fields "choose.key". */
static json_t *read_choices(const struct request *request)
{
    json_t *choices = json_object(), *values;
    const char *name;
    json_object_foreach(request->fields, name, values)
    {
        const char *value = json_string_value(json_array_get(values, 0));
        if (strncmp(name, "choose.", 7) == 0 && value != NULL)
            json_object_set_new(choices, name + 7, json_string(value));
    }
    return choices;
}

static json_t *error_words(const struct request *request, json_t *errors)
{
    const struct form *form = form_named(site.forms, "publication");
    json_t *rows = json_array(), *error;
    size_t index;
    json_array_foreach(errors, index, error)
    {
        const char *path = text_at(error, "field", "");
        const char *top = arena_copy(request->arena, path, strcspn(path, "."));
        json_array_append_new(rows, json_pack("{s:s, s:s}", "label",
                                              field_label(request, form, top), "code",
                                              text_at(error, "code", "refused")));
    }
    return rows;
}

enum result admin_merge_submit(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    struct drawn drawn = {.into = field(request, "into"),
                          .from = field(request, "from"),
                          .choices = read_choices(request)};
    struct merge merge = {
        .into = drawn.into, .from = drawn.from, .choices = drawn.choices};
    json_t *outcome;
    if (drawn.into == NULL || drawn.from == NULL ||
        number_of(&merge.into_version, field(request, "into_version")) != OK ||
        number_of(&merge.from_version, field(request, "from_version")) != OK)
        return INVALID;
    enum result merged = merge_works(&outcome, request->db, &actor, &merge);
    if (merged == CONFLICT || merged == NOT_FOUND) {
        response->status = 409;
        drawn.trouble = "moved";
        return draw(request, response, &drawn);
    }
    if (merged == INVALID) {
        response->status = 422;
        drawn.errors = error_words(request, json_object_get(outcome, "errors"));
        return draw(request, response, &drawn);
    }
    TRY(merged);
    flow_done(response, "/admin/merges", "works_merged");
    return OK;
}

enum result admin_merges_index(struct request *request, struct response *response)
{
    json_t *merges, *row;
    int64_t page;
    size_t index;
    if (number_of(&page, query_argument(request, "page")) != OK || page > 1000000)
        page = 1;
    TRY(merge_list(&merges, request->db, PAGE_ROWS + 1, (page - 1) * PAGE_ROWS));
    bool more = json_array_size(merges) > PAGE_ROWS;
    if (more)
        json_array_remove(merges, PAGE_ROWS);
    json_array_foreach(merges, index, row)
    {
        bool undone = text_of(row, "undone_at") != NULL;
        json_t *left = json_object_get(row, "left_identifiers");
        json_object_set_new(row, "undone", json_boolean(undone));
        json_object_set_new(row, "may_undo",
                            json_boolean(!undone && !truth_at(row, "merged_on")));
        json_object_set(row, "left", json_is_array(left) ? left : json_array());
    }
    return flow_page(request, response, "admin/merges.html",
                     json_pack("{s:O, s:o, s:o}", "merges", merges, "newer",
                               page > 1 ? json_integer(page - 1) : json_null(), "older",
                               more ? json_integer(page + 1) : json_null()));
}

enum result admin_merges_undo(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    json_t *outcome;
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    enum result undone = merge_undo(&outcome, request->db, &actor, id);
    if (undone == CONFLICT || undone == INVALID) {
        flow_done(response, "/admin/merges", "merge_not_undone");
        return OK;
    }
    TRY(undone);
    flow_done(response, "/admin/merges",
              truth_at(outcome, "whole") ? "merge_undone" : "merge_undone_partly");
    return OK;
}
