/* Files of works: what is uploaded becomes a stored document before its form is read, and
 * /files/:token/:name sends it to those who may see it.
 *
 * The fields of a document field "files.0.file" in a body
 * (templates/partials/form/document.html):
 *
 *   files.0.file         the token of the one that is there already, or none
 *   files.0.file.upload  the file (multipart); it takes that one's place
 *
 * A file is stored as soon as it arrives, so that it is held while another field is
 * corrected. Beside it "files.0.name" is filled in, where it is empty. */
#ifndef LABD_SITE_DOCUMENTS_H
#define LABD_SITE_DOCUMENTS_H

#include "server/form/definition.h"
#include "server/http/request.h"
#include "server/http/response.h"

/* The request's body without uploads of documents, these stored. *errors: [{field, code}]
 * of those that are none: document_not_pdf, document_truncated, document_too_large,
 * document_busy. */
MUST_USE enum result documents_take(json_t **errors, struct request *request,
                                    const struct form *form, enum form_audience audience);

MUST_USE enum result documents_show(struct request *request, struct response *response);

#endif
