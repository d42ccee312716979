/* A roster or a bibliography into the lab: first a trial run that says what would happen
 * to every entry, then, from the same text, the import. */
#include "server/site/admin.h"

#include "db/store/collection.h"
#include "server/base/buf.h"
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

/* What is to be imported, and how. */
struct order {
    const char *kind, *text;
    json_t *columns;      /* of a roster, chosen by hand; or NULL */
    const char *encoding; /* of what came; NULL: it came before, and was made UTF-8 */
    int64_t heading_line;
};

/* INVALID with a report: the file as a whole can't be read. */
static enum result run(json_t **report, struct request *request,
                       const struct order *order, bool dry_run)
{
    struct actor actor = actor_of(request);
    struct import import = {.db = request->db,
                            .actor = &actor,
                            .forms = site.forms,
                            .dry_run = dry_run,
                            .rows = true,
                            .columns = order->columns,
                            .heading_line = (size_t)order->heading_line};
    *report = NULL;
    return strcmp(order->kind, "people") == 0
               ? import_people(report, &import, order->text, strlen(order->text))
               : import_publications(report, &import, order->text, strlen(order->text));
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

/* The fields that a column may fill. */
static json_t *field_options(const struct form *form, const char *chosen,
                             enum language language)
{
    json_t *options = json_array();
    for (size_t i = 0; i < form->field_count; i++) {
        const struct field *field = &form->fields[i];
        json_array_append_new(
            options, json_pack("{s:s,s:s?,s:b}", "value", field->name, "label",
                               field->label.text[language], "selected",
                               chosen != NULL && strcmp(chosen, field->name) == 0));
    }
    return options;
}

/* "姓名=name_han,2=": what the columns were taken for, to see whether somebody has
 * changed it since. */
static const char *columns_text(json_t *columns, int64_t line)
{
    struct buf out = buf_on(arena_current());
    json_t *column;
    size_t index;
    buf_print(&out, "%lld", (long long)line);
    json_array_foreach(columns, index, column)
    {
        const char *field = json_is_string(column) ? json_string_value(column)
                                                   : text_at(column, "field", "");
        buf_print(&out, ",%s", field);
    }
    return out.data;
}

static json_t *shown_table(json_t *report, const struct form *form,
                           enum language language)
{
    json_t *table = json_object_get(report, "table"), *column;
    json_t *columns = json_object_get(table, "columns");
    size_t index;
    if (table == NULL)
        return json_null();
    json_array_foreach(columns, index, column)
    {
        json_object_set_new(column, "number", json_integer((json_int_t)index + 1));
        json_object_set_new(column, "options",
                            field_options(form, text_of(column, "field"), language));
    }
    json_object_set_new(table, "seen",
                        json_string(columns_text(columns, integer_at(table, "line"))));
    return table;
}

/* What became of each row: its problem's words at its side, and who it is here. */
static json_t *shown_rows(json_t *report, const struct form *form, enum language language)
{
    static const struct {
        const char *fate, *class;
    } classes[] = {
        {"created",   "good"},
        {"updated",   ""    },
        {"unchanged", "none"},
        {"duplicate", "none"},
        {"refused",   "bad" }
    };
    json_t *rows = json_object_get(report, "rows"), *row, *people = json_array();
    size_t index;
    json_array_foreach(rows, index, row)
    {
        json_t *problem = json_object_get(row, "problem");
        if (json_is_object(problem))
            label_rows(json_pack("[O]", problem), form, language);
        for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
            if (strcmp(text_at(row, "fate", ""), classes[i].fate) == 0)
                json_object_set_new(row, "class", json_string(classes[i].class));
        if (integer_at(row, "person_id") != 0)
            json_array_append(people, row);
    }
    return people;
}

/* Where those of the list can be asked. */
static enum result add_collections(json_t *document, struct request *request,
                                   json_t *people)
{
    json_t *all, *collection, *fit = json_array();
    size_t index;
    TRY(collection_list(&all, request->db));
    json_array_foreach(all, index, collection)
    {
        const char *state = text_at(collection, "state", "");
        if (strcmp(state, "draft") == 0 || strcmp(state, "open") == 0)
            json_array_append(fit, collection);
    }
    json_object_set_new(document, "people", flow_number_list(people, "person_id"));
    json_object_set_new(document, "people_count",
                        json_integer((json_int_t)json_array_size(people)));
    json_object_set(document, "collections", fit);
    return OK;
}

static enum result draw_report(struct request *request, struct response *response,
                               const struct order *order, json_t *report)
{
    bool dry = json_is_true(json_object_get(report, "dry_run"));
    bool roster = strcmp(order->kind, "people") == 0;
    int64_t changes = integer_at(report, "created") + integer_at(report, "updated");
    json_t *columns = json_object_get(report, "columns");
    json_t *unknown = json_object_get(columns, "unknown");
    json_t *document = json_object(), *people = json_array();
    const struct form *form = form_named(site.forms, roster ? "roster" : "publication");
    label_rows(json_object_get(report, "problems"), form, request->language);
    label_rows(json_object_get(report, "remarks"), form, request->language);
    if (roster)
        people = shown_rows(report, form, request->language);
    json_object_set_new(report, "encoding", json_pack("s?", order->encoding));
    json_object_set(document, "report", report);
    json_t *rows = json_object_get(report, "rows");
    json_object_set_new(document, "rows",
                        json_array_size(rows) > 0 ? json_pack("{s:O}", "list", rows)
                                                  : json_null());
    json_object_set(document, "table",
                    roster && dry ? shown_table(report, form, request->language)
                                  : json_null());
    json_object_set(document, "unknown", unknown ? unknown : json_array());
    json_object_set_new(document, "kind", json_string(order->kind));
    json_object_set_new(document, "text", dry ? json_string(order->text) : json_null());
    json_object_set_new(document, "dry", json_boolean(dry));
    json_object_set_new(document, "may_apply", json_boolean(dry && changes > 0));
    TRY(add_collections(document, request, dry ? json_array() : people));
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
    struct order order = {.kind = text_at(form.document, "kind", "people"),
                          .text = text,
                          .encoding = encoding_name(decoded.encoding)};
    enum result result = run(&report, request, &order, true);
    if (result == INVALID && json_object_get(report, "table") != NULL) {
        response->status = 422; /* the columns can be named by hand */
        return draw_report(request, response, &order, report);
    }
    if (result == INVALID)
        return refuse(request, response, &form, "import_headings");
    TRY(result);
    return draw_report(request, response, &order, report);
}

/* With columns named by hand it is tried out again before anything is written: what is
 * imported is what was looked at. */
enum result admin_import_apply(struct request *request, struct response *response)
{
    const char *text = field(request, "text"), *kind = field(request, "kind");
    const char *action = field(request, "action"), *seen = field(request, "seen");
    json_t *report, *columns = json_object_get(request->fields, "column");
    if (!text || !kind)
        return INVALID;
    struct order order = {
        .kind = kind,
        .text = flow_plain_lines(request->arena, text, strlen(text)),
        .columns = json_array_size(columns) > 0 ? columns : NULL,
    };
    if (!field(request, "no_headings") &&
        number_of(&order.heading_line, field(request, "line")) != OK)
        order.heading_line = 0;
    bool changed = seen != NULL && order.columns != NULL &&
                   strcmp(seen, columns_text(columns, order.heading_line)) != 0;
    bool try_out = changed || (action != NULL && strcmp(action, "try") == 0);
    enum result result = run(&report, request, &order, try_out);
    if (result == INVALID)
        response->status = 422;
    else
        TRY(result);
    return draw_report(request, response, &order, report);
}
