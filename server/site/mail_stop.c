/* The page behind List-Unsubscribe. Mail programs post to it without ever showing it
 * (RFC 8058); people press its button, and may change their mind. The token of the mail
 * allows nothing else. */
#include "server/site/mail_stop.h"

#include "db/store/mail.h"
#include "server/guard/rate_limit.h"
#include "server/guard/token.h"
#include "server/site/flow.h"

#include <string.h>

static enum result look(json_t **about, struct request *request,
                        struct response *response)
{
    const char *hash = token_hash(request->arena, param(request, "token"));
    response_header(response, "Referrer-Policy", "no-referrer");
    enum result found = mail_stop_look(about, request->db, hash);
    if (found == NOT_FOUND)
        TRY(rate_count(request, response, &rate_link, NULL));
    return found;
}

enum result mail_stop_show(struct request *request, struct response *response)
{
    json_t *about;
    TRY(look(&about, request, response));
    json_object_set_new(about, "stop_path", json_string(request->path));
    return flow_page(request, response, "sign_in/stop.html",
                     json_pack("{s:O}", "about", about));
}

enum result mail_stop_submit(struct request *request, struct response *response)
{
    json_t *about;
    const char *again = field(request, "again");
    TRY(look(&about, request, response));
    TRY(mail_stop(request->db, token_hash(request->arena, param(request, "token")),
                  !again || strcmp(again, "yes") != 0));
    response_redirect(response, request->path);
    response_header(response, "Cache-Control", "private, no-store");
    return OK;
}
