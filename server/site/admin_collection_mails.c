/* The words of a collection's mails: those of its own in place of the lab's, each with a
 * look at how a chosen person will read them. */
#include "db/store/collection.h"
#include "db/store/mail.h"
#include "server/form/submission.h"
#include "server/mail/text.h"
#include "server/site/admin_collection_pages.h"
#include "server/site/collections.h"
#include "server/site/flow.h"
#include "server/site/mail_previews.h"

#include <string.h>

static const char *const kinds[] = {"invitation", "reminder", "asked_again",
                                    "receipt",    "returned", "approved"};

static bool has_own(json_t *texts, const char *name, const char *language)
{
    size_t index;
    json_t *text;
    json_array_foreach(texts, index, text)
    {
        if (strcmp(text_at(text, "name", ""), name) == 0 &&
            strcmp(text_at(text, "language", ""), language) == 0)
            return true;
    }
    return false;
}

enum result collection_mails_page(struct request *request, struct response *response)
{
    json_t *collection, *texts, *rows = json_array();
    TRY(collection_of(&collection, request));
    TRY(mail_text_list(&texts, request->db, integer_at(collection, "id")));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        json_t *languages = json_array();
        for (int l = 0; l < LANGUAGE_COUNT; l++)
            json_array_append_new(languages,
                                  json_pack("{s:s,s:b}", "code", language_codes[l], "own",
                                            has_own(texts, kinds[i], language_codes[l])));
        json_array_append_new(
            rows, json_pack("{s:s,s:o}", "kind", kinds[i], "languages", languages));
    }
    return collection_page(request, response, "collections/mails.html",
                           json_pack("{s:o}", "mails", rows), collection);
}

/* One kind in one language. */
struct page {
    json_t *collection;
    const struct mail_kind *kind;
    enum language language;
    json_t *own;                   /* mail_text_find(), or NULL */
    const struct submission *form; /* what was sent; or NULL */
    const char *subject, *body;    /* sent, to be looked at; or NULL */
    int64_t person;                /* whose mail is shown; 0: the first */
    bool stale;
};

static enum result find(struct page *page, struct request *request)
{
    const char *kind = param(request, "kind"), *language = param(request, "language");
    *page = (struct page){.language = LANGUAGE_COUNT};
    TRY(collection_of(&page->collection, request));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            page->kind = mail_kind_find(kind);
    for (int l = 0; l < LANGUAGE_COUNT; l++)
        if (strcmp(language, language_codes[l]) == 0)
            page->language = (enum language)l;
    if (page->kind == NULL || page->language == LANGUAGE_COUNT)
        return NOT_FOUND;
    enum result found = mail_text_find(&page->own, request->db, kind, language,
                                       integer_at(page->collection, "id"));
    if (found == NOT_FOUND)
        page->own = NULL;
    return found == NOT_FOUND ? OK : found;
}

/* The words that stand: the collection's, the lab's, the program's. */
static enum result values_of(json_t **values, struct page *page, struct request *request)
{
    struct mail_words words;
    const char *name = page->kind->name, *language = language_codes[page->language];
    enum result found = mail_text_best(values, request->db, name, language,
                                       integer_at(page->collection, "id"));
    if (found != NOT_FOUND)
        return found;
    TRY(mail_text_original(&words, page->kind, page->language));
    *values = json_pack("{s:s,s:s}", "subject", words.subject, "body", words.body);
    return OK;
}

/* "name lab link" → "{{name}} {{lab}} {{link}}" */
static const char *marks(const struct mail_kind *kind)
{
    struct buf out = buf_on(arena_current());
    for (const char *at = kind->placeholders; *at != '\0';) {
        size_t length = strcspn(at, " ");
        buf_print(&out, "%s{{%.*s}}", out.length > 0 ? " " : "", (int)length, at);
        at += length + strspn(at + length, " ");
    }
    return out.data;
}

/* Those who could read it: chosen or asked, with an address. */
static enum result readers(json_t **list, struct page *page, struct request *request)
{
    json_t *people, *person;
    size_t index;
    *list = json_array();
    TRY(collection_people(&people, request->db, integer_at(page->collection, "id")));
    json_array_foreach(people, index, person)
    {
        const char *reason = text_of(person, "reason");
        bool meant =
            truth_at(person, "chosen") || integer_at(person, "invitation_id") != 0;
        if (!meant || (reason != NULL && strcmp(reason, "no_account") != 0 &&
                       strcmp(reason, "bounced") != 0))
            continue;
        json_object_set_new(person, "selected",
                            json_boolean(integer_at(person, "id") == page->person));
        json_array_append(*list, person);
    }
    return OK;
}

