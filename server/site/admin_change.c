/* Reviewing one change against what is published: approving it, also with edits of the
 * reviewer's or merged with what was published meanwhile, and returning it with comments.
 * A decision carries the version of the change that the reviewer saw. */
#include "server/site/admin.h"

#include "db/store/change.h"
#include "db/store/claim.h"
#include "server/base/utf8.h"
#include "server/form/page.h"
#include "server/form/submission.h"
#include "server/site/deciding.h"
#include "server/site/editing.h"
#include "server/site/flow.h"
#include "server/site/form_versions.h"
#include "server/site/photos.h"
#include "server/site/values.h"

#include <string.h>

static bool waiting(const json_t *change)
{
    return strcmp(text_at(change, "state", ""), "submitted") == 0;
}

static bool has_history(const json_t *change)
{
    return integer_at(change, "target_id") != 0 &&
           integer_at(json_object_get(change, "current"), "version") != 0;
}

/* The version to go back to, while nothing else has been written since; else null. */
static json_t *undo_of(const json_t *change)
{
    int64_t base = integer_at(change, "base_version");
    bool last = base > 0 && strcmp(text_at(change, "state", ""), "approved") == 0 &&
                integer_at(json_object_get(change, "current"), "version") == base + 1;
    return last ? json_integer(base) : json_null();
}

/* `typed` are the comments to draw again, or NULL: those of the change. */
static void add_comments(json_t *rows, json_t *comments)
{
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        json_t *comment = json_object_get(comments, text_at(row, "field", ""));
        json_object_set(row, "remark", comment ? comment : json_null());
    }
}

struct drawn {
    struct submission *comment; /* as typed, or NULL */
    json_t *comments;           /* on fields, as typed, or NULL */
    bool moved;                 /* the decision was for an older version than this */
};

/* Who has it in review, for the claim's form. */
static void add_reviewer(json_t *document, const struct request *request,
                         const json_t *change)
{
    int64_t reviewer = integer_at(change, "reviewer_id");
    json_object_set_new(document, "mine",
                        json_boolean(reviewer != 0 && reviewer == account_id(request)));
    json_object_set_new(document, "others",
                        json_boolean(reviewer != 0 && reviewer != account_id(request)));
    json_object_set_new(document, "seen", json_integer(reviewer));
}

/* What co-authors say of it. */
static enum result add_confirmed(json_t *document, struct request *request, int64_t id)
{
    json_t *said, *row;
    size_t index;
    TRY(claim_confirmed(&said, request->db, id));
    json_array_foreach(said, index, row) json_object_set_new(
        row, "right", json_boolean(strcmp(text_at(row, "verdict", ""), "right") == 0));
    json_object_set(document, "confirmed", said);
    return OK;
}

static enum result draw(struct request *request, struct response *response, int64_t id,
                        const struct drawn *drawn)
{
    json_t *change;
    const struct form *form;
    TRY(change_show(&change, request->db, id));
    TRY(change_form(&form, request, change));
    flow_change_states(json_pack("[O]", change));
    json_t *document = json_object(), *proposed = json_object_get(change, "proposed");
    json_t *rows = difference_rows(request, form, json_object_get(change, "differences"));
    add_comments(rows,
                 drawn->comments ? drawn->comments : json_object_get(change, "comments"));
    json_object_set(document, "change", change);
    json_object_set_new(document, "rows", rows);
    json_object_set_new(document, "any_comments",
                        json_boolean(json_object_size(drawn->comments) > 0));
    json_object_set_new(
        document, "edits",
        json_is_object(proposed)
            ? difference_rows(
                  request, form,
                  change_differences(proposed, json_object_get(change, "document")))
            : json_array());
    json_object_set_new(document, "moved", json_boolean(drawn->moved));
    json_object_set_new(document, "new_entity",
                        json_boolean(integer_at(change, "target_id") == 0));
    json_object_set_new(document, "history", json_boolean(has_history(change)));
    json_object_set_new(document, "undo", undo_of(change));
    add_reviewer(document, request, change);
    TRY(add_confirmed(document, request, id));
    flow_add_form(document, request, "return", NULL, drawn->comment);
    return flow_page(request, response, "admin/change.html", document);
}

