/* A roster or a bibliography into the lab: first a trial run that says what would happen
 * to every entry, then, from the same text, the import. */
#include "server/site/admin.h"

#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/form/submission.h"
#include "server/site/flow.h"
#include "server/site/import.h"
#include "server/site/site.h"
#include "server/text/encoding.h"

#include <string.h>

static enum result draw(struct request *request, struct response *response,
                        const struct submission *form)
{
    json_t *document = json_object();
    flow_add_form(document, request, "import", NULL, form);
    return flow_page(request, response, "admin/import.html", document);
}

enum result admin_import_show(struct request *request, struct response *response)
{
    return draw(request, response, NULL);
}

/* INVALID with a report: the file as a whole can't be read. */
static enum result run(json_t **report, struct request *request, const char *kind,
                       const char *text, bool dry_run)
{
    struct actor actor = actor_of(request);
    struct import import = {request->db, &actor, site.forms, dry_run};
    *report = NULL;
    return strcmp(kind, "people") == 0
               ? import_people(report, &import, text, strlen(text))
               : import_publications(report, &import, text, strlen(text));
}

/* Gives the rows of a form or about a field what the message needs: label, others, ... */
static void label_rows(json_t *rows, const struct form *form, enum language language)
{
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        if (!json_is_true(json_object_get(row, "by_form")) &&
            json_is_null(json_object_get(row, "field")))
            continue;
        json_t *errors = form_error_list(form, json_pack("[O]", row), language);
        json_object_update(row, json_array_get(errors, 0));
    }
}

static enum result draw_report(struct request *request, struct response *response,
                               const char *kind, const char *text, json_t *report)
{
    bool dry = json_is_true(json_object_get(report, "dry_run"));
    int64_t changes = integer_at(report, "created") + integer_at(report, "updated");
    json_t *columns = json_object_get(report, "columns");
    json_t *unknown = json_object_get(columns, "unknown");
    json_t *document = json_object();
    const struct form *form =
        form_named(site.forms, strcmp(kind, "people") == 0 ? "roster" : "publication");
    label_rows(json_object_get(report, "problems"), form, request->language);
    label_rows(json_object_get(report, "remarks"), form, request->language);
    json_object_set(document, "report", report);
    json_object_set(document, "unknown", unknown ? unknown : json_array());
    json_object_set_new(document, "kind", json_string(kind));
    json_object_set_new(document, "text", dry ? json_string(text) : json_null());
    json_object_set_new(document, "dry", json_boolean(dry));
    json_object_set_new(document, "may_apply", json_boolean(dry && changes > 0));
    return flow_page(request, response, "admin/import_report.html", document);
}

static enum result refuse(struct request *request, struct response *response,
                          struct submission *form, const char *code)
{
    form_error(form, NULL, code);
    response->status = 422;
    return draw(request, response, form);
}

enum result admin_import_try_out(struct request *request, struct response *response)
{
    struct submission form;
    struct decoded decoded;
    json_t *report;
    if (flow_form(&form, request, response, "import", FOR_ADMIN) != OK)
        return draw(request, response, &form);
    const struct upload *file = request_upload(request, "file");
    bool uploaded = file && file->length > 0;
    const char *pasted = text_at(form.document, "text", "");
    if (encoding_decode(&decoded, request->arena, uploaded ? file->data : pasted,
                        uploaded ? file->length : strlen(pasted)) != OK ||
        memchr(decoded.text.bytes, '\0', decoded.text.length))
        return refuse(request, response, &form, "import_unreadable");
    if (decoded.text.length > FLOW_CARRIED_BYTES)
        return refuse(request, response, &form, "import_long");
    const char *text =
        flow_plain_lines(request->arena, decoded.text.bytes, decoded.text.length);
    const char *kind = text_at(form.document, "kind", "people");
    enum result result = run(&report, request, kind, text, true);
    if (result == INVALID)
        return refuse(request, response, &form, "import_headings");
    TRY(result);
    return draw_report(request, response, kind, text, report);
}

enum result admin_import_apply(struct request *request, struct response *response)
{
    const char *text = field(request, "text"), *kind = field(request, "kind");
    json_t *report;
    if (!text || !kind)
        return INVALID;
    text = flow_plain_lines(request->arena, text, strlen(text));
    TRY(run(&report, request, kind, text, false));
    return draw_report(request, response, kind, text, report);
}
