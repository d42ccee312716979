/* /admin/venues: the list of venues with their ranks, what works say that is not in it,
 * and lists pasted in from elsewhere. */
#include "db/store/venue.h"
#include "server/base/percent.h"
#include "server/base/utf8.h"
#include "server/site/admin.h"
#include "server/site/flow.h"
#include "server/text/csv.h"

#include <string.h>

enum { IMPORT_ROWS = 5000 };

static const char *const kinds[] = {"journal", "conference", "book", "other", NULL};

static const char *venue_path(struct arena *arena, const json_t *venue)
{
    return arena_print(arena, "/admin/venues/%s",
                       percent_text(arena, text_at(venue, "slug", "")));
}

enum result admin_venue_index(struct request *request, struct response *response)
{
    json_t *venues, *unknown;
    const char *text = query_argument(request, "q");
    TRY(venue_list(&venues, request->db, text));
    TRY(venue_unknown(&unknown, request->db));
    json_t *document = json_pack("{s:O,s:O,s:s,s:b,s:b}", "venues", venues, "unknown",
                                 unknown, "q", text != NULL ? text : "", "has_venues",
                                 (int)(json_array_size(venues) > 0), "has_unknown",
                                 (int)(json_array_size(unknown) > 0));
    return flow_page(request, response, "admin/venues.html", document);
}

/* One name a line. */
static json_t *lines_of(const char *text)
{
    json_t *lines = json_array();
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, "\r\n");
        if (length > 0)
            json_array_append_new(lines, json_stringn(text, length));
        text += length;
        text += strspn(text, "\r\n");
    }
    return lines;
}

static const char *text_of_lines(const json_t *lines)
{
    struct buf text = buf_on(arena_current());
    size_t i;
    json_t *line;
    json_array_foreach(lines, i, line)
        buf_print(&text, "%s%s", i > 0 ? "\n" : "", json_string_value(line));
    return text.data;
}

static enum result draw(struct request *request, struct response *response, json_t *venue,
                        const struct submission *sent)
{
    json_t *document = json_object(), *others, *other, *values = json_object();
    size_t i;
    if (venue != NULL) {
        values = json_copy(venue);
        json_object_set_new(
            values, "aliases",
            json_string(text_of_lines(json_object_get(venue, "aliases"))));
    } else if (query_argument(request, "name") != NULL) {
        json_object_set_new(values, "name", json_string(query_argument(request, "name")));
    }
    flow_add_form(document, request, "venue", values, sent);
    json_object_set_new(document, "action",
                        json_string(venue != NULL ? venue_path(request->arena, venue)
                                                  : "/admin/venues/new"));
    json_object_set(document, "venue", venue != NULL ? venue : json_null());
    TRY(venue_list(&others, request->db, NULL));
    json_t *into = json_array();
    json_array_foreach(others, i, other)
    {
        if (venue != NULL &&
            strcmp(text_at(other, "slug", ""), text_at(venue, "slug", "")) != 0)
            json_array_append(into, other);
    }
    json_object_set_new(document, "has_others", json_boolean(json_array_size(into) > 0));
    json_object_set_new(document, "others", into);
    return flow_page(request, response, "admin/venue.html", document);
}

static enum result edit(struct request *request, struct response *response, json_t *venue)
{
    struct submission form;
    struct actor actor = actor_of(request);
    json_t *outcome;
    int64_t version;
    if (request->method == GET)
        return draw(request, response, venue, NULL);
    if (flow_form(&form, request, response, "venue", FOR_ADMIN) != OK)
        return draw(request, response, venue, &form);
    json_object_set_new(form.document, "aliases",
                        lines_of(text_of(form.document, "aliases")));
    if (venue != NULL && number_of(&version, field(request, "version")) == OK)
        json_object_set_new(venue, "version", json_integer(version));
    enum result saved = venue_save(&outcome, request->db, &actor, venue, form.document);
    if (saved == INVALID && outcome != NULL) {
        flow_store_errors(&form, json_object_get(outcome, "errors"));
        response->status = 422;
        return draw(request, response, venue, &form);
    }
    TRY(saved);
    flow_done(response, "/admin/venues", "venue_saved");
    return OK;
}

