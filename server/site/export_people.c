/* Everybody as a file: as a roster that the import reads back (a row a person, with the
 * appointment that they have now or had last), or as whole documents in JSON. */
#include "server/site/export.h"

#include "db/store/event.h"
#include "db/store/export.h"
#include "server/form/forms.h"
#include "server/site/flow.h"
#include "server/site/site.h"
#include "server/view/view.h"

#include <string.h>

enum { PIECE = 200 };

static enum result draw(struct request *request, struct response *response,
                        const char *error)
{
    return flow_page(request, response, "admin/export.html",
                     json_pack("{s:s?}", "error", error));
}

enum result export_people_show(struct request *request, struct response *response)
{
    return draw(request, response, NULL);
}

struct roster {
    const struct form *form;
    enum language language;
    struct sheet *sheet;
    json_int_t last, people;
};

/* The one of two languages that is filled; the page's first. */
static json_t *either(const struct roster *roster, const json_t *object, const char *en,
                      const char *zh)
{
    const char *first = roster->language == CHINESE ? zh : en,
               *second = roster->language == CHINESE ? en : zh;
    return json_object_get(object, filled_of(object, first) ? first : second);
}

/* The value of a field of the roster's form, by its name. */
static json_t *value_of(const struct roster *roster, const char *name, json_t *person,
                        json_t *appointment)
{
    json_t *document = json_object_get(person, "document");
    if (strcmp(name, "name_latin") == 0)
        return json_null(); /* its two parts have columns of their own */
    if (strcmp(name, "email") == 0)
        return json_object_get(filled_of(document, "email") ? document : person,
                               filled_of(document, "email") ? "email" : "account_email");
    if (strcmp(name, "language") == 0)
        return json_object_get(person, "account_language");
    if (strcmp(name, "title") == 0)
        return either(roster, appointment, "title_en", "title_zh");
    if (strcmp(name, "interests") == 0)
        return either(roster, document, "interests_en", "interests_zh");
    if (strcmp(name, "homepage") == 0)
        return json_object_get(json_array_get(json_object_get(document, "links"), 0),
                               "url");
    json_t *value = json_object_get(appointment, name);
    return value != NULL ? value : json_object_get(document, name);
}

static bool is_column(const struct field *field)
{
    return strcmp(field->name, "name_latin") != 0 && strcmp(field->name, "note") != 0;
}

static enum result write_row(const struct roster *roster, json_t *person,
                             json_t *appointment)
{
    json_t *cells = json_array();
    const struct export_style style = {roster->language, false};
    for (size_t i = 0; i < roster->form->field_count; i++) {
        const struct field *field = &roster->form->fields[i];
        const struct export_column column = {"roster", field->name, "", field, true};
        if (is_column(field))
            json_array_append(
                cells, export_cell(&style, &column,
                                   value_of(roster, field->name, person, appointment)));
    }
    return sheet_row(roster->sheet, cells, NULL);
}

/* The one without an end, else the one that ended last; NULL: there is none. */
static json_t *latest(json_t *appointments)
{
    json_t *best = NULL, *appointment;
    size_t index;
    json_array_foreach(appointments, index, appointment)
    {
        const char *ends = filled_of(appointment, "ends");
        if (ends == NULL)
            return appointment;
        if (best == NULL || strcmp(ends, text_at(best, "ends", "")) > 0)
            best = appointment;
    }
    return best;
}

static enum result write_person(const struct roster *roster, json_t *person, bool json)
{
    json_t *document = json_object_get(person, "document");
    if (json) {
        json_t *object = json_copy(document);
        json_object_set(object, "account_email",
                        json_object_get(person, "account_email"));
        return sheet_row(roster->sheet, NULL, object);
    }
    return write_row(roster, person, latest(json_object_get(document, "appointments")));
}

static enum result write_piece(size_t *read, struct roster *roster, struct db *db)
{
    json_t *people, *person;
    size_t index;
    TRY(export_people(&people, db, roster->last, PIECE));
    *read = json_array_size(people);
    json_array_foreach(people, index, person)
    {
        TRY(write_person(roster, person, roster->form == NULL));
        roster->last = integer_at(person, "id");
    }
    roster->people += (json_int_t)*read;
    return OK;
}

static enum result write_all(struct db *db, void *data)
{
    struct roster *roster = data;
    size_t read = PIECE;
    while (read == PIECE) {
        struct arena *arena = arena_new(), *before = arena_enter(arena);
        enum result result = write_piece(&read, roster, db);
        arena_enter(before);
        arena_free(arena);
        TRY(result);
    }
    return OK;
}

static json_t *headings(const struct form *form, enum language language)
{
    json_t *list = json_array();
    for (size_t i = 0; form != NULL && i < form->field_count; i++)
        if (is_column(&form->fields[i]))
            json_array_append_new(list,
                                  json_string(form->fields[i].label.text[language]));
    return list;
}

enum result export_people_write(struct request *request, struct response *response)
{
    enum sheet_format format;
    int fd;
    if (sheet_format_of(&format, field(request, "format")) != OK) {
        response->status = 422;
        return draw(request, response, "format");
    }
    const char *title = view_message(site.view, request->language, "export.people_name");
    struct sheet_words words = export_words(request, title);
    struct roster roster = {.language = request->language};
    if (format != SHEET_JSON)
        roster.form = form_named(site.forms, "roster");
    TRY(sheet_open(&roster.sheet, request->arena, format, &words,
                   headings(roster.form, request->language)));
    enum result written = export_run(request->db, write_all, &roster);
    if (written != OK) {
        sheet_abandon(roster.sheet);
        return written;
    }
    TRY(sheet_close(&fd, roster.sheet));
    export_send(response, fd, format, "people", title);
    struct actor actor = actor_of(request);
    return event_add(
        request->db, &actor,
        &(struct event){.action = "people.exported",
                        .entity = "lab",
                        .target = 1,
                        .detail = json_pack("{s:s,s:I}", "format", sheet_ending(format),
                                            "people", roster.people)});
}
