/* The words of a collection's mails: those of its own in place of the lab's, and how they
 * read for a person who is asked. */
#include "db/store/collection.h"
#include "server/mail/text.h"
#include "server/site/admin_collections.h"
#include "server/site/collections.h"
#include "server/site/flow.h"
#include "server/site/mail_previews.h"
#include "server/site/mail_words.h"

#include <string.h>

enum result collection_mails_page(struct request *request, struct response *response)
{
    json_t *collection, *list;
    TRY(collection_of(&collection, request));
    TRY(mail_words_list(&list, request->db, integer_at(collection, "id")));
    return collection_page(request, response, "collections/mails.html",
                           json_pack("{s:O}", "kinds", list), collection);
}

/* Those who could read it: chosen or asked, with an address. */
static enum result readers(json_t **list, int64_t *shown, struct request *request,
                           const json_t *collection)
{
    json_t *people, *person;
    size_t index;
    int64_t wanted = 0;
    *list = json_array();
    if (number_of(&wanted, query_argument(request, "person")) != OK)
        wanted = 0;
    TRY(collection_people(&people, request->db, integer_at(collection, "id")));
    json_array_foreach(people, index, person)
    {
        const char *reason = text_of(person, "reason");
        bool meant =
            truth_at(person, "chosen") || integer_at(person, "invitation_id") != 0;
        if (!meant || (reason != NULL && strcmp(reason, "no_account") != 0 &&
                       strcmp(reason, "bounced") != 0))
            continue;
        int64_t id = integer_at(person, "id");
        json_object_set_new(person, "selected", json_boolean(id == wanted));
        if (*shown == 0 || id == wanted)
            *shown = id;
        json_array_append(*list, person);
    }
    return OK;
}

/* As the words that stand read for one of them, in the language of the page. */
static enum result add_preview(json_t *document, struct request *request,
                               const json_t *collection)
{
    json_t *people, *mail = json_null();
    struct mail_look look = {.template = param(request, "kind"),
                             .collection = collection,
                             .language = param(request, "language")};
    TRY(readers(&people, &look.person, request, collection));
    enum result result = look.person != 0 ? mail_look_at(&mail, request, &look) : OK;
    json_object_set(document, "readers", people);
    json_object_set(document, "mail", mail);
    return result == NOT_FOUND ? OK : result;
}

enum result collection_mail_page(struct request *request, struct response *response)
{
    json_t *collection, *document = json_object();
    struct mail_words_page page = {.kind = param(request, "kind"),
                                   .language = param(request, "language"),
                                   .template = "collections/mail.html",
                                   .document = document};
    TRY(collection_of(&collection, request));
    const struct mail_kind *kind = mail_kind_find(page.kind);
    if (kind == NULL || !kind->collected ||
        (strcmp(page.language, "en") != 0 && strcmp(page.language, "zh") != 0))
        return NOT_FOUND;
    page.collection = integer_at(collection, "id");
    page.back = request->path;
    collection_add(document, request, collection);
    TRY(add_preview(document, request, collection));
    return mail_words_answer(request, response, &page);
}