enum result admin_venue_new(struct request *request, struct response *response)
{
    return edit(request, response, NULL);
}

enum result admin_venue_edit(struct request *request, struct response *response)
{
    json_t *venue;
    TRY(venue_find(&venue, request->db, param(request, "slug")));
    return edit(request, response, venue);
}

/* A text of works as a venue, with one click. */
enum result admin_venue_add(struct request *request, struct response *response)
{
    const char *name = field(request, "name"), *kind = field(request, "kind");
    struct actor actor = actor_of(request);
    json_t *outcome;
    if (name == NULL || *name == '\0' || utf8_length(name, strlen(name)) > 500)
        return INVALID;
    size_t i = 0;
    while (kinds[i] != NULL && (kind == NULL || strcmp(kinds[i], kind) != 0))
        i++;
    enum result saved = venue_save(
        &outcome, request->db, &actor, NULL,
        json_pack("{s:s,s:s}", "name", name, "kind", kinds[i] ? kinds[i] : "other"));
    if (saved == INVALID && outcome != NULL) {
        flow_done(response, "/admin/venues", "venue_there");
        return OK;
    }
    TRY(saved);
    flow_done(response, "/admin/venues", "venue_saved");
    return OK;
}

enum result admin_venue_merge(struct request *request, struct response *response)
{
    json_t *venue, *into;
    struct actor actor = actor_of(request);
    const char *slug = field(request, "into");
    TRY(venue_find(&venue, request->db, param(request, "slug")));
    enum result found = slug != NULL ? venue_find(&into, request->db, slug) : NOT_FOUND;
    if (found == NOT_FOUND) { /* nothing was chosen, or it is gone */
        flow_done(response, venue_path(request->arena, venue), "nothing_chosen");
        return OK;
    }
    TRY(found);
    TRY(venue_merge(request->db, &actor, into, venue));
    flow_done(response, venue_path(request->arena, into), "venue_merged");
    return OK;
}

enum result admin_venue_delete(struct request *request, struct response *response)
{
    json_t *venue;
    struct actor actor = actor_of(request);
    TRY(venue_find(&venue, request->db, param(request, "slug")));
    TRY(venue_delete(request->db, &actor, venue));
    flow_done(response, "/admin/venues", "venue_deleted");
    return OK;
}

/* Which column is which, by its heading; without one: name, short name, kind, rank,
 * other names. */
struct order {
    size_t name, short_name, kind, rank, aliases;
};

enum { NOWHERE = 64 };

static bool heading_of(struct order *order, const struct csv_row *row)
{
    static const struct {
        const char *word;
        size_t place;
    } words[] = {
        {"name",         0},
        {"venue",        0},
        {"title",        0},
        {"名称",       0},
        {"全称",       0},
        {"short name",   1},
        {"short_name",   1},
        {"acronym",      1},
        {"abbreviation", 1},
        {"简称",       1},
        {"缩写",       1},
        {"kind",         2},
        {"type",         2},
        {"类型",       2},
        {"类别",       2},
        {"rank",         3},
        {"class",        3},
        {"级别",       3},
        {"等级",       3},
        {"aliases",      4},
        {"other names",  4},
        {"别名",       4}
    };
    size_t found[5] = {NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE};
    for (size_t c = 0; c < row->count && c < NOWHERE; c++) {
        const char *cell =
            utf8_fold(arena_current(), row->cells[c].bytes, row->cells[c].length);
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (strcmp(cell, words[w].word) == 0 && found[words[w].place] == NOWHERE)
                found[words[w].place] = c;
    }
    if (found[0] == NOWHERE)
        return false;
    *order = (struct order){found[0], found[1], found[2], found[3], found[4]};
    return true;
}

static json_t *cell_at(const struct csv_row *row, size_t place)
{
    if (place >= row->count)
        return json_null();
    struct slice cell = row->cells[place];
    const char *text = utf8_nfc(arena_current(), cell.bytes, cell.length);
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1]) != NULL)
        length--;
    return length > 0 && utf8_length(text, length) <= 500 ? json_stringn(text, length)
                                                          : json_null();
}