enum result admin_change_show(struct request *request, struct response *response)
{
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    return draw(request, response, id, &(struct drawn){0});
}

static enum result finish(struct request *request, struct response *response, int64_t id,
                          struct drawn *drawn, enum result decided, const char *notice)
{
    if (decided == CONFLICT) {
        response->status = 409;
        drawn->moved = true;
        return draw(request, response, id, drawn);
    }
    TRY(decided);
    flow_done(response, "/admin/changes", notice);
    return OK;
}

static enum result read_decision(struct decision *decision, struct request *request)
{
    *decision = (struct decision){0};
    TRY(number_of(&decision->change, param(request, "id")));
    return number_of(&decision->version, field(request, "version")) == OK ? OK : INVALID;
}

enum result admin_change_approve(struct request *request, struct response *response)
{
    struct decision decision;
    json_t *applied;
    TRY(read_decision(&decision, request));
    enum result decided = decide_approve(&applied, request, &decision);
    return finish(request, response, decision.change, &(struct drawn){0}, decided,
                  "approved");
}

/* {"name": "text"} of the fields "on.name", which are taken out of what the form reads.
 * *fit: each can be kept. */
static json_t *take_comments(bool *fit, struct request *request)
{
    enum { COMMENT_MAX = 2000 };
    json_t *comments = json_object(), *values;
    const char *name;
    void *next;
    json_object_foreach_safe(request->fields, next, name, values)
    {
        if (strncmp(name, "on.", 3) != 0)
            continue;
        const char *text = json_string_value(json_array_get(values, 0));
        const char *plain =
            text ? flow_plain_lines(request->arena, text, strlen(text)) : "";
        size_t length = strlen(plain);
        if (strspn(plain, " \t\n") < length)
            json_object_set_new(comments, name + 3, json_string(plain));
        *fit &= utf8_length(plain, length) <= COMMENT_MAX &&
                utf8_fault(plain, length, true) == UTF8_FINE;
        json_object_del(request->fields, name);
    }
    return comments;
}

enum result admin_change_return(struct request *request, struct response *response)
{
    struct decision decision;
    struct submission comment;
    TRY(read_decision(&decision, request));
    bool fit = true;
    json_t *comments = take_comments(&fit, request);
    struct drawn drawn = {.comment = &comment, .comments = comments};
    enum result read = flow_form(&comment, request, response, "return", FOR_ADMIN);
    if (read == OK && !fit) {
        form_error(&comment, NULL, "comment_unfit");
        read = INVALID;
    }
    if (read == OK && !*text_at(comment.document, "comment", "") &&
        json_object_size(comments) == 0) {
        form_error(&comment, "comment", "required");
        read = INVALID;
    }
    if (read != OK) {
        response->status = 422;
        return draw(request, response, decision.change, &drawn);
    }
    comment.errors = NULL;
    decision.comment = text_at(comment.document, "comment", "");
    decision.comments = comments;
    return finish(request, response, decision.change, &drawn,
                  decide_return(request, &decision), "returned");
}

/* The reviewer's own text: what was sent in, merged with what was published since. */

struct edit {
    json_t *change;
    const struct form *form;
    json_t *clashes; /* where both altered the same; rows */
    json_t *values, *errors;
    int64_t base, version; /* of the target and of the change, that are seen */
    bool moved;
};

