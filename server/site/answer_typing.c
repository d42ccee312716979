/* What scripts send while somebody types: a section's fields as they are, kept in the
 * draft by one statement where nothing stands against it; and the session that is made
 * to last. Answers are JSON. */
#include "server/site/answers.h"

#include "db/store/account.h"
#include "db/store/answer.h"
#include "server/form/section.h"
#include "server/guard/session.h"
#include "server/guard/token.h"
#include "server/site/answer_section.h"
#include "server/site/flow.h"

static enum result put(struct response *response, int status, json_t *document)
{
    response->status = status;
    response->type = "application/json";
    response_header(response, "Cache-Control", "private, no-store");
    buf_string(&response->body, json_dumps(document, JSON_COMPACT));
    return OK;
}

static const char *change_name(int64_t id, int64_t version)
{
    return arena_print(arena_current(), "%lld.%lld", (long long)id, (long long)version);
}

/* 409: what is on the server is not what this page began with. */
static enum result put_conflict(struct response *response, const struct answering *a,
                                const struct answer_section *section)
{
    json_t *saved_at = json_object_get(a->state, "saved_at");
    return put(response, 409,
               json_pack("{s:s, s:O?, s:s, s:O}", "conflict", "newer", "saved_at",
                         saved_at, "change",
                         change_name(integer_at(a->state, "change_id"),
                                     integer_at(a->state, "change_version")),
                         "seen", answer_section_seen(section, a->document)));
}

static enum result put_kept(struct request *request, struct response *response,
                            const struct answer_section *section, int64_t change,
                            int64_t version, json_t *saved_at)
{
    return put(response, 200,
               json_pack("{s:s, s:O?, s:O, s:O?}", "change", change_name(change, version),
                         "saved_at", saved_at, "seen",
                         answer_section_seen(section, section->document), "ends",
                         json_object_get(request->account, "session_expires_at")));
}

/* The slow way: the first of a draft, or one laid over a person who has changed. */
static enum result save(struct request *request, struct response *response,
                        const struct answering *a, const struct answer_section *section,
                        struct answer_saving *saving)
{
    json_t *outcome, *state;
    struct actor actor = actor_of(request);
    saving->person_version = integer_at(a->state, "person_now");
    enum result result = answer_save(&outcome, request->db, &actor, saving);
    if (result == CONFLICT)
        return put_conflict(response, a, section);
    if (result == INVALID)
        return put(response, 422, json_pack("{s:s}", "refused", "photo"));
    TRY(result);
    TRY(answer_state(&state, request->db, integer_at(a->state, "collection_id"),
                     account_id(request)));
    return put_kept(request, response, section, integer_at(state, "change_id"),
                    integer_at(state, "change_version"),
                    json_object_get(state, "saved_at"));
}

/* A photo that the draft did not have: whose it is, the change engine asks. */
static bool another_photo(const struct answering *a, json_t *before)
{
    for (size_t i = 0; i < a->form->field_count; i++) {
        const struct field *field = &a->form->fields[i];
        json_t *now = json_object_get(a->document, field->name);
        if (field->type == FIELD_PHOTO && json_is_string(now) &&
            !json_equal(now, json_object_get(before, field->name)))
            return true;
    }
    return false;
}

static bool by_statement(const struct answering *a)
{
    bool draft = answering_in(a, "draft") || answering_in(a, "returned");
    return draft && !another_photo(a, json_object_get(a->state, "draft")) &&
           integer_at(a->state, "person_now") == integer_at(a->state, "person_version");
}

static enum result keep(struct request *request, struct response *response,
                        struct answering *a, const struct answer_section *section)
{
    json_t *kept;
    struct actor actor = actor_of(request);
    a->document = section->document;
    enum result read = form_read_draft(&a->read, a->form, a->document, FOR_MEMBER);
    if (read != OK && read != INVALID)
        return read;
    struct answer_saving saving = {.state = a->state,
                                   .document = section->document,
                                   .change_version =
                                       integer_at(a->state, "change_version"),
                                   .complete = answering_complete(a, (int)section->index),
                                   .draft = true};
    if (!by_statement(a))
        return save(request, response, a, section, &saving);
    enum result result = answer_keep(&kept, request->db, &actor, &saving);
    if (result == NOT_FOUND)
        return put_conflict(response, a, section);
    TRY(result);
    return put_kept(request, response, section, integer_at(a->state, "change_id"),
                    integer_at(kept, "version"), json_object_get(kept, "saved_at"));
}

enum result answers_autosave(struct request *request, struct response *response)
{
    struct answering a;
    struct answer_section section;
    enum result found = answering_load(&a, request);
    if (found == NOT_FOUND)
        return put(response, 404, json_pack("{s:s}", "refused", "not_asked"));
    TRY(found);
    const char *refusal = answering_refusal(&a);
    if (refusal == NULL && answering_waiting(&a))
        refusal = "sent";
    if (refusal != NULL)
        return put(response, 403, json_pack("{s:s}", "refused", refusal));
    if (answer_section_find(&section, &a, field(request, "-section")) != OK)
        return put(response, 422, json_pack("{s:s}", "refused", "section"));
    bool merge = field(request, "-merge") != NULL;
    TRY(answer_section_read(&section, &a, request));
    if (section.overtaken && !merge)
        return put_conflict(response, &a, &section);
    return keep(request, response, &a, &section);
}

/* The session of whoever asks lasts from now on again. */
enum result answers_session(struct request *request, struct response *response)
{
    json_t *account;
    const char *hash = token_hash(request->arena, session_cookie(request));
    TRY(session_keep(request->db, hash));
    TRY(session_find(&account, request->db, hash));
    return put(
        response, 200,
        json_pack("{s:O?}", "ends", json_object_get(account, "session_expires_at")));
}