static const char *kind_named(const char *text)
{
    static const char *const words[][2] = {
        {"journal",    "journal"   },
        {"期刊",     "journal"   },
        {"conference", "conference"},
        {"会议",     "conference"},
        {"workshop",   "conference"},
        {"book",       "book"      },
        {"图书",     "book"      }
    };
    const char *folded = utf8_fold(arena_current(), text, strlen(text));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(folded, words[i][0]) == 0)
            return words[i][1];
    return NULL;
}

static json_t *venue_of(const struct csv_row *row, const struct order *order)
{
    json_t *kind = cell_at(row, order->kind), *aliases = cell_at(row, order->aliases);
    const char *named = json_is_string(kind) ? kind_named(json_string_value(kind)) : NULL;
    json_t *list = json_array();
    const char *at = json_is_string(aliases) ? json_string_value(aliases) : "";
    while (*(at += strspn(at, "; ")) != '\0') {
        size_t length = strcspn(at, ";");
        json_array_append_new(list, json_stringn(at, length));
        at += length;
    }
    return json_pack("{s:o,s:o,s:s?,s:o,s:o}", "name", cell_at(row, order->name),
                     "short_name", cell_at(row, order->short_name), "kind", named, "rank",
                     cell_at(row, order->rank), "aliases", list);
}

/* The rows of a pasted table; `lines` says where each stood. INVALID: too long. */
static enum result read_rows(json_t *rows, json_t *lines, const char *text)
{
    struct csv *csv;
    struct csv_row row;
    struct order order = {0, 1, 2, 3, 4};
    TRY(csv_open(&csv, arena_current(), slice_of(text), &csv_import_limits));
    for (bool first = true;;) {
        enum result next = csv_next(&row, csv);
        if (next != OK)
            return next == NOT_FOUND ? OK : next;
        if (row.blank)
            continue;
        if (first && heading_of(&order, &row)) {
            first = false;
            continue;
        }
        first = false;
        if (json_array_size(rows) == IMPORT_ROWS)
            return INVALID;
        json_array_append_new(rows, row.problem >= CSV_CELL_TOO_LONG
                                        ? json_object()
                                        : venue_of(&row, &order));
        json_array_append_new(lines, json_integer((json_int_t)row.line));
    }
}

static enum result draw_import(struct request *request, struct response *response,
                               const char *text, json_t *report, const char *problem)
{
    json_t *document =
        json_pack("{s:s,s:o?,s:s?}", "text", text, "report", report, "problem", problem);
    return flow_page(request, response, "admin/venue_import.html", document);
}

/* What was refused stays in the field, to be mended. */
enum result admin_venue_import(struct request *request, struct response *response)
{
    const char *text = field(request, "table");
    struct actor actor = actor_of(request);
    json_t *rows = json_array(), *lines = json_array(), *report, *index;
    size_t i;
    if (request->method == GET || text == NULL)
        return draw_import(request, response, "", NULL, NULL);
    enum result read = read_rows(rows, lines, text);
    if (read == INVALID || json_array_size(rows) == 0) {
        response->status = 422;
        return draw_import(request, response, text, NULL,
                           read == INVALID ? "long" : "empty");
    }
    TRY(read);
    TRY(venue_import(&report, request->db, &actor, rows));
    json_t *refused = json_array();
    json_array_foreach(json_object_get(report, "refused"), i, index)
    {
        size_t at = (size_t)json_integer_value(index);
        json_t *row = json_array_get(rows, at);
        json_array_append_new(refused,
                              json_pack("{s:O,s:s}", "line", json_array_get(lines, at),
                                        "name", text_at(row, "name", "")));
    }
    bool any = json_array_size(refused) > 0;
    json_object_set_new(report, "has_refused", json_boolean(any));
    json_object_set_new(report, "refused", refused);
    return draw_import(request, response, any ? text : "", report, NULL);
}
