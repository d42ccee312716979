/* The task list and the sections of what a member is asked. A section is kept as it was
 * typed, whatever is still missing or wrong in it: only sending in asks for all. */
#include "server/site/answers.h"

#include "db/store/answer.h"
#include "db/store/change.h"
#include "server/form/page.h"
#include "server/form/section.h"
#include "server/site/answer_section.h"
#include "server/site/flow.h"
#include "server/site/page.h"
#include "server/site/tags.h"
#include "server/site/values.h"

#include <string.h>

enum { STEPS_MOST = 5, TRIES_MOST = 4 };

enum result answers_asked(json_t **asked, struct request *request)
{
    size_t index;
    json_t *row;
    TRY(answer_asked(asked, request->db, account_id(request)));
    json_array_foreach(*asked, index, row)
    {
        tag_add(row, "invitation");
        json_object_set_new(row, "until", answering_until(row));
    }
    *asked = answering_some(*asked);
    return OK;
}

/* Nothing typed yet, and all of it known and right: one look is enough. */
static bool still_right(const struct answering *a)
{
    return a->known && a->document == a->start && json_array_size(a->read.errors) == 0 &&
           json_is_null(json_object_get(a->state, "asked")) &&
           strcmp(text_at(a->state, "state", ""), "approved") != 0;
}

static int first_open(json_t *sections)
{
    size_t index;
    json_t *section;
    json_array_foreach(sections, index, section)
    {
        if (truth_at(section, "asked") &&
            strcmp(text_at(section, "state", ""), "done") != 0)
            return (int)integer_at(section, "number");
    }
    return 0;
}

static json_t *only_asked(json_t *sections)
{
    json_t *asked = json_array(), *section;
    size_t index;
    json_array_foreach(sections, index, section)
    {
        if (truth_at(section, "asked"))
            json_array_append(asked, section);
    }
    return asked;
}

enum result answers_show(struct request *request, struct response *response)
{
    struct answering a;
    bool answered;
    TRY(answering_begin(&a, request, response, false, &answered));
    if (answered)
        return OK;
    TRY(answer_opened(request->db, integer_at(a.state, "id")));
    TRY(answering_find_start(&a, request));
    if (still_right(&a) && query_argument(request, "all") == NULL) {
        response_redirect(response, answering_path(&a, "/check"));
        response_header(response, "Cache-Control", "private, no-store");
        return OK;
    }
    json_t *words, *document = json_object();
    TRY(answer_words(&words, request->db, integer_at(a.state, "collection_id")));
    localize(words, request->language);
    answering_add(document, &a, request);
    json_t *all = answering_sections(&a, request->language), *asked = only_asked(all);
    bool fewer = json_array_size(asked) > 0 &&
                 json_array_size(asked) < json_array_size(all) &&
                 query_argument(request, "all") == NULL;
    int next = first_open(all);
    json_object_set_new(document, "words_html",
                        page_markdown(request, json_object_get(words, "words")));
    json_object_set(document, "sections", fewer ? asked : all);
    json_object_set_new(document, "fewer", json_boolean(fewer));
    json_object_set_new(document, "next", next > 0 ? json_integer(next) : json_null());
    json_object_set_new(document, "begun",
                        json_boolean(json_is_object(json_object_get(a.state, "draft"))));
    json_object_set_new(document, "waiting", json_boolean(answering_waiting(&a)));
    json_object_set_new(document, "returned", json_boolean(answering_in(&a, "returned")));
    json_object_set_new(
        document, "in_review",
        json_boolean(answering_in(&a, "submitted") && !answering_waiting(&a)));
    json_object_set_new(document, "approved",
                        json_boolean(integer_at(a.state, "version") > 1));
    return flow_page(request, response, "answers/tasks.html", document);
}

/* A section being drawn. */
struct drawing {
    const struct answering *a;
    const struct answer_section *section;
    json_t *values, *errors;
    const char *seen; /* as posted, when the page stays the one that it was */
    json_t *conflict; /* rows, or NULL */
};

/* The notes of the section: what the one before still lacks; what is asked anew. */
static json_t *lacking_before(const struct answering *a, const struct request *request)
{
    int64_t from;
    size_t index;
    json_t *section;
    const char *argument = query_argument(request, "from");
    if (argument == NULL || number_of(&from, argument) != OK)
        return json_null();
    json_array_foreach(answering_sections(a, request->language), index, section)
    {
        if (integer_at(section, "number") == from &&
            json_array_size(json_object_get(section, "missing")) > 0)
            return section;
    }
    return json_null();
}

