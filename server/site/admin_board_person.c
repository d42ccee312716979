/* One person of a collection: what happened, what they sent in, until when. */
#include "server/site/admin_board.h"

#include "db/store/board.h"
#include "db/store/change.h"
#include "db/store/collection.h"
#include "db/store/export.h"
#include "server/site/collections.h"
#include "server/site/flow.h"
#include "server/site/form_versions.h"
#include "server/site/site.h"
#include "server/site/values.h"
#include "server/view/view.h"

#include <string.h>

/* [{label, value}] of what was sent in, empty ones left out. */
static enum result answer_rows(json_t **rows, struct request *request,
                               const json_t *invitation, json_t *document)
{
    const struct form *form;
    *rows = json_array();
    TRY(form_version_get(&form, request->db, integer_at(invitation, "form_version_id")));
    for (size_t i = 0; i < form->field_count; i++) {
        const struct field *field = &form->fields[i];
        const char *label = field->label.text[request->language];
        const char *value =
            value_text(request, field, json_object_get(document, field->name));
        if (*value == '\0')
            continue;
        if (label == NULL || *label == '\0')
            label = view_message(site.view, request->language, "form.visibility");
        json_array_append_new(*rows,
                              json_pack("{s:s,s:s}", "label", label, "value", value));
    }
    return OK;
}

static void name_history(json_t *history)
{
    size_t index;
    json_t *row;
    json_array_foreach(history, index, row)
    {
        const char *kind = text_at(row, "kind", "");
        static const char *const kinds[] = {"event", "mail", "step"};
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            json_object_set_new(row, arena_print(arena_current(), "is_%s", kinds[i]),
                                json_boolean(strcmp(kind, kinds[i]) == 0));
        json_object_set(row, "action", json_object_get(row, "what"));
    }
    flow_event_names(history);
}

/* The person's row of the board; NOT_FOUND: not of this collection. */
static enum result find(json_t **person, struct request *request,
                        const json_t *collection)
{
    int64_t id;
    json_t *people;
    TRY(number_of(&id, param(request, "invitation")));
    struct board_filter filter = {.collection = integer_at(collection, "id"),
                                  .ids = json_pack("[I]", (json_int_t)id),
                                  .limit = 1};
    TRY(board_list(&people, request->db, &filter));
    if (json_array_size(people) == 0)
        return NOT_FOUND;
    board_dress(people);
    *person = json_array_get(people, 0);
    return OK;
}

enum result admin_board_person(struct request *request, struct response *response)
{
    json_t *collection, *person, *invitation, *history, *answers, *rows;
    TRY(collection_of(&collection, request));
    TRY(find(&person, request, collection));
    int64_t id = integer_at(person, "id");
    TRY(invitation_row(&invitation, request->db, id));
    TRY(board_history(&history, request->db, id));
    TRY(export_answers(&answers, request->db, json_pack("[I]", (json_int_t)id), false));
    json_t *sent = json_array_get(answers, 0);
    TRY(answer_rows(&rows, request, invitation, json_object_get(sent, "document")));
    name_history(history);
    json_t *document =
        json_pack("{s:O,s:O,s:O,s:O,s:O,s:s,s:b}", "person", person, "history", history,
                  "answer", rows, "source", json_object_get(sent, "source"),
                  "form_number", json_object_get(invitation, "form_number"), "base",
                  collection_path(request, collection, ""), "withdrawn",
                  (int)(strcmp(text_at(person, "state", ""), "withdrawn") == 0));
    return collection_page(request, response, "collections/invitation.html", document,
                           collection);
}