static enum result add_preview(json_t *document, struct page *page,
                               struct request *request)
{
    json_t *people, *person, *mail = json_null();
    size_t index;
    TRY(readers(&people, page, request));
    json_object_set(document, "readers", people);
    struct mail_look look = {.template = page->kind->name,
                             .collection = page->collection,
                             .subject = page->subject,
                             .body = page->body,
                             .language = language_codes[page->language]};
    look.person = integer_at(json_array_get(people, 0), "id");
    json_array_foreach(people, index, person)
    {
        if (integer_at(person, "id") == page->person)
            look.person = page->person;
    }
    enum result result = look.person != 0 ? mail_look_at(&mail, request, &look) : OK;
    json_object_set(document, "mail", mail);
    return result == NOT_FOUND ? OK : result;
}

static enum result draw(struct request *request, struct response *response,
                        struct page *page)
{
    json_t *values = NULL;
    TRY(values_of(&values, page, request));
    json_t *document =
        json_pack("{s:s,s:s,s:s,s:b,s:I,s:b}", "kind", page->kind->name, "words_language",
                  language_codes[page->language], "marks", marks(page->kind), "own",
                  page->own != NULL, "version",
                  (json_int_t)integer_at(page->own, "version"), "stale", page->stale);
    flow_add_form(document, request, "collection_mail", values, page->form);
    TRY(add_preview(document, page, request));
    return collection_page(request, response, "collections/mail.html", document,
                           page->collection);
}

static int64_t number_or_0(const char *text)
{
    int64_t number;
    return number_of(&number, text) == OK ? number : 0;
}

enum result collection_mail_page(struct request *request, struct response *response)
{
    struct page page;
    TRY(find(&page, request));
    page.person = number_or_0(query_argument(request, "person"));
    return draw(request, response, &page);
}

/* The form's rules, then those of words of mails. */
static enum result read_words(struct submission *form, struct page *page,
                              struct request *request, struct response *response)
{
    json_t *errors, *error;
    size_t index;
    TRY(flow_form(form, request, response, "collection_mail", FOR_ADMIN));
    page->subject = text_at(form->document, "subject", "");
    page->body = text_at(form->document, "body", "");
    enum result checked = mail_text_check(&errors, page->kind, page->subject, page->body);
    if (checked != INVALID)
        return checked;
    json_array_foreach(errors, index, error)
    {
        form_error(form, text_of(error, "field"), text_at(error, "code", ""));
        json_object_update_missing(
            json_array_get(form->errors, json_array_size(form->errors) - 1), error);
    }
    response->status = 422;
    return INVALID;
}

static const char *page_path(const struct request *request, const struct page *page)
{
    return arena_print(request->arena, "%s/%s/%s",
                       collection_path(request, page->collection, "/mails"),
                       page->kind->name, language_codes[page->language]);
}

enum result collection_mail_save(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    struct submission form;
    struct page page;
    TRY(find(&page, request));
    const char *action = field(request, "action");
    page.person = number_or_0(field(request, "person"));
    json_object_del(request->fields, "person");
    page.form = &form;
    enum result done = read_words(&form, &page, request, response);
    if (done == INVALID)
        page.subject = page.body = NULL; /* they can't be looked at */
    if (done == INVALID || (done == OK && action != NULL && strcmp(action, "look") == 0))
        return draw(request, response, &page);
    TRY(done);
    done =
        mail_text_save(request->db, &actor, page.kind->name,
                       language_codes[page.language], integer_at(page.collection, "id"),
                       number_or_0(field(request, "version")), page.subject, page.body);
    if (done == CONFLICT) {
        struct page now;
        TRY(find(&now, request));
        now.form = &form;
        now.subject = page.subject;
        now.body = page.body;
        now.person = page.person;
        now.stale = true;
        response->status = 409;
        return draw(request, response, &now);
    }
    TRY(done);
    flow_done(response, page_path(request, &page), "mail_words_saved");
    return OK;
}

enum result collection_mail_drop(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    struct page page;
    TRY(find(&page, request));
    TRY(mail_text_drop(request->db, &actor, page.kind->name,
                       language_codes[page.language], integer_at(page.collection, "id"),
                       number_or_0(field(request, "version"))));
    flow_done(response, page_path(request, &page), "mail_words_dropped");
    return OK;
}