/* The labels of the questions that are new to this person. */
static json_t *new_questions(const struct answering *a,
                             const struct answer_section *section, enum language language)
{
    json_t *asked = json_object_get(a->state, "asked"), *labels = json_array(), *name;
    size_t i;
    json_array_foreach(asked, i, name)
    {
        const char *text = json_string_value(name);
        const struct field *one =
            text != NULL
                ? field_named(section->form->fields, section->form->field_count, text)
                : NULL;
        if (one != NULL && one->label.text[language] != NULL)
            json_array_append_new(labels, json_pack("{s:s, s:s}", "label",
                                                    one->label.text[language], "name",
                                                    one->name));
    }
    return labels;
}

static enum result draw(const struct drawing *d, struct request *request,
                        struct response *response)
{
    const struct answering *a = d->a;
    const struct answer_section *section = d->section;
    json_t *document = json_object();
    json_t *form =
        form_page(section->form, d->values, d->errors, FOR_MEMBER, request->language);
    /* The section's title is the page's. */
    json_object_set_new(json_array_get(json_object_get(form, "sections"), 0), "title",
                        json_null());
    json_t *seen = d->seen != NULL ? json_string(d->seen)
                                   : answer_section_seen(section, a->document);
    answering_add(document, a, request);
    json_object_set(document, "form", form);
    json_object_set_new(document, "seen", seen != NULL ? seen : json_string(""));
    json_object_set_new(document, "number", json_integer((int)section->index + 1));
    json_object_set_new(document, "count",
                        json_integer((json_int_t)a->form->section_count));
    const char *heading = a->form->sections[section->index].title.text[request->language];
    json_object_set_new(document, "heading", json_string(heading != NULL ? heading : ""));
    json_object_set_new(document, "new_questions",
                        answering_some(new_questions(a, section, request->language)));
    json_object_set_new(document, "remarks",
                        answering_remarks(a, (int)section->index, request));
    json_object_set_new(document, "redrawn", json_boolean(d->seen != NULL));
    json_object_set_new(document, "lacking", lacking_before(a, request));
    json_object_set_new(document, "conflict",
                        d->conflict != NULL ? json_pack("{s:o}", "rows", d->conflict)
                                            : json_null());
    TRY(answers_add_feedback(document, a, (int)section->index, request));
    return flow_page(request, response, "answers/section.html", document);
}

/* The section has its own heading on the page. */
enum result answers_section_show(struct request *request, struct response *response)
{
    struct answering a;
    struct answer_section section;
    bool answered;
    TRY(answering_begin(&a, request, response, false, &answered));
    if (answered)
        return OK;
    if (answering_waiting(&a)) {
        response_redirect(response, a.base);
        return OK;
    }
    TRY(answer_section_find(&section, &a, param(request, "number")));
    TRY(answer_opened(request->db, integer_at(a.state, "id")));
    TRY(answer_step_add(request->db, a.state, (int)section.index, "seen", NULL, NULL));
    struct drawing d = {.a = &a, .section = &section, .values = a.document};
    return draw(&d, request, response);
}

/* What is drawn after a refusal: the document, and what could not be kept as typed. */
static json_t *values_of(const struct answer_section *section)
{
    json_t *values = json_copy(section->document), *error;
    size_t index;
    json_array_foreach(section->read.errors, index, error)
    {
        const char *path = text_at(error, "field", "");
        const char *name = arena_copy(arena_current(), path, strcspn(path, "."));
        json_t *typed = json_object_get(section->typed, name);
        if (typed != NULL && strcmp(name, "visibility") != 0)
            json_object_set(values, name, typed);
    }
    return values;
}

static enum result draw_conflict(const struct answering *a,
                                 const struct answer_section *section,
                                 struct request *request, struct response *response)
{
    json_t *theirs = json_object(), *mine = json_object(), *name;
    size_t index;
    json_array_foreach(section->conflicts, index, name)
    {
        const char *path = json_string_value(name);
        const char *key = arena_copy(arena_current(), path, strcspn(path, "."));
        json_object_set(theirs, key, json_object_get(a->document, key));
        json_object_set(mine, key, json_object_get(section->document, key));
    }
    response->status = 409;
    struct drawing d = {.a = a,
                        .section = section,
                        .values = values_of(section),
                        .conflict = difference_rows(request, section->form,
                                                    change_differences(theirs, mine))};
    return draw(&d, request, response);
}

/* Of a section that was refused, the errors that saving does not mind. */
static bool only_lacks(json_t *errors)
{
    size_t index;
    json_t *error;
    json_array_foreach(errors, index, error)
    {
        if (strcmp(text_at(error, "code", ""), "required") != 0)
            return false;
    }
    return true;
}

