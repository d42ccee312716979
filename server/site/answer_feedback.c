/* What people of the pilot say of the form itself, a section at a time and at the end.
 * Never in the way of their answer. */
#include "server/site/answers.h"

#include "db/store/answer.h"
#include "server/site/answering.h"
#include "server/site/flow.h"

#include <string.h>

static json_t *questions_of(const struct answering *a, int section,
                            const struct request *request, const char *chosen)
{
    json_t *list = json_array();
    if (section < 0)
        return list;
    const struct section *part = &a->form->sections[section];
    for (size_t i = part->first; i < part->first + part->count; i++) {
        const struct field *one = &a->form->fields[i];
        if (!one->hidden && !one->admin)
            json_array_append_new(list,
                                  json_pack("{s:s, s:s?, s:b}", "name", one->name,
                                            "label", one->label.text[request->language],
                                            "chosen", strcmp(one->name, chosen) == 0));
    }
    return list;
}

static json_t *draw_feedback(const struct answering *a, int section, const json_t *said,
                             const struct request *request, const char *error)
{
    return json_pack(
        "{s:i, s:s, s:b, s:o, s:b, s:b, s:s?}", "section", section + 1, "comment",
        text_at(said, "comment", ""), "unclear", truth_at(said, "unclear"), "questions",
        answering_some(questions_of(a, section, request, text_at(said, "field", ""))),
        "said", said != NULL, "whole", section < 0, "error", error);
}

enum result answers_add_feedback(json_t *document, const struct answering *a, int section,
                                 struct request *request)
{
    json_t *rows, *row, *said = NULL;
    size_t index;
    json_object_set_new(document, "feedback", json_null());
    if (!truth_at(a->state, "pilot"))
        return OK;
    TRY(answer_feedback_rows(&rows, request->db, a->state));
    json_array_foreach(rows, index, row)
    {
        if (integer_at(row, "section") == section)
            said = row;
    }
    json_object_set_new(document, "feedback",
                        draw_feedback(a, section, said, request, NULL));
    return OK;
}

static enum result draw_again(const struct answering *a, int section,
                              const struct submission *form, struct request *request,
                              struct response *response)
{
    json_t *document = json_object();
    const char *code = text_at(json_array_get(form->errors, 0), "code", "refused");
    answering_add(document, a, request);
    json_object_set_new(document, "feedback",
                        draw_feedback(a, section, form->typed, request, code));
    response->status = 422;
    return flow_page(request, response, "answers/feedback.html", document);
}

enum result answers_feedback(struct request *request, struct response *response)
{
    struct answering a;
    struct submission form;
    int64_t number;
    TRY(answering_load(&a, request));
    if (!truth_at(a.state, "pilot") ||
        strcmp(text_at(a.state, "state", ""), "withdrawn") == 0)
        return NOT_FOUND;
    enum result read = flow_form(&form, request, response, "feedback", FOR_MEMBER);
    const char *part = text_at(form.typed, "part", "");
    if (number_of(&number, part) != OK || (size_t)number > a.form->section_count)
        number = 0;
    if (read == INVALID)
        return draw_again(&a, (int)number - 1, &form, request, response);
    TRY(read);
    const char *about = text_at(form.document, "question", "");
    const struct field *one = field_named(a.form->fields, a.form->field_count, about);
    struct answer_feedback feedback = {.section = (int)number - 1,
                                       .field = one != NULL ? one->name : NULL,
                                       .unclear = truth_at(form.document, "unclear"),
                                       .comment =
                                           text_at(form.document, "comment", NULL)};
    TRY(answer_feedback_save(request->db, a.state, &feedback));
    flow_done(response,
              number > 0 ? answering_path(&a, "/sections/%d", (int)number)
                         : answering_path(&a, "/receipt"),
              "answer_feedback");
    return OK;
}
