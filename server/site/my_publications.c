/* A member's works, many at once from BibTeX. A pasted or uploaded text is shown as it
 * was understood before anything is proposed; the text itself goes through the page and
 * back, so nothing is kept meanwhile. */
#include "server/site/my.h"

#include "db/store/change.h"
#include "db/store/publication.h"
#include "server/base/utf8.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/form/submission.h"
#include "server/site/flow.h"
#include "server/site/site.h"
#include "server/text/bibtex.h"
#include "server/text/encoding.h"
#include "server/text/work.h"

#include <string.h>

enum { ENTRIES_MAX = 200 };

/* One entry of a pasted text, as the preview shows it: {number, line, key, title,
 * authors, venue, year, state, reason, errors, existing, document}. `state` is "good",
 * "refused" (no BibTeX), "unfit" (breaks a rule of the form), "known" (there is such a
 * work, with its slug in `existing`) or "sent" (a change of this member says the same).
 */
struct reading {
    struct request *request;
    const struct form *form;
    json_t *entries, *mine;
    int number, good;
};

static json_t *text_or_null(const char *text)
{
    return text && *text ? json_string(text) : json_null();
}

static const char *author_names(struct arena *arena, const json_t *document)
{
    struct buf names = buf_on(arena);
    size_t index;
    json_t *author;
    json_array_foreach(json_object_get(document, "authors"), index, author)
        buf_print(&names, "%s%s", index > 0 ? ", " : "", text_at(author, "name", ""));
    return names.data;
}

static bool sent_already(const struct reading *reading, const char *title)
{
    size_t index;
    json_t *change;
    struct arena *arena = reading->request->arena;
    const char *folded = utf8_fold(arena, title, strlen(title));
    json_array_foreach(reading->mine, index, change)
    {
        const char *other = text_at(change, "title", "");
        if (json_is_true(json_object_get(change, "open")) &&
            integer_at(change, "target_id") == 0 &&
            strcmp(utf8_fold(arena, other, strlen(other)), folded) == 0)
            return true;
    }
    return false;
}

/* What becomes of a sound entry. */
static enum result judge(struct reading *reading, json_t *entry, json_t *document)
{
    struct submission submission;
    struct request *request = reading->request;
    json_t *works;
    const char *state = "good";
    json_object_del(document, "language");
    json_object_del(document, "others");
    if (form_read_document(&submission, reading->form, document, FOR_MEMBER, false) !=
        OK) {
        json_object_set_new(
            entry, "errors",
            form_error_list(reading->form, submission.errors, request->language));
        json_object_set_new(entry, "state", json_string("unfit"));
        return OK;
    }
    TRY(publication_match(&works, request->db, submission.document));
    json_t *best = json_array_get(works, 0);
    if (truth_at(best, "same")) {
        state = "known";
        json_object_set(entry, "existing", json_object_get(best, "slug"));
    } else if (sent_already(reading, text_at(submission.document, "title", ""))) {
        state = "sent";
    } else {
        reading->good++;
    }
    json_object_set_new(entry, "state", json_string(state));
    json_object_set(entry, "document", submission.document);
    return OK;
}

static enum result read_entry(struct reading *reading, const struct bibtex_entry *found)
{
    struct arena *arena = reading->request->arena;
    json_t *entry = json_object(), *document = NULL;
    bool refused = found->refused != BIBTEX_SOUND;
    if (!refused)
        document = work_document(arena, found);
    const char *key = arena_copy(arena, found->key.bytes, found->key.length);
    json_object_set_new(entry, "number", json_integer(++reading->number));
    json_object_set_new(
        entry, "line",
        json_integer((json_int_t)(refused ? found->refused_line : found->line)));
    json_object_set_new(entry, "key", text_or_null(key));
    json_object_set_new(entry, "reason",
                        refused ? json_string(bibtex_problem_code(found->refused))
                                : json_null());
    static const char *const shown[] = {"title", "venue", "year"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        json_t *value = json_object_get(document, shown[i]);
        json_object_set(entry, shown[i], value ? value : json_null());
    }
    json_object_set_new(entry, "authors", text_or_null(author_names(arena, document)));
    json_object_set_new(entry, "errors", json_array());
    json_object_set_new(entry, "existing", json_null());
    json_object_set_new(entry, "state", json_string("refused"));
    json_array_append_new(reading->entries, entry);
    return refused ? OK : judge(reading, entry, document);
}

