/* Answers as a file: who and which columns are chosen on a page, the rows are read a
 * piece at a time from one moment of the database and written as they come. */
#include "server/site/export.h"

#include "db/store/export.h"
#include "db/transaction.h"
#include "server/site/collections.h"
#include "server/site/flow.h"

#include <string.h>

enum { PIECE = 200 };

static json_t *column_list(const struct export_column *columns, size_t count,
                           const char *group)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        if (strcmp(columns[i].group, group) == 0)
            json_array_append_new(
                list,
                json_pack("{s:s,s:s,s:s,s:b}", "value",
                          arena_print(arena_current(), "%s.%s", group, columns[i].key),
                          "key", columns[i].key, "label", columns[i].label, "checked",
                          (int)columns[i].chosen));
    return list;
}

/* What was chosen before, when the page is drawn again. */
static const char *chosen(const struct request *request, const char *name,
                          const char *usual)
{
    const char *value = field(request, name);
    return value != NULL ? value : usual;
}

static json_t *radio(const char *const *values, const char *chosen_value)
{
    json_t *list = json_array();
    for (; *values != NULL; values++)
        json_array_append_new(list, json_pack("{s:s,s:b}", "value", *values, "checked",
                                              (int)(strcmp(*values, chosen_value) == 0)));
    return list;
}

enum result export_draw(struct request *request, struct response *response,
                        const struct board_filter *filter, const char *error)
{
    static const char *const formats[] = {"xlsx", "csv", "csv-plain", "json", NULL};
    static const char *const styles[] = {"words", "values", NULL};
    static const char *const whichs[] = {"sent", "approved", NULL};
    struct export_column *columns;
    struct board_filter one = *filter;
    json_t *collection, *people;
    size_t count;
    one.offset = 0;
    one.limit = 1;
    TRY(collection_of(&collection, request));
    TRY(board_list(&people, request->db, &one));
    TRY(export_columns(&columns, &count, request, filter->collection));
    if (error != NULL && strcmp(error, "columns") == 0)
        export_choose(columns, count, request);
    const char *base = collection_path(request, collection, "");
    json_t *groups = json_array();
    static const char *const names[] = {"person", "state", "answer", NULL};
    for (const char *const *name = names; *name != NULL; name++)
        json_array_append_new(groups, json_pack("{s:s,s:o}", "group", *name, "columns",
                                                column_list(columns, count, *name)));
    json_t *document = json_pack(
        "{s:s,s:o,s:o,s:I,s:o,s:o,s:o,s:s?,s:o}", "base", base, "groups", groups,
        "filter", board_filter_document(filter), "people",
        (json_int_t)integer_at(json_array_get(people, 0), "total"), "formats",
        radio(formats, chosen(request, "format", "xlsx")), "styles",
        radio(styles, chosen(request, "style", "words")), "whichs",
        radio(whichs, chosen(request, "which", "sent")), "error", error, "ids",
        filter->ids != NULL ? flow_number_list(filter->ids, NULL) : json_null());
    json_object_set_new(
        document, "back",
        json_string(arena_print(request->arena, "%s%s", base,
                                board_filter_query(request->arena, filter, NULL, NULL))));
    return collection_page(request, response, "collections/export.html", document,
                           collection);
}

enum result export_show(struct request *request, struct response *response)
{
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    struct board_filter filter = board_filter_of(request->query, id);
    return export_draw(request, response, &filter, NULL);
}

struct writing {
    struct board_filter filter;
    const struct export_column *columns;
    size_t count, people;
    struct export_style style;
    bool approved;
    struct sheet *sheet;
};

