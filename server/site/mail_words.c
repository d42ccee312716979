/* Writing the words of mails; see mail_words.h. Nothing that was typed is lost by a
 * preview, a test, an error or somebody else's change. */
#include "server/site/mail_words.h"

#include "db/store/mail.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/mail/order.h"
#include "server/mail/text.h"
#include "server/site/flow.h"
#include "server/site/site.h"

#include <string.h>

/* One look at the page. */
struct look {
    const struct mail_words_page *page;
    const struct mail_kind *kind;
    enum language language;
    json_t *own;                /* what is stored; NULL: nothing */
    struct mail_words standing; /* what stands without it */
    const struct submission *sent;
    bool previewed, moved, tested;
};

static enum result standing_words(struct look *look, struct db *db)
{
    json_t *labs;
    enum result found = NOT_FOUND;
    if (look->page->collection != 0)
        found = mail_text_find(&labs, db, look->kind->name, look->page->language, 0);
    if (found == OK) {
        look->standing =
            (struct mail_words){text_at(labs, "subject", ""), text_at(labs, "body", "")};
        return OK;
    }
    if (found != NOT_FOUND)
        return found;
    return mail_text_original(&look->standing, look->kind, look->language);
}

static enum result open_look(struct look *look, struct request *request,
                             const struct mail_words_page *page)
{
    *look = (struct look){.page = page, .kind = mail_kind_find(page->kind)};
    bool chinese = strcmp(page->language, "zh") == 0;
    if (!look->kind || (!chinese && strcmp(page->language, "en") != 0))
        return NOT_FOUND;
    look->language = chinese ? CHINESE : ENGLISH;
    enum result found = mail_text_find(&look->own, request->db, page->kind,
                                       page->language, page->collection);
    if (found == NOT_FOUND)
        look->own = NULL;
    else
        TRY(found);
    return standing_words(look, request->db);
}

static json_t *placeholders(const struct look *look)
{
    json_t *list = json_array(), *values = mail_text_example(look->kind, look->language);
    for (const char *at = look->kind->placeholders; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        const char *name = arena_copy(arena_current(), at, length);
        const char *value = text_at(values, name, "");
        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:s}", "name", name, "tag",
                                        arena_print(arena_current(), "{{%s}}", name),
                                        "example", mail_finished(value, NULL)));
        at += length;
    }
    return list;
}

/* Null when the words can't be filled in. */
static json_t *preview_of(const struct look *look, const struct mail_words *words)
{
    struct mail_words filled;
    if (mail_text_fill(&filled, words, mail_text_example(look->kind, look->language)) !=
        OK)
        return json_null();
    const char *body = mail_finished(filled.body, NULL);
    return json_pack("{s:s,s:s,s:o}", "subject", filled.subject, "lang",
                     look->language == CHINESE ? "zh-CN" : "en", "paragraphs",
                     mail_text_paragraphs(body));
}

static enum result draw(struct request *request, struct response *response,
                        const struct look *look)
{
    json_t *document = look->page->document ? look->page->document : json_object();
    json_t *values = look->own;
    if (!values)
        values = json_pack("{s:s,s:s}", "subject", look->standing.subject, "body",
                           look->standing.body);
    json_t *shown = look->sent ? look->sent->typed : values;
    struct mail_words words = {text_at(shown, "subject", ""), text_at(shown, "body", "")};
    json_object_set_new(document, "kind", json_string(look->kind->name));
    json_object_set_new(document, "text_language", json_string(look->page->language));
    json_object_set_new(document, "own", json_boolean(look->own != NULL));
    json_object_set_new(document, "version",
                        json_integer(integer_at(look->own, "version")));
    json_object_set_new(document, "moved", json_boolean(look->moved));
    json_object_set_new(document, "previewed", json_boolean(look->previewed));
    json_object_set_new(document, "tested", json_boolean(look->tested));
    json_object_set_new(document, "preview", preview_of(look, &words));
    json_object_set_new(document, "original",
                        json_pack("{s:s,s:s}", "subject", look->standing.subject, "body",
                                  look->standing.body));
    json_object_set_new(document, "placeholders", placeholders(look));
    json_object_set_new(document, "action_path", json_string(request->path));
    json_object_set_new(document, "back", json_string(look->page->back));
    json_object_set_new(document, "form",
                        form_page(form_named(site.forms, "mail"), shown,
                                  look->sent ? look->sent->errors : NULL, FOR_ADMIN,
                                  request->language));
    return flow_page(request, response, look->page->template, document);
}

