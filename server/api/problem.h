/* Errors of the API: application/problem+json (RFC 9457). */
#ifndef LABD_API_PROBLEM_H
#define LABD_API_PROBLEM_H

#include "server/http/request.h"
#include "server/http/response.h"

/* Is the request for a path below /api/? */
bool api_request(const struct request *request);

/* Fills the response: {type, title, status, request_id}; status as error_status() has it.
 */
MUST_USE enum result api_problem(struct request *request, struct response *response,
                                 enum result result);

/* The same with what is wrong in the document sent: errors [{field, code, ...}] as the
 * form layer gives them; status 422. */
MUST_USE enum result api_errors(struct request *request, struct response *response,
                                json_t *errors);

/* A document as application/json. */
MUST_USE enum result api_document(struct response *response, json_t *document);

#endif