static enum result note_refusals(struct request *request, const struct answering *a,
                                 const struct answer_section *section)
{
    size_t index;
    json_t *error;
    json_array_foreach(section->read.errors, index, error)
    {
        if (index < STEPS_MOST && strcmp(text_at(error, "code", ""), "required") != 0)
            TRY(answer_step_add(request->db, a->state, (int)section->index, "refused",
                                text_at(error, "field", ""), text_at(error, "code", "")));
    }
    return OK;
}

/* Keeps the section in the draft. */
static enum result keep(json_t **outcome, struct request *request, struct answering *a,
                        const struct answer_section *section, bool gone_through)
{
    struct actor actor = actor_of(request);
    json_t *before = a->document;
    a->document = section->document;
    enum result read = form_read_draft(&a->read, a->form, a->document, FOR_MEMBER);
    if (read != OK && read != INVALID)
        return read;
    struct answer_saving saving = {.state = a->state,
                                   .document = section->document,
                                   .person_version = integer_at(a->state, "person_now"),
                                   .change_version =
                                       integer_at(a->state, "change_version"),
                                   .complete = answering_complete(a, (int)section->index),
                                   .draft = true};
    a->document = before;
    TRY(answer_save(outcome, request->db, &actor, &saving));
    return gone_through ? answer_step_add(request->db, a->state, (int)section->index,
                                          "saved", NULL, NULL)
                        : OK;
}

/* Where to go from a section that was kept. */
static void go_on(struct response *response, const struct answering *a,
                  const struct answer_section *section, bool later)
{
    int next = answering_next(a, (int)section->index);
    bool lacks = json_array_size(section->read.errors) > 0;
    if (later) {
        flow_done(response, a->base, "answer_kept");
        return;
    }
    const char *path = next >= 0 ? answering_path(a, "/sections/%d", next + 1)
                                 : answering_path(a, "/check");
    if (lacks && next >= 0)
        path = arena_print(response->arena, "%s?from=%zu", path, section->index + 1);
    response_redirect(response, path);
    response_header(response, "Cache-Control", "private, no-store");
}

static enum result redraw(const struct answering *a, struct answer_section *section,
                          struct request *request, struct response *response)
{
    struct drawing d = {.a = a,
                        .section = section,
                        .values = json_copy(a->document),
                        .seen = section->seen};
    for (size_t i = 0; i < section->form->field_count; i++) {
        json_t *typed = json_object_get(section->typed, section->form->fields[i].name);
        json_object_set(d.values, section->form->fields[i].name,
                        typed != NULL ? typed : json_null());
    }
    return draw(&d, request, response);
}

/* The page again with what was typed, and nothing else done: a row more or less, or what
 * was held while somebody signed in. */
static bool wants_redraw(const struct answer_section *section, struct request *request)
{
    const char *action = field(request, "action");
    return action != NULL &&
           (strcmp(action, "redraw") == 0 ||
            form_apply_action(section->form, request->fields, action, FOR_MEMBER));
}

static enum result draw_refused(struct answering *a, const struct answer_section *section,
                                struct request *request, struct response *response)
{
    TRY(note_refusals(request, a, section));
    TRY(answering_load(a, request));
    response->status = 422;
    struct drawing d = {.a = a,
                        .section = section,
                        .values = values_of(section),
                        .errors = section->read.errors};
    return draw(&d, request, response);
}

enum result answers_section_save(struct request *request, struct response *response)
{
    struct answering a;
    struct answer_section section;
    const char *action = field(request, "action");
    bool later = action != NULL && strcmp(action, "later") == 0, fine = true;
    enum result kept = CONFLICT;
    /* Another window may save just now: then once more, over what it saved. */
    for (int tries = 0; tries < TRIES_MOST && kept == CONFLICT; tries++) {
        bool answered;
        json_t *outcome;
        TRY(answering_begin(&a, request, response, true, &answered));
        if (answered)
            return OK;
        TRY(answer_section_find(&section, &a, param(request, "number")));
        bool redrawn = wants_redraw(&section, request);
        TRY(answer_section_read(&section, &a, request));
        if (redrawn)
            return redraw(&a, &section, request, response);
        if (json_array_size(section.conflicts) > 0)
            return draw_conflict(&a, &section, request, response);
        fine = only_lacks(section.read.errors);
        kept = keep(&outcome, request, &a, &section, fine || later);
    }
    TRY(kept);
    if (!fine && !later)
        return draw_refused(&a, &section, request, response);
    go_on(response, &a, &section, later);
    return OK;
}
