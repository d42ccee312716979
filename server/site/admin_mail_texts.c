/* The lab's words of mails: /admin/mail-texts. */
#include "server/site/admin.h"

#include "server/site/flow.h"
#include "server/site/mail_words.h"

enum result admin_mail_text_index(struct request *request, struct response *response)
{
    json_t *kinds;
    TRY(mail_words_list(&kinds, request->db, 0));
    return flow_page(request, response, "admin/mail_texts.html",
                     json_pack("{s:O}", "kinds", kinds));
}

enum result admin_mail_text_edit(struct request *request, struct response *response)
{
    struct mail_words_page page = {.kind = param(request, "kind"),
                                   .language = param(request, "language"),
                                   .template = "admin/mail_text.html",
                                   .back = "/admin/mail-texts"};
    return mail_words_answer(request, response, &page);
}
