/* Photos of forms and pages: what is uploaded becomes a stored photo before its form is
 * read, and /photos/:token/:name shows it to those who may see it.
 *
 * The fields of a photo field "photo" in a body (templates/partials/form/photo.html):
 *
 *   photo         the file (multipart), none, or a token
 *   photo.kept    the token of the one that is there already
 *   photo.remove  "true": none shall be there
 *   photo.crop    "X Y WIDTH HEIGHT", fractions of the upright picture to show
 *
 * A photo is made and stored as soon as it arrives, so that it is held while another
 * field is corrected. */
#ifndef LABD_SITE_PHOTOS_H
#define LABD_SITE_PHOTOS_H

#include "server/form/submission.h"
#include "server/http/request.h"
#include "server/http/response.h"

/* form_read_fields() of the request's body, for any form: one without a photo is read
 * alike. Documents (documents.h) are stored and read too. An upload that is no photo is
 * an error "photo_CODE" of its field (photo.h), and what was there before stays. */
MUST_USE enum result photos_read(struct submission *submission, struct request *request,
                                 const struct form *form, enum form_audience audience);

MUST_USE enum result photos_show(struct request *request, struct response *response);

#endif