/* INVALID: too long. */
static enum result read_entries(struct reading *reading, struct request *request,
                                const char *text)
{
    struct bibtex *parser;
    struct bibtex_entry entry;
    enum result result;
    *reading = (struct reading){.request = request,
                                .form = form_named(site.forms, "publication"),
                                .entries = json_array()};
    TRY(change_mine(&reading->mine, request->db, account_id(request)));
    flow_change_states(reading->mine);
    TRY(bibtex_open(&parser, request->arena, (struct slice){text, strlen(text)},
                    &bibtex_paste_limits));
    while ((result = bibtex_next(&entry, parser)) == OK) {
        if (!bibtex_is_entry(&entry))
            continue;
        if (reading->number == ENTRIES_MAX)
            return INVALID;
        TRY(read_entry(reading, &entry));
    }
    return result == NOT_FOUND ? OK : result;
}

static enum result draw_bibtex(struct request *request, struct response *response,
                               struct submission *form)
{
    const struct form *definition = form_named(site.forms, "bibtex");
    json_t *document = json_object();
    json_object_set_new(document, "form",
                        form_page(definition, form ? form->typed : NULL,
                                  form ? form->errors : NULL, FOR_MEMBER,
                                  request->language));
    return flow_page(request, response, "my/bibtex.html", document);
}

enum result my_bibtex_new(struct request *request, struct response *response)
{
    return draw_bibtex(request, response, NULL);
}

static enum result refuse_bibtex(struct request *request, struct response *response,
                                 struct submission *form, const char *code)
{
    form_error(form, "bibtex", code);
    response->status = 422;
    return draw_bibtex(request, response, form);
}

/* The pasted or uploaded text, well-formed and without NUL. */
static enum result bibtex_text(const char **text, struct request *request,
                               const struct submission *form)
{
    struct decoded decoded;
    const char *pasted = text_at(form->document, "bibtex", "");
    const struct upload *file = request_upload(request, "file");
    bool uploaded = file && file->length > 0;
    TRY(encoding_decode(&decoded, request->arena, uploaded ? file->data : pasted,
                        uploaded ? file->length : strlen(pasted)));
    if (memchr(decoded.text.bytes, '\0', decoded.text.length) ||
        decoded.text.length > FLOW_CARRIED_BYTES)
        return INVALID;
    *text = flow_plain_lines(request->arena, decoded.text.bytes, decoded.text.length);
    return OK;
}

enum result my_bibtex_preview(struct request *request, struct response *response)
{
    struct submission form;
    struct reading reading;
    const char *text;
    if (flow_form(&form, request, response, "bibtex", FOR_MEMBER) != OK)
        return draw_bibtex(request, response, &form);
    enum result result = bibtex_text(&text, request, &form);
    if (result == OK)
        result = read_entries(&reading, request, text);
    if (result == INVALID)
        return refuse_bibtex(request, response, &form, "bibtex_too_much");
    TRY(result);
    if (reading.number == 0)
        return refuse_bibtex(request, response, &form, "bibtex_nothing");
    size_t index;
    json_t *entry;
    static const char *const states[] = {"good", "refused", "unfit", "known", "sent"};
    json_array_foreach(reading.entries, index, entry)
    {
        json_t *is = json_object();
        for (size_t i = 0; i < sizeof states / sizeof *states; i++)
            json_object_set_new(
                is, states[i],
                json_boolean(strcmp(text_at(entry, "state", ""), states[i]) == 0));
        json_object_set_new(entry, "is", is);
    }
    json_t *document =
        json_pack("{s:O,s:s,s:i,s:i}", "entries", reading.entries, "bibtex", text, "good",
                  reading.good, "count", reading.number);
    return flow_page(request, response, "my/bibtex_preview.html", document);
}

static bool chosen(const struct request *request, int64_t number)
{
    size_t index;
    json_t *value;
    json_array_foreach(json_object_get(request->fields, "entry"), index, value)
    {
        int64_t wanted;
        if (number_of(&wanted, json_string_value(value)) == OK && wanted == number)
            return true;
    }
    return false;
}

enum result my_bibtex_submit(struct request *request, struct response *response)
{
    struct reading reading;
    struct actor actor = actor_of(request);
    const char *text = field(request, "bibtex");
    size_t index;
    json_t *entry, *outcome;
    if (!text || !utf8_valid(text, strlen(text)))
        return INVALID;
    text = flow_plain_lines(request->arena, text, strlen(text));
    TRY(read_entries(&reading, request, text));
    json_array_foreach(reading.entries, index, entry)
    {
        if (strcmp(text_at(entry, "state", ""), "good") != 0 ||
            !chosen(request, integer_at(entry, "number")))
            continue;
        struct proposal proposal = {.entity = "publication",
                                    .document = json_object_get(entry, "document"),
                                    .source = "bibtex"};
        TRY(change_propose(&outcome, request->db, &actor, &proposal));
    }
    flow_done(response, "/my", "submitted");
    return OK;
}
