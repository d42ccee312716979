/* The page on which an admin writes the words of one kind of mail, for the lab or for one
 * collection. */
#ifndef LABD_SITE_MAIL_WORDS_H
#define LABD_SITE_MAIL_WORDS_H

#include "server/http/request.h"
#include "server/http/response.h"

struct mail_words_page {
    const char *kind, *language; /* of mail/text.h; "en" or "zh" */
    int64_t collection;          /* 0: the lab's */
    const char *template;        /* with what it adds to the document: */
    json_t *document;            /* NULL: nothing. The page adds kind, text_language,
                                    own (there are words of its own), version, form,
                                    preview (null or {subject, paragraphs}), problems,
                                    original {subject, body}, placeholders [{name,
                                    example}], action */
    const char *back;            /* where "back to the original" and saving lead */
};

/* GET shows it; POST by the field `action`: "preview", "test" (to the admin's own
 * address), "original" (back to the lab's or the program's words), else saves. NOT_FOUND:
 * no such kind or language. */
MUST_USE enum result mail_words_answer(struct request *request, struct response *response,
                                       const struct mail_words_page *page);

/* [{name, languages: [{language, own, subject, updated_at, updated_by_email}]}] of all
 * kinds, or (collection not 0) of those that a collection sends: own is false where the
 * words of the lab or the program stand. */
MUST_USE enum result mail_words_list(json_t **kinds, struct db *db, int64_t collection);

#endif
