/* A form as a document for templates/partials/form/form.html.
 *
 * The page around it writes <form method="post" novalidate> (with enctype when
 * `multipart`), the csrf field and the buttons, and takes a missing "action" for its main
 * button: that is what the Enter key sends. */
#ifndef LABD_FORM_PAGE_H
#define LABD_FORM_PAGE_H

#include "server/form/submission.h"

/* `values` is a document or what was typed (submission.typed), or NULL for an empty form;
 * `errors` are those of a submission, or NULL. Every key is always present, null when it
 * has nothing:
 *
 *   title, hint
 *   summary    {errors: [ERROR]}
 *   people     null; set it to [{slug, name}] for a form with a person field
 *   multipart  there is a file or a photo
 *   groups     there are buttons that add and remove rows
 *   sections   [{title, hint, fields: [FIELD]}]
 *
 * FIELD: name, id, label, hint, lang, optional, widget ("partials/form/text"), value,
 * type, inputmode, autocomplete, rows, max, described_by, error (ERROR), options [{value,
 * label, selected, id}], remark (a reviewer's), empty_option, checked, visibility
 * (FIELD), show (null, or what shows it: {kind "in", "true" or "false", field, values
 * (JSON), label, words [{text, last}], now}), and of a group: entries
 * [{label, number, id, fields, remove, up, down}], add (null when full). up and down are
 * null: a page whose rows have an order that matters sets them to "up:NAME.0".
 *
 * ERROR: code, field, label, href, group and row (when it is in a row, counted from 1),
 * min, max, near, expected, others [{label, last}]. Its words are {{t.error.*code}}. */
json_t *form_page(const struct form *form, json_t *values, json_t *errors,
                  enum form_audience audience, enum language language);

/* Puts a reviewer's comments, {"field": "text"} or null, beside the fields of a page. */
void form_remarks(json_t *page, json_t *comments);

/* The errors of a submission as ERRORs, for answers of the API. */
json_t *form_error_list(const struct form *form, json_t *errors, enum language language);

#endif