static enum result find_edit(struct edit *edit, struct request *request, int64_t id)
{
    *edit = (struct edit){0};
    TRY(change_show(&edit->change, request->db, id));
    TRY(change_form(&edit->form, request, edit->change));
    json_t *current = json_object_get(edit->change, "current");
    json_t *merged = json_object_get(edit->change, "document"), *clashes = json_array();
    if (json_is_true(json_object_get(edit->change, "stale")))
        change_merge(&merged, &clashes, json_object_get(edit->change, "base"),
                     json_object_get(current, "document"), merged);
    edit->values = merged;
    edit->clashes = difference_rows(request, edit->form, clashes);
    edit->base = integer_at(current, "version");
    edit->version = integer_at(edit->change, "version");
    return OK;
}

static enum result draw_edit(struct edit *edit, struct request *request,
                             struct response *response)
{
    json_t *form =
        form_page(edit->form, edit->values, edit->errors, FOR_ADMIN, request->language);
    TRY(editing_people(form, request, edit->form));
    json_t *document = json_object();
    json_object_set(document, "change", edit->change);
    json_object_set_new(document, "form", form);
    json_object_set(document, "clashes", edit->clashes);
    json_object_set_new(document, "clash",
                        json_boolean(json_array_size(edit->clashes) > 0));
    json_object_set_new(document, "base", json_integer(edit->base));
    json_object_set_new(document, "version", json_integer(edit->version));
    json_object_set_new(document, "moved", json_boolean(edit->moved));
    return flow_page(request, response, "admin/change_edit.html", document);
}

enum result admin_change_edit(struct request *request, struct response *response)
{
    struct edit edit;
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    TRY(find_edit(&edit, request, id));
    if (waiting(edit.change))
        return draw_edit(&edit, request, response);
    response_redirect(response,
                      arena_print(request->arena, "/admin/changes/%lld", (long long)id));
    return OK;
}

/* What is there now against what the reviewer typed. */
static enum result draw_moved(struct edit *edit, struct request *request,
                              struct response *response, json_t *typed)
{
    response->status = 409;
    TRY(find_edit(edit, request, integer_at(edit->change, "id")));
    if (!waiting(edit->change))
        return draw(request, response, integer_at(edit->change, "id"),
                    &(struct drawn){.moved = true});
    json_t *current = json_object_get(edit->change, "current");
    edit->clashes =
        difference_rows(request, edit->form,
                        change_differences(json_object_get(current, "document"), typed));
    edit->values = typed;
    edit->moved = true;
    return draw_edit(edit, request, response);
}

static enum result redraw_edit(struct edit *edit, struct request *request,
                               struct response *response,
                               const struct submission *submission, bool errors)
{
    edit->values = submission->typed;
    edit->errors = errors ? submission->errors : NULL;
    response->status = errors ? 422 : 200;
    return draw_edit(edit, request, response);
}

/* The versions are those that the form was drawn from. */
static enum result read_edit(struct edit *edit, struct decision *decision,
                             struct request *request)
{
    TRY(read_decision(decision, request));
    if (number_of(&decision->base, field(request, "change")) != OK)
        decision->base = 0;
    TRY(find_edit(edit, request, decision->change));
    edit->base = decision->base;
    edit->version = decision->version;
    return OK;
}

enum result admin_change_save(struct request *request, struct response *response)
{
    struct edit edit;
    struct decision decision;
    struct submission submission;
    json_t *applied;
    const char *action = field(request, "action");
    TRY(read_edit(&edit, &decision, request));
    bool again =
        action && form_apply_action(edit.form, request->fields, action, FOR_ADMIN);
    enum result result = photos_read(&submission, request, edit.form, FOR_ADMIN);
    if (again || result != OK)
        return redraw_edit(&edit, request, response, &submission, !again);
    decision.edited = form_merge(edit.form, edit.values, submission.document);
    result = decide_approve(&applied, request, &decision);
    if (result == CONFLICT)
        return draw_moved(&edit, request, response, decision.edited);
    if (result == INVALID) {
        flow_store_errors(&submission, json_object_get(applied, "errors"));
        return redraw_edit(&edit, request, response, &submission, true);
    }
    TRY(result);
    flow_done(response, "/admin/changes", "approved");
    return OK;
}