static enum result write_person(const struct writing *w, json_t *person, json_t *answer)
{
    json_t *cells = json_array(), *object = json_object(), *group;
    json_t *document = json_object_get(answer, "document");
    for (size_t i = 0; i < w->count; i++) {
        const struct export_column *column = &w->columns[i];
        if (!column->chosen)
            continue;
        json_t *value =
            json_object_get(column->field != NULL ? document : person, column->key);
        if (value == NULL)
            value = json_null();
        json_array_append(cells, export_cell(&w->style, column, value));
        group = json_object_get(object, column->group);
        if (group == NULL) {
            group = column->field != NULL && !json_is_object(document) ? json_null()
                                                                       : json_object();
            json_object_set(object, column->group, group);
        }
        if (json_is_object(group))
            json_object_set(group, column->key, value);
    }
    return sheet_row(w->sheet, cells, object);
}

static enum result write_piece(size_t *read, struct writing *w, struct db *db)
{
    json_t *people, *answers, *ids = json_array(), *person;
    size_t index;
    TRY(board_list(&people, db, &w->filter));
    *read = json_array_size(people);
    json_array_foreach(people, index, person)
        json_array_append(ids, json_object_get(person, "id"));
    TRY(export_answers(&answers, db, ids, w->approved));
    json_array_foreach(people, index, person)
        TRY(write_person(w, person, json_array_get(answers, index)));
    w->people += *read;
    return OK;
}

/* Each piece has its memory for itself. */
static enum result write_all(struct db *db, void *data)
{
    struct writing *w = data;
    size_t read = PIECE;
    w->filter.limit = PIECE;
    for (w->filter.offset = 0; read == PIECE; w->filter.offset += PIECE) {
        struct arena *arena = arena_new(), *before = arena_enter(arena);
        enum result result = write_piece(&read, w, db);
        arena_enter(before);
        arena_free(arena);
        TRY(result);
    }
    return OK;
}

static json_t *headings(const struct export_column *columns, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        if (columns[i].chosen)
            json_array_append_new(list, json_string(columns[i].label));
    return list;
}

static enum result note(struct request *request, const struct writing *w,
                        enum sheet_format format)
{
    struct actor actor = actor_of(request);
    return event_add(
        request->db, &actor,
        &(struct event){.action = "collection.exported",
                        .entity = "collection",
                        .target = w->filter.collection,
                        .detail = json_pack("{s:s,s:I}", "format", sheet_ending(format),
                                            "people", (json_int_t)w->people)});
}

static enum result make_file(int *fd, struct request *request, struct writing *w,
                             enum sheet_format format, const char *title)
{
    struct sheet_words words = export_words(request, title);
    TRY(sheet_open(&w->sheet, request->arena, format, &words,
                   headings(w->columns, w->count)));
    enum result written = export_run(request->db, write_all, w);
    if (written != OK) {
        sheet_abandon(w->sheet);
        return written;
    }
    return sheet_close(fd, w->sheet);
}

enum result export_write(struct request *request, struct response *response)
{
    struct writing w = {0};
    struct export_column *columns;
    enum sheet_format format;
    json_t *collection;
    int64_t id;
    int fd;
    TRY(collection_of(&collection, request));
    id = integer_at(collection, "id");
    w.filter = board_filter_of(request->fields, id);
    if (field(request, "ids") != NULL) {
        w.filter.ids = flow_numbers(request, "ids");
        if (json_array_size(w.filter.ids) == 0)
            return INVALID;
    }
    TRY(export_columns(&columns, &w.count, request, id));
    w.columns = columns;
    const char *error = export_choose(columns, w.count, request) == 0 ? "columns" : NULL;
    if (sheet_format_of(&format, field(request, "format")) != OK)
        error = "format";
    if (error != NULL) {
        response->status = 422;
        return export_draw(request, response, &w.filter, error);
    }
    w.style = (struct export_style){
        request->language, strcmp(chosen(request, "style", "words"), "values") == 0};
    w.approved = strcmp(chosen(request, "which", "sent"), "approved") == 0;
    const char *title =
        text_at(collection, request->language == CHINESE ? "title_zh" : "title_en", "");
    TRY(make_file(&fd, request, &w, format, title));
    export_send(response, fd, format,
                arena_print(request->arena, "answers-%lld", (long long)id), title);
    return note(request, &w, format);
}