static enum result drop(struct request *request, struct response *response,
                        const struct look *look, int64_t version)
{
    struct actor actor = actor_of(request);
    TRY(mail_text_drop(request->db, &actor, look->kind->name, look->page->language,
                       look->page->collection, version));
    flow_done(response, look->page->back, "mail_text_dropped");
    return OK;
}

static enum result save(struct request *request, struct response *response,
                        struct look *look, int64_t version)
{
    struct actor actor = actor_of(request);
    json_t *words = look->sent->document;
    enum result saved =
        mail_text_save(request->db, &actor, look->kind->name, look->page->language,
                       look->page->collection, version, text_at(words, "subject", ""),
                       text_at(words, "body", ""));
    if (saved == CONFLICT) {
        look->moved = true;
        response->status = 409;
        return draw(request, response, look);
    }
    TRY(saved);
    flow_done(response, look->page->back, "mail_text_saved");
    return OK;
}

static enum result test(struct request *request, struct response *response,
                        struct look *look)
{
    struct actor actor = actor_of(request);
    json_t *words = look->sent->document;
    int64_t id;
    TRY(mail_order_example(&id, request->db, &actor, actor.account, look->kind,
                           look->language, text_at(words, "subject", ""),
                           text_at(words, "body", "")));
    look->tested = true;
    return draw(request, response, look);
}

static enum result check(struct submission *form, const struct look *look,
                         enum result read)
{
    json_t *errors, *error;
    size_t index;
    if (read != OK)
        return read;
    enum result checked =
        mail_text_check(&errors, look->kind, text_at(form->document, "subject", ""),
                        text_at(form->document, "body", ""));
    json_array_foreach(errors, index, error) json_array_append(form->errors, error);
    return checked;
}

static enum result answer_post(struct request *request, struct response *response,
                               struct look *look)
{
    struct submission *form = ARENA_NEW(request->arena, struct submission);
    const char *action = field(request, "action"), *seen = field(request, "version");
    int64_t version = 0;
    if (!action)
        action = "save";
    if (!seen || (strcmp(seen, "0") != 0 && number_of(&version, seen) != OK))
        return INVALID;
    if (strcmp(action, "original") == 0)
        return drop(request, response, look, version);
    enum result read =
        check(form, look, flow_form(form, request, response, "mail", FOR_ADMIN));
    look->sent = form;
    if (read == INVALID) {
        response->status = 422;
        return draw(request, response, look);
    }
    TRY(read);
    if (strcmp(action, "preview") == 0) {
        look->previewed = true;
        return draw(request, response, look);
    }
    if (strcmp(action, "test") == 0)
        return test(request, response, look);
    return save(request, response, look, version);
}

enum result mail_words_answer(struct request *request, struct response *response,
                              const struct mail_words_page *page)
{
    struct look look;
    TRY(open_look(&look, request, page));
    return request->method == GET ? draw(request, response, &look)
                                  : answer_post(request, response, &look);
}

static json_t *language_of(json_t *own, const char *name, const char *language)
{
    size_t index;
    json_t *row;
    json_array_foreach(own, index, row)
    {
        if (strcmp(text_at(row, "name", ""), name) != 0 ||
            strcmp(text_at(row, "language", ""), language) != 0)
            continue;
        json_object_set_new(row, "own", json_true());
        return json_incref(row);
    }
    return json_pack("{s:s,s:b,s:n,s:n,s:n}", "language", language, "own", 0, "subject",
                     "updated_at", "updated_by_email");
}

enum result mail_words_list(json_t **kinds, struct db *db, int64_t collection)
{
    json_t *own;
    TRY(mail_text_list(&own, db, collection));
    *kinds = json_array();
    for (size_t i = 0; i < mail_kind_count; i++) {
        const char *name = mail_kinds[i].name;
        if (collection != 0 && !mail_kinds[i].collected)
            continue;
        json_array_append_new(*kinds, json_pack("{s:s,s:[o,o]}", "name", name,
                                                "languages", language_of(own, name, "en"),
                                                language_of(own, name, "zh")));
    }
    return OK;
}
