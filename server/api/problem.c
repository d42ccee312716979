/* The API's answers: documents, and problems in RFC 9457's form. */
#include "server/api/problem.h"

#include "server/http/headers.h"
#include "server/site/error.h"

#include <string.h>

bool api_request(const struct request *request)
{
    return strncmp(request->target, "/api/", 5) == 0;
}

static enum result put_json(struct response *response, const char *type, json_t *document)
{
    const char *text = json_dumps(document, JSON_COMPACT);
    if (text == NULL)
        return FAILED;
    response->type = type;
    response->body = buf_on(response->arena);
    buf_string(&response->body, text);
    return OK;
}

enum result api_document(struct response *response, json_t *document)
{
    return put_json(response, "application/json", document);
}

static json_t *problem(const struct request *request, int status)
{
    return json_pack("{s:s, s:s, s:i, s:s}", "type", "about:blank", "title",
                     reason_phrase(status), "status", status, "request_id", request->id);
}

enum result api_problem(struct request *request, struct response *response,
                        enum result result)
{
    response->status = error_status(result, response->status);
    if (response->status == 503)
        response_header(response, "Retry-After", "5");
    return put_json(response, "application/problem+json",
                    problem(request, response->status));
}

enum result api_errors(struct request *request, struct response *response, json_t *errors)
{
    response->status = 422;
    json_t *document = problem(request, 422);
    json_object_set(document, "errors", errors);
    return put_json(response, "application/problem+json", document);
}
